// The simulator through its own control routes: the payer's actions, the clock, and the ledger that
// the service cannot write to.
import { request } from 'node:http'
import { readLedger } from '../../packages/cli/src/simulator_ledger.ts'
import type { LedgerOrder } from '../../packages/service/src/services/verify/compare_ledger.ts'
import type { GatewayEffects, GatewayTransaction } from './gateway_effects.ts'

const ADVANCE_MS_MAX = 30 * 60_000

export interface LedgerCall {
  sequence: number
  at: string
  operation: string
  order_id?: string
  fault?: string
  status_code: string | null
  work_done: boolean
}

interface ShownDelivery {
  attempts: { http_status?: number; reply?: string }[]
}

const PAGE = 1_000
/** Codes of a charge that the gateway refused definitely; 406 says that the order exists. */
const REFUSED = /^4(?!06)/

export class GatewayWitness {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  async control(path: string, body: object = {}): Promise<Response> {
    return await fetch(`${this.url}/_sim/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  /** Not by fetch, which gives up after five minutes: after a long run thousands of orders expire. */
  async advanceClock(seconds: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const url = `${this.url}/_sim/clock/advance`
    const headers = { 'content-type': 'application/json' }
    const call = request(url, { method: 'POST', headers, timeout: ADVANCE_MS_MAX }, (reply) => {
      reply.resume().on('end', () => {
        if (reply.statusCode === 200) resolve()
        else reject(new Error(`the simulator answered ${reply.statusCode} to an advance`))
      })
    })
    call.on('error', reject)
    call.on('timeout', () => call.destroy(new Error('the simulator did not advance its clock')))
    call.end(JSON.stringify({ seconds }))
    await promise
  }

  async settings(body: object): Promise<void> {
    await fetch(`${this.url}/_sim/settings`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  async heal(): Promise<void> {
    await fetch(`${this.url}/_sim/faults`, { method: 'DELETE' })
  }

  /** Every order in its ledger: status and amounts. */
  async orders(): Promise<Map<string, LedgerOrder>> {
    return await readLedger(this.url)
  }

  /** The ids our service answered 200 with: each is a promise. */
  async acknowledgedNotifications(): Promise<string[]> {
    const ids: string[] = []
    for (let after = 0; ;) {
      const page = await this.#read<{ deliveries: ShownDelivery[]; next_after: number }>(
        // Notices about subscriptions are not signed, and nothing of them is stored (ADR 0004).
        `deliveries?kind=payment&after=${after}&limit=${PAGE}`,
      )
      for (const { attempts } of page.deliveries) {
        for (const { http_status, reply = '' } of attempts) {
          const id = /"notification_id":"([0-9a-f-]{36})"/.exec(reply)?.[1]
          if (http_status === 200 && id !== undefined) ids.push(id)
        }
      }
      if (page.deliveries.length < PAGE) return ids
      after = page.next_after
    }
  }

  /** Of the invoices that wait for their payer. */
  async openInvoices(): Promise<string[]> {
    const { invoices } = await this.#read<{ invoices: { id: string; status: string }[] }>(
      'invoices',
    )
    return invoices.filter(({ status }) => status === 'pending').map(({ id }) => id)
  }

  /** How we answered each attempt to notify us of this order. */
  async answersTo(order_id: string): Promise<(number | 'lost')[]> {
    const { deliveries } = await this.#read<{ deliveries: ShownDelivery[] }>(
      `deliveries?order_id=${order_id}`,
    )
    return deliveries.flatMap(({ attempts }) =>
      attempts.map(({ http_status }) => http_status ?? 'lost'),
    )
  }

  /** Every call it received, in order. */
  async calls(): Promise<LedgerCall[]> {
    const calls: LedgerCall[] = []
    for (let since = 0; ;) {
      const page = await this.#read<{ entries: LedgerCall[]; next_since: number; more: boolean }>(
        `ledger?kind=call&since=${since}&limit=${PAGE}`,
      )
      calls.push(...page.entries)
      if (!page.more) return calls
      since = page.next_since
    }
  }

  /** Everything that was made, with the request that asked for it. */
  async effects(): Promise<GatewayEffects> {
    const transactions: GatewayTransaction[] = []
    for (;;) {
      const page = await this.#read<{ transactions: GatewayTransaction[] }>(
        `ledger/effects?after=${transactions.length}&limit=${PAGE}`,
      )
      transactions.push(...page.transactions)
      if (page.transactions.length < PAGE) break
    }
    const { invoices } = await this.#read<Pick<GatewayEffects, 'invoices'>>('invoices')
    const { subscriptions } =
      await this.#read<Pick<GatewayEffects, 'subscriptions'>>('subscriptions')
    const refused = (await this.calls()).filter(
      ({ operation, status_code }) => operation === 'charge' && REFUSED.test(status_code ?? ''),
    )
    const refused_charges = new Set(refused.flatMap(({ order_id }) => order_id ?? []))
    return { transactions, invoices, subscriptions, refused_charges }
  }

  async #read<Body>(path: string): Promise<Body> {
    const reply = await fetch(`${this.url}/_sim/${path}`)
    return (await reply.json()) as Body
  }
}
