// The Helm chart, rendered by Helm and judged by the schemas of Kubernetes and the Prometheus operator.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { kubernetesFaults, type KubernetesObject } from './kubernetes.ts'
import { isCommand, isSetting } from './settings.ts'

const ROOT = new URL('../..', import.meta.url)
const CHART = 'deploy/helm'
const ALL = [
  'api.replicas=3',
  'autoscaling.enabled=true',
  'image.digest=sha256:' + 'a'.repeat(64),
  'image.pullSecrets={registry}',
  'ingress.className=nginx',
  'ingress.enabled=true',
  'ingress.tlsSecret=pay-tls',
  'migrate.databaseUrlKey=owner-url',
  'monitoring.labels.release=prometheus',
  'monitoring.prometheusRule=true',
  'monitoring.serviceMonitor=true',
  'nodeSelector.disk=ssd',
  'podAnnotations.team=payments',
  'simulator.enabled=true',
]

function helm(command: readonly string[], values: readonly string[] = []) {
  const sets = values.flatMap((value) => ['--set', value])
  const { status, stdout, stderr } = spawnSync('scripts/helm', [...command, ...sets], {
    cwd: fileURLToPath(ROOT),
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

interface Container {
  args: string[]
  env?: { name: string; value: string }[]
  ports?: { name: string; containerPort: number }[]
  securityContext: object
  resources: object
  livenessProbe?: { httpGet: object }
  readinessProbe?: { httpGet: object }
}
interface Manifest extends KubernetesObject {
  spec: {
    replicas?: number
    groups?: object[]
    jobLabel?: string
    selector?: Record<string, string> & { matchLabels?: Record<string, string> }
    ports?: { targetPort: string }[]
    ingress?: { from?: object[]; ports: { port: string }[] }[]
    template: {
      metadata: { labels: Record<string, string> }
      spec: {
        securityContext: object
        automountServiceAccountToken: boolean
        enableServiceLinks: boolean
        serviceAccountName?: string
        terminationGracePeriodSeconds?: number
        containers: Container[]
      }
    }
  }
}

function rendered(values: readonly string[] = []): Manifest[] {
  const { status, stdout, stderr } = helm(['template', 'gapura', CHART], values)
  if (status !== 0) throw new Error(stderr)
  const documents = parseAllDocuments(stdout)
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
  return documents.map((document) => document.toJS() as Manifest)
}

let usual: Manifest[]
let everything: Manifest[]
beforeAll(() => {
  usual = rendered()
  everything = rendered(ALL)
})

const of = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((one) => one.kind === kind)
const workloadsOf = (manifests: readonly Manifest[]): Manifest[] => [
  ...of(manifests, 'Deployment'),
  ...of(manifests, 'Job'),
]
const containerOf = ({ spec }: Manifest): Container | undefined => spec.template.spec.containers[0]

describe('the chart', () => {
  test.each([
    ['as it is', []],
    ['with everything on', ALL],
  ])('%s: passes the strict linter', (_how, values) => {
    const { status, stdout } = helm(['lint', '--strict', CHART], values)
    expect([status, stdout]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
    expect(stdout).not.toMatch(/WARNING|ERROR/)
  })

  test('renders objects that Kubernetes and the Prometheus operator accept', async () => {
    const kinds = (manifests: readonly Manifest[]) => manifests.map(({ kind }) => kind).toSorted()
    const base = ['NetworkPolicy', 'PodDisruptionBudget', 'PodDisruptionBudget']
    const processes = ['Deployment', 'Deployment', 'Job', 'Service', 'ServiceAccount']
    expect(kinds(usual)).toEqual([...base, ...processes].toSorted())
    const monitoring = ['PrometheusRule', 'Service', 'ServiceMonitor']
    const more = ['Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Service']
    expect(kinds(everything)).toEqual([...base, ...processes, ...monitoring, ...more].toSorted())
    expect(await kubernetesFaults([...usual, ...everything])).toEqual([])
  })

  test.each([
    ['a field that does not exist', { readinesProbe: {} }, 'readinesProbe'],
    ['a wrong type', { ports: [{ containerPort: 'http' }] }, 'containerPort must be integer'],
    ['a missing field', { ports: [{ name: 'http' }] }, 'required property containerPort'],
  ])('%s of an object is found', async (_what, more, fault) => {
    const planted = structuredClone(of(usual, 'Deployment').slice(0, 1))
    Object.assign(planted.map(containerOf)[0] ?? {}, more)
    expect((await kubernetesFaults(planted)).join('\n')).toContain(fault)
  })

  test.each([
    ['a misspelt value', 'worker.replica=2', 'replica'],
    ['no processes', 'api.replicas=0', 'api.replicas'],
    ['a number as a setting', 'settings.GAPURA_DRAIN_SECONDS=5', 'GAPURA_DRAIN_SECONDS'],
    ['too little time to stop', 'terminationGracePeriodSeconds=35', 'must be longer'],
  ])('refuses %s', (_what, value, word) => {
    const { status, stderr } = helm(['template', 'gapura', CHART], [value])
    expect([status, stderr]).toEqual([1, expect.stringContaining(word)])
  })
})

describe('its pods', () => {
  test('run without root, with a read-only file system and no privileges', () => {
    for (const { spec } of workloadsOf(everything)) {
      const { containers, ...pod } = spec.template.spec
      // Else a Service named gapura replaces GAPURA_PORT.
      expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      for (const { securityContext, resources } of containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(resources).toHaveProperty('limits.memory')
      }
    }
  })

  test('use commands and settings that exist', () => {
    const commands = workloadsOf(everything).map((one) => containerOf(one)?.args[0] ?? '')
    expect(commands.toSorted()).toEqual(['migrate', 'serve', 'simulate', 'work'])
    expect(commands.filter((command) => !isCommand(command))).toEqual([])
    const settings = workloadsOf(everything).flatMap((one) => containerOf(one)?.env ?? [])
    expect(settings.length).toBeGreaterThan(8)
    expect(settings.filter(({ name }) => !isSetting(name))).toEqual([])
  })

  test('are probed on the admin port, and have more time than a shutdown takes', () => {
    for (const one of of(usual, 'Deployment')) {
      const container = containerOf(one)
      expect(container?.livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'admin' })
      expect(container?.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'admin' })
      expect(container?.ports).toContainEqual({ name: 'admin', containerPort: 9464 })
      const drain = container?.env?.find(({ name }) => name === 'GAPURA_DRAIN_SECONDS')?.value
      const { terminationGracePeriodSeconds } = one.spec.template.spec
      expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(drain) + 30)
    }
  })

  test('migrate first, with nothing that the chart creates later, and by a role of their own', () => {
    const [job] = of(everything, 'Job')
    expect(job?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
    expect(job?.spec.template.spec).not.toHaveProperty('serviceAccountName')
    const address = { name: 'DATABASE_URL_FILE', value: '/run/secrets/gapura/owner-url' }
    expect(job && containerOf(job)?.env).toContainEqual(address)
    const [api] = of(everything, 'Deployment')
    expect(api && containerOf(api)?.env).not.toContainEqual(address)
  })
})

test('each selector selects the pods that it is meant for', () => {
  const pods = of(everything, 'Deployment').map(({ spec }) => spec.template.metadata.labels)
  const chosen = (labels: Record<string, string> = {}) =>
    pods.filter((pod) => Object.entries(labels).every(([name, value]) => pod[name] === value))
  for (const budget of of(everything, 'PodDisruptionBudget'))
    expect(chosen(budget.spec.selector?.matchLabels)).toHaveLength(1)
  for (const { metadata, spec } of of(everything, 'Service'))
    expect([metadata.name, chosen(spec.selector).length]).toEqual([
      metadata.name,
      metadata.name === 'gapura-admin' ? 2 : 1,
    ])
})

test('the admin port is open to the scraper only, and in no Service for callers', () => {
  const [policy] = of(usual, 'NetworkPolicy')
  const open = policy?.spec.ingress?.filter(({ from }) => from === undefined) ?? []
  expect(open.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual(['http'])
  const [service] = of(usual, 'Service')
  expect(service?.spec.ports?.map(({ targetPort }) => targetPort)).toEqual(['http'])
})

test('the rules are those of deploy/observability, under the job that they expect', () => {
  const shipped = readFileSync(new URL('deploy/observability/gapura.rules.yml', ROOT), 'utf8')
  expect(of(everything, 'PrometheusRule')[0]?.spec).toEqual(parse(shipped))
  const [monitor] = of(everything, 'ServiceMonitor')
  const admin = everything.find(({ metadata }) => metadata.name === 'gapura-admin')
  const job = admin?.metadata.labels[monitor?.spec.jobLabel ?? '']
  expect(shipped).toContain(`up{job="${job}"}`)
})
