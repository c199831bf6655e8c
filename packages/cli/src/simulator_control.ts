import { EXIT } from './exit_codes.ts'
import { CommandFailure } from './failure.ts'

const TIMEOUT_MS = 5_000

/** The hands of payers, banks and time, through the simulator's control API. */
export class SimulatorControl {
  readonly #url: string

  constructor(url: string) {
    this.#url = url.replace(/\/+$/, '')
  }

  /** Whether a simulator is there at all. The real gateway has nobody who pays on command. */
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

  /** What a payer, her bank, the gateway's staff or time does: `transactions/A-1/pay`. */
  async deed(path: string): Promise<void> {
    await this.#send('POST', path, {})
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
      advice: ['Choose one in another state, or let trigger make its own.'],
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
