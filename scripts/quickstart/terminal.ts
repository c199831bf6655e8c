import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 20
const DEADLINE_MS = 60_000

/** Variables of a shell, and those needed to reach a registry through a proxy. */
const KEPT =
  /^(?:PATH|HOME|npm_config_registry|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|(?:https?|no)_proxy)$/i

/** Without the machine's own settings: its DATABASE_URL must not be used. */
const cleanEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name)))

/** A shell that keeps its variables and folder between commands. */
export class Terminal {
  readonly #shell: ChildProcess
  printed = ''
  #marks = 0

  constructor(folder: string, more: Readonly<Record<string, string>> = {}) {
    const env = { ...cleanEnvironment(), ...more }
    this.#shell = spawn('bash', [], { cwd: folder, env, detached: true })
    const keep = (chunk: Buffer): void => void (this.printed += chunk.toString())
    this.#shell.stdout?.on('data', keep)
    this.#shell.stderr?.on('data', keep)
  }

  type(code: string): void {
    this.#shell.stdin?.write(`${code}\n`)
  }

  /** What the command printed, after it succeeded. */
  async run(code: string, deadline_ms = DEADLINE_MS): Promise<string> {
    const before = this.printed.length
    const mark = `ended-${++this.#marks}:`
    this.type(`${code.trimEnd()}\necho ${mark}$?`)
    const ended = new RegExp(`${mark}(\\d+)`)
    await this.until(ended, deadline_ms)
    const text = this.printed.slice(before)
    if (ended.exec(text)?.[1] !== '0') throw new Error(`${code} failed: ${text}`)
    return text.replace(ended, '')
  }

  /** Waits until the text is printed; fails with the output so far. */
  async until(wanted: string | RegExp, deadline_ms = DEADLINE_MS): Promise<void> {
    const end = Date.now() + deadline_ms
    const there = (): boolean =>
      typeof wanted === 'string' ? this.printed.includes(wanted) : wanted.test(this.printed)
    while (!there()) {
      if (Date.now() > end) throw new Error(`${String(wanted)} was not printed: ${this.printed}`)
      await sleep(LOOK_EVERY_MS)
    }
  }

  /** Sends Ctrl-C to every process it started. May be called again. */
  async end(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#shell
    this.#shell.stdin?.end()
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    const ended = new Promise((resolve) => this.#shell.once('close', resolve))
    process.kill(-pid, 'SIGINT')
    await ended
  }
}
