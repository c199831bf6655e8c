import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Gapura, SignalEnvelope } from 'gapura'

/** A running service to be judged, and who may speak to it. */
export interface Deployment {
  /** With the prefix, without a slash at the end. */
  base_url: string
  /** Headers of three callers: an owner, another owner, and staff. */
  owner: Record<string, string>
  other: Record<string, string>
  staff: Record<string, string>
  /** The gateway's side: payer, bank and clock; without it only what needs no payer is checked. */
  simulator_url: string | null
  /** Null where another process runs the service: signals, tasks and layers cannot be seen then. */
  inside: Inside | null
}

/** The service in this process. */
export interface Inside {
  gapura: Gapura
  gateway: { server_key: string; client_key: string; base_url: string }
  /** Everything its worker delivered to a subscriber of every signal. */
  delivered: readonly SignalEnvelope[]
}

export function insideOf({ inside }: Deployment): Inside {
  assert(inside !== null, 'needs the service in this process')
  return inside
}

const DEADLINE_MS = 20_000
const LOOK_EVERY_MS = 25

/** Looks again until there is a result; fails with what was awaited. */
export async function until<Found>(
  awaited: string,
  look: () => Promise<Found | undefined> | Found | undefined,
): Promise<Found> {
  const end = Date.now() + DEADLINE_MS
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    assert(Date.now() < end, `${awaited} did not happen within ${DEADLINE_MS} ms`)
    await sleep(LOOK_EVERY_MS)
  }
}

export interface Reply {
  status: number
  body: Record<string, unknown>
  headers: Headers
}

/** One request as a caller of the service would make it. */
export async function ask(
  { base_url, owner }: Deployment,
  line: string,
  { body, as = owner }: { body?: unknown; as?: Record<string, string> } = {},
): Promise<Reply> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const reply = await fetch(base_url + path, {
    method,
    redirect: 'manual',
    headers: { ...as, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  const json: unknown = text === '' ? {} : JSON.parse(text)
  return { status: reply.status, body: json as Record<string, unknown>, headers: reply.headers }
}

/** The payer, the bank and the clock; a GET without a body. */
export async function simulate(
  deployment: Deployment,
  path: string,
  body: object | null = {},
): Promise<Record<string, unknown>> {
  assert(deployment.simulator_url !== null, 'needs the simulator')
  const reply = await fetch(`${deployment.simulator_url}/_sim/${path}`, {
    headers: { 'content-type': 'application/json' },
    ...(body !== null && { method: 'POST', body: JSON.stringify(body) }),
  })
  const answer = (await reply.json()) as Record<string, unknown>
  assert(reply.ok, `${path}: ${JSON.stringify(answer)}`)
  return answer
}

/** An order as the gateway holds it. */
export const atGateway = async (deployment: Deployment, order_id: string) =>
  await simulate(deployment, `transactions/${order_id}`, null)

export type Payment = Record<string, string> & { items: Record<string, unknown>[] }

const VA = { payment_type: 'bank_transfer', bank: 'bca', gross_amount: 50_000 }

/** A charge that succeeds, with whatever is to be different about it. */
export async function charge(deployment: Deployment, more: object = {}): Promise<Payment> {
  const { status, body } = await ask(deployment, 'POST /charge/', { body: { ...VA, ...more } })
  assert.equal(status, 201, JSON.stringify(body))
  return body as Payment
}

/** The payment as the service shows it now. */
export async function paymentNow(deployment: Deployment, id: string): Promise<Payment> {
  const { status, body } = await ask(deployment, `GET /payments/${id}/`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as Payment
}

/** A GoPay charge the payer has paid, as the service has learned it by asking. */
export async function settled(deployment: Deployment, more: object = {}): Promise<Payment> {
  const payment = await charge(deployment, { payment_type: 'gopay', bank: undefined, ...more })
  await simulate(deployment, `transactions/${payment['order_id']}/pay`)
  const { body } = await ask(deployment, `GET /payments/${payment['id']}/check_status/`)
  return body['payment'] as Payment
}

const CLIENT_KEY = 'SB-Mid-client-simulator'
const CARD = { card_number: '4811111111111114', card_exp_month: '12', card_exp_year: '2035' }

/** What the customer's browser gets from the gateway: a token for one charge, or of a saved card. */
async function browser(deployment: Deployment, path: string, more: object): Promise<string> {
  const query = new URLSearchParams({ client_key: CLIENT_KEY, ...CARD, ...more })
  const reply = await fetch(`${deployment.simulator_url}/v2/${path}?${query.toString()}`)
  const { token_id, saved_token_id } = (await reply.json()) as Record<string, string>
  const token = token_id ?? saved_token_id
  assert(token !== undefined, 'the gateway gave no token')
  return token
}

export const cardToken = async (deployment: Deployment, more: object = {}): Promise<string> =>
  await browser(deployment, 'token', { card_cvv: '123', ...more })

export const savedToken = async (deployment: Deployment): Promise<string> =>
  await browser(deployment, 'card/register', {})

/** A card charge, by default captured at once and without 3-D Secure. */
export const cardCharge = async (deployment: Deployment, more: object = {}): Promise<Payment> =>
  await charge(deployment, {
    payment_type: 'credit_card',
    bank: undefined,
    token_id: await cardToken(deployment),
    authentication: false,
    ...more,
  })
