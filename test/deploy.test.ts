// Checks the files of deploy/ without running them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const ROOT = new URL('..', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')
const there = (path: string): boolean => existsSync(new URL(path, ROOT))

const CONFIG = read('packages/service/src/main/config.ts')
const isSetting = (name: string): boolean => CONFIG.includes(`'${name.replace(/_FILE$/, '')}'`)
const isCommand = (name: string): boolean =>
  new RegExp(`^  '?${name}'?[:,]`, 'm').test(read('packages/service/src/main/run.ts'))

describe.each(['Dockerfile', 'simulator.Dockerfile'])('%s', (name) => {
  const text = read(`deploy/${name}`)
  const final = text.slice(text.lastIndexOf('\nFROM '))

  test('passes the linter', () => {
    expect(validate(text)).toEqual([])
  })

  test('runs as a numeric user that is not root, and has a health check', () => {
    expect(final).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
    expect(final).toMatch(/^HEALTHCHECK /m)
    expect(final).toMatch(/^ENTRYPOINT \["node", /m)
  })

  test('copies and starts only files that exist', () => {
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
      sources.split(' '),
    )
    expect(copied.length).toBeGreaterThan(1)
    expect(copied.filter((path) => !there(path))).toEqual([])
    const entry = /ENTRYPOINT \["node", "([^"]+)"/.exec(final)?.[1] ?? ''
    const source = entry.replace('/dist/', '/src/').replace(/\.js$/, '.ts')
    expect(there(source) || there(`packages/simulator/${source}`)).toBe(true)
  })
})

test('the image sets only variables that the service reads', () => {
  const names = read('deploy/Dockerfile').match(/\bGAPURA_\w+(?==)/g) ?? []
  expect(names).toHaveLength(3)
  expect(names.filter((name) => !isSetting(name))).toEqual([])
})

interface ComposeService {
  command?: string[]
  environment?: Record<string, string>
  read_only?: boolean
  cap_drop?: string[]
  ports?: string[]
}

describe('the compose file', () => {
  const { services } = parse(read('deploy/docker-compose.yml'), { merge: true }) as {
    services: Record<string, ComposeService>
  }

  test('has the database, the simulator and every process', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'simulator', 'migrate', 'api', 'worker'])
  })

  test.each(['migrate', 'api', 'worker'])(
    '%s: known command and settings, nothing to write to',
    (name) => {
      const { command = [], environment = {}, read_only, cap_drop } = services[name] ?? {}
      expect(command.map(isCommand)).toEqual([true])
      expect(Object.keys(environment).filter((setting) => !isSetting(setting))).toEqual([])
      expect([read_only, cap_drop]).toEqual([true, ['ALL']])
    },
  )

  test('is reachable from its own machine only', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? [])
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  })
})

interface Container {
  args: string[]
  ports?: { name: string; containerPort: number }[]
  envFrom: { configMapRef: { name: string } }[]
  securityContext: object
  resources: object
  livenessProbe?: { httpGet: object }
  readinessProbe?: { httpGet: object }
}
interface Manifest {
  kind: string
  metadata: { name?: string; labels: Record<string, string> }
  data?: Record<string, string>
  spec: {
    selector?: Record<string, string> & { matchLabels?: Record<string, string> }
    ports?: { targetPort: string }[]
    ingress?: { from?: object[]; ports: { port: string }[] }[]
    template: {
      metadata: { labels: Record<string, string> }
      spec: {
        securityContext: object
        automountServiceAccountToken: boolean
        terminationGracePeriodSeconds?: number
        containers: Container[]
      }
    }
  }
}

describe('the Kubernetes manifests', () => {
  const files = readdirSync(new URL('deploy/kubernetes/', ROOT))
  const documents = files.flatMap((file) => [
    ...parseAllDocuments(read(`deploy/kubernetes/${file}`)),
  ])
  const manifests = documents.map((document) => document.toJS() as Manifest)
  const of = (kind: string): Manifest[] => manifests.filter((one) => one.kind === kind)
  const workloads = [...of('Deployment'), ...of('Job')]

  test('parse without warnings and have the expected kinds', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
      'ConfigMap',
      'Deployment',
      'Deployment',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ])
  })

  test('run without root, with a read-only file system and no privileges', () => {
    for (const { spec } of workloads) {
      const { securityContext, automountServiceAccountToken, containers } = spec.template.spec
      expect(automountServiceAccountToken).toBe(false)
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      for (const { securityContext: own, resources } of containers) {
        expect(own).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(resources).toHaveProperty('limits.memory')
      }
    }
  })

  test('use commands and settings that exist', () => {
    const commands = workloads.flatMap(({ spec }) => spec.template.spec.containers[0]?.args ?? [])
    expect(commands.toSorted()).toEqual(['migrate', 'serve', 'work'])
    expect(commands.filter((command) => !isCommand(command))).toEqual([])
    const settings = Object.keys(of('ConfigMap')[0]?.data ?? {})
    expect(settings.filter((setting) => !isSetting(setting))).toEqual([])
  })

  test('probe the admin port, and allow more time than a shutdown takes', () => {
    const drain_s = Number(of('ConfigMap')[0]?.data?.['GAPURA_DRAIN_SECONDS'])
    for (const { spec } of of('Deployment')) {
      const { containers, terminationGracePeriodSeconds = 30 } = spec.template.spec
      const [container] = containers
      expect(container?.livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'admin' })
      expect(container?.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'admin' })
      expect(container?.ports).toContainEqual({ name: 'admin', containerPort: 9464 })
      expect(terminationGracePeriodSeconds).toBeGreaterThan(drain_s + 30)
    }
  })

  test('select their own pods, and open the admin port to the scraper only', () => {
    for (const budget of of('PodDisruptionBudget')) {
      const wanted = budget.spec.selector?.matchLabels
      const chosen = of('Deployment').filter(
        ({ spec }) => JSON.stringify(spec.template.metadata.labels) === JSON.stringify(wanted),
      )
      expect(chosen).toHaveLength(1)
    }
    const [service] = of('Service')
    expect(service?.spec.ports?.map(({ targetPort }) => targetPort)).toEqual(['http'])
    const [policy] = of('NetworkPolicy')
    const open = policy?.spec.ingress?.filter(({ from }) => from === undefined) ?? []
    expect(open.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual(['http'])
  })
})

describe.each([
  ['gapura-api', 'serve'],
  ['gapura-worker', 'work'],
  ['gapura-migrate', 'migrate'],
])('the systemd unit %s', (name, command) => {
  const unit = read(`deploy/systemd/${name}.service`)

  test('runs a command and sets only settings that exist, without root', () => {
    expect(unit).toMatch(
      new RegExp(`^ExecStart=/usr/bin/node \\S+/dist/main/run.js ${command}$`, 'm'),
    )
    expect(isCommand(command)).toBe(true)
    const settings = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, setting = '']) => setting)
    expect(settings.filter((setting) => !isSetting(setting))).toEqual([])
    expect(unit).toMatch(/^User=gapura$/m)
    expect(unit).toMatch(/^CapabilityBoundingSet=$/m)
    expect(unit).toMatch(/^ProtectSystem=strict$/m)
  })

  test('allows more time than a shutdown takes', () => {
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(45)
  })
})
