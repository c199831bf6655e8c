// One list of requests for every host, and what was answered with everything left out that may
// differ from one run to the next. Two hosts behave alike if their transcripts are equal.
import { signNotification } from '../../src/gateway/signature.ts'
import { send, type Answer, type Json, type Sent } from './http_bench.ts'

/** What the list needs besides an address: an unused order id, a charge, the gateway's key. */
export interface TranscriptBench {
  fresh: (prefix: string) => string
  chargeOf: (payment_type: string, more: object) => Promise<object>
  server_key: string
}

interface Line {
  request: string
  status: number
  headers: Record<string, string>
  body: unknown
}

/** What a client or a cache acts on. The connection's own are the host's. */
const HEADERS = [
  'content-type',
  'cache-control',
  'allow',
  'www-authenticate',
  'idempotency-replayed',
  'retry-after',
  'location',
  'x-request-id',
]

const REQUEST_ID = 'transcript-request'

/** The requests of the list, with the status each must get. */
export const EXPECTED = [
  ['charge', 201],
  ['charge, same key', 201],
  ['charge, key of another body', 422],
  ['charge, another', 201],
  ['charge, invalid', 400],
  ['charge, no JSON', 415],
  ['charge, too large', 413],
  ['charge, no slash and no caller', 401],
  ['check_status', 200],
  ['check_status, no slash', 200],
  ['list', 200],
  ['list, next page', 200],
  ['list, HEAD', 200],
  ['list, unknown parameter', 400],
  ['cancel, no body', 200],
  ['cancel, again', 400],
  ['notification', 200],
  ['notification, no slash', 200],
  ['notification, forged', 403],
  ['notification, no JSON', 400],
  ['settled', 200],
  ['unknown payment', 404],
  ['unknown path', 404],
  ['other method', 405],
  ['another caller', 404],
] as const

class Transcript {
  readonly lines: Line[] = []
  readonly #base: string
  readonly #hidden: string[] = []

  constructor(base: string) {
    this.#base = base
  }

  hide(text: unknown): void {
    this.#hidden.push(String(text))
  }

  async ask(request: string, method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const url = new URL(path.startsWith('/') ? path : `${this.#base}/${path}`, this.#base).href
    const headers = { 'x-request-id': REQUEST_ID, ...sent.headers }
    const answer = await send(method, url, { ...sent, headers })
    const kept = HEADERS.flatMap((name) => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, this.#plain(value)]]
    })
    this.lines.push({
      request,
      status: answer.status,
      headers: Object.fromEntries(kept) as Record<string, string>,
      body: answer.text === '' ? '' : (JSON.parse(this.#plain(answer.text)) as unknown),
    })
    return answer
  }

  #plain(text: string): string {
    const plain = this.#hidden.reduce((rest, hidden) => rest.replaceAll(hidden, '<hidden>'), text)
    return plain
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g, '<time>')
      .replaceAll(/cursor=[\w-]+/g, 'cursor=<cursor>')
  }
}

/** Asks the whole list at an address and notes what came. */
export async function transcriptOf(base: string, bench: TranscriptBench): Promise<Line[]> {
  const log = new Transcript(base)
  const charged = await charges(log, bench)
  await reads(log, charged)
  await notifications(log, bench, charged)
  await log.ask('unknown payment', 'GET', 'payments/00000000-0000-7000-8000-000000000000/')
  await log.ask('unknown path', 'GET', 'nowhere/')
  await log.ask('other method', 'DELETE', 'payments/')
  await log.ask('another caller', 'GET', `payments/${charged.first.id}/`, { as: 'budi' })
  return log.lines
}

interface Charged {
  first: Answer['body']
  second: Answer['body']
}

async function charges(log: Transcript, bench: TranscriptBench): Promise<Charged> {
  const orders = [bench.fresh('transcript'), bench.fresh('transcript')]
  for (const order of orders) log.hide(order)
  const [one, other] = await Promise.all(
    orders.map(async (order_id) => await bench.chargeOf('qris', { order_id })),
  )
  const key = bench.fresh('key')
  const first = await log.ask('charge', 'POST', 'charge/', { body: one, key })
  await log.ask('charge, same key', 'POST', 'charge/', { body: one, key })
  await log.ask('charge, key of another body', 'POST', 'charge/', { body: other, key })
  const second = await log.ask('charge, another', 'POST', 'charge/', { body: other })
  await log.ask('charge, invalid', 'POST', 'charge/', { body: { payment_type: 'beads' } })
  const text = { 'content-type': 'text/plain' }
  await log.ask('charge, no JSON', 'POST', 'charge/', { raw: 'hello', headers: text })
  // More than we take and less than the parsers of hosts take by themselves.
  const large = { ...other, metadata: { note: 'x'.repeat(80_000) } }
  await log.ask('charge, too large', 'POST', 'charge/', { body: large })
  await log.ask('charge, no slash and no caller', 'POST', 'charge', { body: one, as: '' })
  return { first: first.body, second: second.body }
}

async function reads(log: Transcript, { first, second }: Charged): Promise<void> {
  await log.ask('check_status', 'GET', `payments/${first.id}/check_status/`)
  await log.ask('check_status, no slash', 'GET', `payments/${first.id}/check_status`)
  const page = 'payments/?page_size=1&payment_type=qris'
  const list = await log.ask('list', 'GET', page)
  await log.ask('list, next page', 'GET', String(list.body['next']))
  await log.ask('list, HEAD', 'HEAD', page)
  await log.ask('list, unknown parameter', 'GET', 'payments/?colour=red')
  await log.ask('cancel, no body', 'POST', `payments/${second.id}/cancel/`)
  await log.ask('cancel, again', 'POST', `payments/${second.id}/cancel/`)
}

async function notifications(
  log: Transcript,
  { server_key }: TranscriptBench,
  { first }: Charged,
): Promise<void> {
  const fields = {
    order_id: String(first['order_id']),
    status_code: '200',
    gross_amount: String(first['gross_amount']),
  }
  const body: Json = {
    ...fields,
    transaction_id: first['transaction_id'],
    transaction_status: 'settlement',
    signature_key: signNotification(fields, server_key),
  }
  const anonymous = { as: '' }
  await log.ask('notification', 'POST', 'notification/', { body, ...anonymous })
  await log.ask('notification, no slash', 'POST', 'notification', { body, ...anonymous })
  const forged = { ...body, gross_amount: '1.00' }
  await log.ask('notification, forged', 'POST', 'notification/', { body: forged, ...anonymous })
  await log.ask('notification, no JSON', 'POST', 'notification/', { body: [], ...anonymous })
  await log.ask('settled', 'GET', `payments/${first.id}/`)
}
