// The whole service over real HTTP: a real server, a real database, the simulator as the gateway.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSimulator, type Simulator } from '@gapura/simulator'
import { afterAll, beforeAll } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { GatewayClient } from '../../src/gateway/client.ts'
import { createGapura, type Gapura, type GapuraOptions } from '../../src/main/create_gapura.ts'
import { DATABASE_URL, useDatabase } from '../store/test_database.ts'
import { charges } from '../services/charge_inputs.ts'

export type Json = Record<string, unknown>

export interface Answer {
  status: number
  headers: Headers
  text: string
  body: Json & { id: string }
}

export interface Sent {
  body?: unknown
  /** As it is, instead of as JSON. */
  raw?: string | Buffer
  as?: string
  headers?: Record<string, string>
  key?: string
}

const CALLERS: Record<string, Caller> = {
  ani: { owner_id: 'ani', staff: false, scopes: SCOPES },
  budi: { owner_id: 'budi', staff: false, scopes: SCOPES },
  payer: { owner_id: 'ani', staff: false, scopes: [] },
  /** Reads the payments of every owner and has every scope, but may act only on its own. */
  reader: {
    owner_id: 'desk',
    staff: true,
    scopes: SCOPES.filter((scope) => scope !== 'staff:act'),
  },
  clerk: { owner_id: 'desk', staff: true, scopes: SCOPES },
  /** Another person, for what takes two. */
  second: { owner_id: 'eka', staff: true, scopes: SCOPES },
  staff: { owner_id: 'desk', staff: true, scopes: ['staff:read'] },
  bare: { owner_id: 'desk', staff: true, scopes: [] },
}

/** The host's way to know its callers: a header, as a test can send it. */
export const authenticate: NonNullable<GapuraOptions['authenticate']> = ({ headers }) =>
  CALLERS[String(headers['x-caller'])]

export const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** One request, as `ani` by default; `as: ''` sends no credentials. */
export async function send(method: string, url: string, sent: Sent = {}): Promise<Answer> {
  const { as = 'ani', key, body } = sent
  const raw = sent.raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const reply = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(as !== '' && { 'x-caller': as }),
      ...(raw !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...sent.headers,
    },
    ...(raw !== undefined && { body: raw }),
  })
  const text = await reply.text()
  const json = text === '' ? {} : (JSON.parse(text) as Answer['body'])
  return { status: reply.status, headers: reply.headers, text, body: json as Answer['body'] }
}

const PREFIX = '/api/pay'
/** Of no service but these. */
export const WEBHOOK_KEY = Buffer.alloc(32, 'webhooks').toString('base64')

/** Sets up the service around the tests of a file. */
export function useHttp(options: Partial<GapuraOptions> = {}) {
  const database = useDatabase()
  let parts: { gapura: Gapura; simulator: Simulator; cards: GatewayClient; url: string } | undefined
  const opened = () => {
    if (parts === undefined) throw new Error('open only inside tests')
    return parts
  }
  const log: { level: string; fields: object }[] = []
  const note = (level: string) => (fields: object) => void log.push({ level, fields })
  const server = createServer((request, response) => opened().gapura.nodeHandler(request, response))
  let minted = 0
  beforeAll(async () => {
    const base = await listen(server)
    const notification_url = `${base}${PREFIX}/notification/`
    const simulator = await createSimulator({ port: 0, seed: 7, notification_url })
    const { url: base_url, server_key, client_key } = simulator
    const gateway = { server_key, client_key, base_url, retry_delay_ms: 1, timeout_ms_max: 1_000 }
    const gapura = createGapura({
      databaseUrl: DATABASE_URL,
      schema: database.db.schema,
      gateway,
      authenticate,
      prefix: PREFIX,
      webhooks: { keys: [WEBHOOK_KEY], endpoints_max: 10_000 },
      logger: { info: note('info'), warn: note('warn'), error: note('error') },
      ...options,
    })
    const cards = new GatewayClient({ ...gateway, card_data: true })
    parts = { gapura, simulator, cards, url: `${base}${PREFIX}` }
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await parts?.gapura.close()
    await parts?.cards.close()
    await parts?.simulator.close()
  })
  const get = async (path: string, sent?: Sent) => await send('GET', `${opened().url}${path}`, sent)
  const post = async (path: string, sent?: Sent) =>
    await send('POST', `${opened().url}${path}`, sent)
  const control = async (path: string, body: object = {}): Promise<Json> =>
    (await send('POST', `${opened().simulator.url}/_sim/${path}`, { body })).body
  const inputs = charges(() => opened().cards)
  const fresh = (prefix: string): string => `${prefix}-${++minted}`
  const charged = async (payment_type = 'bank_transfer', more: object = {}) => {
    const body = await inputs.chargeOf(payment_type, { order_id: fresh(payment_type), ...more })
    return (await post('/charge/', { body })).body
  }
  return {
    ...inputs,
    database,
    log,
    fresh,
    get,
    post,
    control,
    charged,
    get parts() {
      return opened()
    },
    /** A charge that the payer paid and the gateway settled. */
    settled: async (payment_type = 'gopay') => {
      const payment = await charged(payment_type)
      await control(`transactions/${String(payment['order_id'])}/pay`)
      await get(`/payments/${payment.id}/check_status/`)
      return payment
    },
    strike: async (operation: string, effect: string, more: object = {}) =>
      await control('faults', { effect, match: { operation }, times: 1, ...more }),
    /** No notification of a new payment comes between two looks at it. */
    quietly: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      await control('faults', { effect: 'muted', match: { transaction_status: 'pending' } })
      const result = await work()
      await send('DELETE', `${opened().simulator.url}/_sim/faults`)
      return result
    },
    /** Ends every fault. */
    calm: async () => await send('DELETE', `${opened().simulator.url}/_sim/faults`),
    ledger: async (order_id: unknown) => {
      const { body } = await send('GET', `${opened().simulator.url}/_sim/ledger/summary`)
      return (body['orders'] as Record<string, Json>)[String(order_id)]
    },
  }
}
