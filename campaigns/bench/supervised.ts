// A process under a supervisor, which restarts it whatever ended it.
import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface SupervisedOrder {
  name: string
  /** Relative to the campaigns folder. */
  script: string
  /** By default `argument` as JSON. */
  given?: readonly string[]
  argument?: object
  environment?: Record<string, string>
  /** Where its standard error goes; to ours by default. */
  stderr_file?: string
  /** Receives each line it writes after the first, which says that it is ready. */
  heard?: (line: string) => void
}

const HOME = fileURLToPath(new URL('..', import.meta.url))
const READY_WITHIN_MS = 60_000
const RESTART_AFTER_MS = 50
/** Compiled once for all starts: a restart should not include a compilation. */
const COMPILED = path.join(tmpdir(), 'gapura-campaign-compiled')
const living = new Set<ChildProcess>()

// None of our processes outlives the campaign, however it ends.
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

export class Supervised {
  readonly name: string
  starts = 0
  ready = false
  paused = false
  readonly #order: SupervisedOrder
  #child: ChildProcess | undefined
  #wanted = true
  #waiting: (() => void)[] = []

  constructor(order: SupervisedOrder) {
    this.name = order.name
    this.#order = order
    this.#start()
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** Resolves when it is ready, now or after its next start. */
  async untilReady(): Promise<void> {
    if (this.ready) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    const late = setTimeout(() => reject(new Error(`${this.name} is not ready`)), READY_WITHIN_MS)
    await promise
    clearTimeout(late)
  }

  kill(): void {
    this.ready = false
    this.#child?.kill('SIGKILL')
  }

  /** Stops it by SIGSTOP for so long, past any lease, and continues it. */
  async pause(ms: number): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    this.paused = true
    child.kill('SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, ms))
    child.kill('SIGCONT')
    this.paused = false
  }

  /** Writes a line to its standard input. */
  sendLine(line: string): void {
    this.#child?.stdin?.write(`${line}\n`)
  }

  /** Ends it in good order, as a deploy does. Resolves with its exit code. */
  async end(): Promise<number | null> {
    this.#wanted = false
    const child = this.#child
    if (child === undefined || child.exitCode !== null) return child?.exitCode ?? null
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    return code
  }

  async stop(): Promise<void> {
    this.#wanted = false
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** Starts it again after `stop`. */
  async resume(): Promise<void> {
    this.#wanted = true
    this.#start()
    await this.untilReady()
  }

  #start(): void {
    const { script, argument = {}, environment = {}, stderr_file } = this.#order
    const given = this.#order.given ?? [JSON.stringify(argument)]
    const file = path.resolve(HOME, script)
    const child = spawn(process.execPath, ['--conditions=@gapura/source', file, ...given], {
      stdio: ['pipe', 'pipe', stderr_file === undefined ? 'inherit' : openSync(stderr_file, 'a')],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...environment },
    })
    this.#child = child
    this.starts += 1
    living.add(child)
    // A pipe to a killed process breaks, which is expected.
    const { stdin, stdout } = child
    if (stdin === null || stdout === null) throw new Error('the process was started without pipes')
    stdin.on('error', () => undefined)
    stdout.once('data', () => {
      this.ready = true
      for (const go of this.#waiting.splice(0)) go()
    })
    const { heard } = this.#order
    if (heard === undefined) stdout.resume()
    else createInterface({ input: stdout }).on('line', heard)
    child.once('exit', () => {
      living.delete(child)
      this.ready = false
      if (this.#wanted) setTimeout(() => this.#wanted && this.#start(), RESTART_AFTER_MS)
    })
  }
}

/** Below the ports that the system gives to outgoing connections, which could take a free one. */
const PORTS = { from: 20_000, to: 32_000 }
const PORT_TRIES_MAX = 100

/** A free port. A process that is to come back needs the same one again. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORT_TRIES_MAX; tried++) {
    const port = randomInt(PORTS.from, PORTS.to)
    if (await isFree(port)) return port
  }
  throw new Error('no port is free')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const heard = once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.listen(port, '127.0.0.1')
  if (!(await heard)) return false
  server.close()
  await once(server, 'close')
  return true
}
