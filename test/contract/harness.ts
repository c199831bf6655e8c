import { createSimulator, type Simulator } from '@gapura/simulator'
import { GatewayClient, type OperationName } from 'gapura'

export interface LedgerCall {
  kind: 'call'
  operation: string
  http_status: number | null
  status_code: string | null
  fault?: string
  work_done: boolean
}

/** A simulator, a client of it, and control of payer and bank. Everything uses real HTTP. */
export interface Harness {
  simulator: Simulator
  /** New for each test, so that the faults of one test do not open the breaker of another. */
  client: GatewayClient
  renew: (timeout_ms_max?: number) => Promise<void>
  /** A client with a server key that the simulator does not know. */
  stranger: GatewayClient
  control: (path: string, body?: object) => Promise<Record<string, unknown>>
  ledger: () => Promise<LedgerCall[]>
  fresh: (prefix: string) => string
}

/** A busy machine may stand still for a moment; only a test of the time-out waits no longer than this. */
const TIMEOUT_MS = 10_000
export const HURRIED_MS = 300

export async function openHarness(): Promise<Harness> {
  const simulator = await createSimulator({ port: 0, seed: 1 })
  const settings = {
    base_url: simulator.url,
    client_key: simulator.client_key,
    card_data: true,
    retry_delay_ms: 1,
  }
  let minted = 0
  const open = (timeout_ms_max = TIMEOUT_MS) =>
    new GatewayClient({ ...settings, timeout_ms_max, server_key: simulator.server_key })
  const harness: Harness = {
    simulator,
    client: open(),
    renew: async (timeout_ms_max) => {
      await harness.client.close()
      harness.client = open(timeout_ms_max)
    },
    stranger: new GatewayClient({ ...settings, server_key: 'SB-Mid-server-stranger' }),
    control: (path, body) => control(simulator.url, path, body),
    ledger: () => readLedger(simulator.url),
    fresh: (prefix) => `${prefix}-${++minted}`,
  }
  return harness
}

export async function closeHarness({ simulator, client, stranger }: Harness): Promise<void> {
  await Promise.all([client.close(), stranger.close()])
  await simulator.close()
}

async function control(url: string, path: string, body: object = {}) {
  const reply = await fetch(`${url}/_sim/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const json = (await reply.json()) as Record<string, unknown>
  if (!reply.ok) throw new Error(`/_sim/${path}: ${JSON.stringify(json)}`)
  return json
}

async function readLedger(url: string): Promise<LedgerCall[]> {
  const calls: LedgerCall[] = []
  let since = 0
  for (let more = true; more;) {
    const reply = await fetch(`${url}/_sim/ledger?kind=call&since=${since}`)
    const page = (await reply.json()) as {
      entries: LedgerCall[]
      next_since: number
      more: boolean
    }
    calls.push(...page.entries)
    since = page.next_since
    more = page.more
  }
  return calls
}

/** One fault for the next calls of an operation. */
export const injectFault = (
  harness: Harness,
  operation: OperationName,
  effect: string,
  times: number,
) => harness.control('faults', { effect, match: { operation }, times })
