// The processes of a release, replaced one by one as in a rolling deploy: a process is asked to
// end, the balancer sees that it is not ready, and its successor takes its place.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { ProcessOrder } from '../processes/process_order.ts'
import type { Backend, Balancer } from './balancer.ts'
import type { Release } from './releases.ts'
import { progress } from './report.ts'
import { freePort, Supervised } from './supervised.ts'

const READY_WITHIN_MS = 60_000
/** The looks after which the balancer removes a process, and a reserve for a busy machine. */
const DRAIN_SECONDS = 3
const FAILURE_CHARACTERS_MAX = 600

interface Running {
  backend: Backend
  process: Supervised
}

export class Fleet {
  /** Exit codes of processes that were asked to end; anything but 0 cut a request off. */
  readonly ends: (number | null)[] = []
  readonly #shared: Omit<ProcessOrder, 'port'>
  readonly #balancer: Balancer
  #apis: Running[] = []
  #worker: Supervised | undefined

  constructor(shared: Omit<ProcessOrder, 'port'>, balancer: Balancer) {
    this.#shared = shared
    this.#balancer = balancer
  }

  /** Any of its processes, to wait until one is ready. */
  get process(): Supervised {
    const [running] = this.#apis
    if (running === undefined) throw new Error('the fleet has not started')
    return running.process
  }

  async start(release: Release, apis: number): Promise<void> {
    for (let index = 0; index < apis; index++) this.#apis.push(await this.#startApi(release))
    await this.#startWorker(release)
  }

  /** `gapura migrate` of that release, as an operator runs it. Returns what was applied. */
  async migrate(release: Release): Promise<string[]> {
    const cli = path.join(release.folder, 'packages/cli/src/main.ts')
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@gapura/source', cli, 'migrate', '--json'],
      { env: { ...process.env, ...this.#environment() } },
    )
    return (JSON.parse(stdout) as { applied: string[] }).applied
  }

  /** Workers first, then the API processes, one after the other (docs/upgrading.md). */
  async roll(release: Release): Promise<void> {
    if (this.#worker !== undefined) this.ends.push(await this.#worker.end())
    await this.#startWorker(release)
    for (const [index, { backend, process: api }] of this.#apis.entries()) {
      this.ends.push(await api.end())
      this.#balancer.remove(backend)
      this.#apis[index] = await this.#startApi(release)
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#apis.map(async ({ process: one }) => await one.stop()))
    await this.#worker?.stop()
  }

  async #startApi({ name, folder }: Release): Promise<Running> {
    const backend = { port: await freePort(), admin_port: await freePort() }
    const api = new Supervised({
      name: `api of ${name}`,
      script: path.join(folder, 'packages/service/src/main/run.ts'),
      given: ['serve'],
      environment: {
        ...this.#environment(),
        GAPURA_PORT: String(backend.port),
        GAPURA_ADMIN_PORT: String(backend.admin_port),
        GAPURA_DRAIN_SECONDS: String(DRAIN_SECONDS),
      },
      // No fault is injected here, so every failure is a finding.
      heard: (text) => {
        const lines = text.split('\n').filter((line) => line.includes('"level":"error"'))
        for (const line of lines) progress(`${name}: ${line.slice(0, FAILURE_CHARACTERS_MAX)}`)
      },
    })
    await this.#balancer.add(backend, READY_WITHIN_MS)
    return { backend, process: api }
  }

  async #startWorker({ name, folder }: Release): Promise<void> {
    this.#worker = new Supervised({
      name: `worker of ${name}`,
      script: path.join(folder, 'campaigns/processes/worker.ts'),
      argument: { ...this.#shared, port: 0 },
    })
    await this.#worker.untilReady()
  }

  #environment(): Record<string, string> {
    const { database_url, schema, server_key, gateway_url, second_person_above } = this.#shared
    return {
      DATABASE_URL: database_url,
      GAPURA_SCHEMA: schema,
      GATEWAY_SERVER_KEY: server_key,
      GATEWAY_BASE_URL: gateway_url,
      ...(second_person_above !== undefined && {
        GAPURA_REFUND_SECOND_PERSON_ABOVE: String(second_person_above),
      }),
    }
  }
}
