import { EXIT } from './exit_codes.ts'
import { CommandFailure } from './failure.ts'

const TIMEOUT_MS = 5_000

/** Performs actions of payers, banks and the clock through the simulator's control API. */
export class SimulatorControl {
  readonly #url: string

  constructor(url: string) {
    this.#url = url.replace(/\/+$/, '')
  }

  /** Whether the address is a simulator; the real gateway has no control API. */
  async answers(): Promise<boolean> {
    try {
      const reply = await fetch(`${this.#url}/_sim`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      const body: unknown = reply.ok ? await reply.json() : undefined
      return typeof body === 'object' && body !== null && 'ledger_entries' in body
    } catch {
      return false
    }
  }

  async settings(changes: object): Promise<void> {
    await this.#send('PATCH', 'settings', changes)
  }

  /** Performs one tester action, such as `transactions/A-1/pay`. */
  async act(path: string, body: object = {}): Promise<void> {
    await this.#send('POST', path, body)
  }

  async #send(method: string, path: string, body: object): Promise<void> {
    const reply = await fetch(`${this.#url}/_sim/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (reply.ok) return
    throw new CommandFailure({
      exit_code: EXIT.refused,
      code: 'simulator_refused',
      message: `the simulator refused ${path}: ${faultOf(await reply.text())}`,
      advice: ['Choose an object with another status, or let trigger make a new one.'],
    })
  }
}

function faultOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : text
  } catch {
    return text
  }
}
