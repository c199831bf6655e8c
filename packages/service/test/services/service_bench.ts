// The services over a real database and the simulator, both for this file only.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSimulator, type Simulator } from '@gapura/simulator'
import { afterAll, beforeAll, expect } from 'vitest'
import { GatewayError } from '../../src/domain/errors.ts'
import { GatewayClient } from '../../src/gateway/client.ts'
import { parseJson } from '../../src/gateway/json.ts'
import type { GatewaySettings } from '../../src/gateway/settings.ts'
import type { Context } from '../../src/services/context.ts'
import { withInbox } from '../../src/services/notifications/open_inbox.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import type { Outcome, Request } from '../../src/services/requests.ts'
import { checkInvariants } from '../../src/services/verify/check_invariants.ts'
import { insideTransaction } from '../../src/store/connection/transaction.ts'
import { useDatabase } from '../store/test_database.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

export interface LedgerOrder {
  charges: number
  captured: number
  refunded: number
}

/** Sets up all of it around the tests of a file. */
export function useService(settings: Partial<GatewaySettings> = {}) {
  const database = useDatabase()
  let simulator: Simulator | undefined
  let client: GatewayClient | undefined
  let context: Context | undefined
  let minted = 0
  const webhook = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      receiveNotification(contextOf(), parseJson(Buffer.concat(chunks).toString())).then(
        () => response.writeHead(200).end(),
        (error: unknown) =>
          response.writeHead(error instanceof GatewayError ? error.row.status : 429).end(),
      )
    })
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve))
    const { port } = webhook.address() as AddressInfo
    const notification_url = `http://127.0.0.1:${port}/notification/`
    simulator = await createSimulator({ port: 0, seed: 7, notification_url })
    client = connect(simulator)
  })
  afterAll(async () => {
    webhook.closeAllConnections()
    webhook.close()
    await client?.close()
    await simulator?.close()
    const checked = await checkInvariants(database.db)
    // After the tests of every file no promise may be broken.
    expect(checked.filter(({ violations }) => violations > 0)).toEqual([])
  })
  const url = (): string => simulator?.url ?? ''
  const connect = ({ url: base_url, server_key, client_key }: Simulator): GatewayClient =>
    new GatewayClient({
      server_key,
      client_key,
      base_url,
      card_data: true,
      retry_delay_ms: 1,
      timeout_ms_max: 400,
      guard: () => {
        if (insideTransaction()) throw new Error('a call to the gateway inside a transaction')
      },
      ...settings,
    })
  const contextOf = (): Context => {
    if (client === undefined) throw new Error('open only inside tests')
    context ??= withInbox({
      db: database.db,
      gateway: client,
      log: silent,
      confirm_notifications: false,
      reached: () => undefined,
    })
    return context
  }
  return {
    database,
    get ctx(): Context {
      return contextOf()
    },
    get simulator(): Simulator {
      if (simulator === undefined) throw new Error('open only inside tests')
      return simulator
    },
    fresh: (prefix: string): string => `${prefix}-${++minted}`,
    /** The payer's actions, the clock and the faults of the simulator. */
    control: async (path: string, body: object = {}): Promise<Record<string, unknown>> => {
      const reply = await fetch(`${url()}/_sim/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const answer = (await reply.json()) as Record<string, unknown>
      // What the simulator refuses has no effect, and a test could pass for no reason.
      if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
      return answer
    },
    ledger: async (order_id: string): Promise<LedgerOrder | undefined> => {
      const reply = await fetch(`${url()}/_sim/ledger/summary`)
      const { orders } = (await reply.json()) as { orders: Record<string, LedgerOrder> }
      return orders[order_id]
    },
  }
}

export const requestOf = (owner_id = 'owner-1', key?: string, fingerprint = 'f'): Request => ({
  caller: { owner_id, staff: false, scopes: [] },
  request_id: 'request-1',
  idempotency: key === undefined ? null : { key, fingerprint },
})

/** The body of a reply; anything else fails the test. */
export function bodyOf(outcome: Outcome): Record<string, unknown> & { id: string } {
  if (outcome.kind !== 'reply') throw new Error(`a problem: ${outcome.code}`)
  return outcome.reply.body as Record<string, unknown> & { id: string }
}
