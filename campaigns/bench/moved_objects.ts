// Objects of every kind of an owner that will be moved, made through the API.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SERVER_KEY } from '../../bench/orders.ts'
import { GatewayClient } from '../../packages/service/src/gateway/client.ts'
import { chargeInput, savedCardToken } from './charge_inputs.ts'
import { createCheckout, WAITING } from './checkout_stories.ts'
import { Client, type Answer, type Wish } from './client.ts'
import { CLIENT_KEY, SECOND_PERSON_ABOVE } from './deployment.ts'
import { GatewayWitness } from './gateway_witness.ts'
import { CheckoutLog, type CampaignCaller } from './intents.ts'
import type { Random } from './random.ts'

const WITHIN_MS = 30_000
const LOOK_MS = 100
const DUE_DAYS = 20
export const REFUND = 20_000
const REQUEST = /refund request ([0-9a-f-]{36})/
const TWICE = 'moved-twice'

/** The owner's receiver of webhooks. */
interface Receiver {
  url: string
  /** How often each event arrived, by path and event. */
  received: Map<string, number>
  /** While it is on, /billing asks to be left alone for an hour. */
  busy: boolean
}

interface Place {
  url: string
  simulator_url: string
  caller: CampaignCaller
  /** Of staff, in the cell where the owner is and in the one that it is moved to. */
  staff_keys: { old: string; new: string }
  random: Random
}

export interface MovedObjects extends Place {
  receiver: Receiver
  client: Client
  witness: GatewayWitness
  /** Requests with a key that were answered: a repeat gets the same answer. */
  answered: { what: string; wish: Wish; answer: Answer }[]
  /** By what they are. */
  ids: Map<string, string>
  /** When the first one was made. */
  since: Date
}

/** Makes all of them; when it returns, nothing of them is at work. */
export async function makeObjects(place: Place): Promise<MovedObjects> {
  const { url, caller, random, simulator_url } = place
  const made: MovedObjects = {
    ...place,
    receiver: await startReceiver(),
    client: new Client({ urls: [url], api_key: caller.api_key, random, rate: 100 }),
    witness: new GatewayWitness(simulator_url),
    answered: [],
    ids: new Map(),
    since: new Date(),
  }
  const notification_url = `${url}/notification/`
  const portal = { notification_url, recurring_notification_url: notification_url }
  await made.witness.settings(portal)
  for (const [name, types] of [
    ['all', undefined],
    ['billing', ['invoice_created', 'invoice_voided']],
  ] as const) {
    const body = { url: `${made.receiver.url}/${name}`, types }
    await post(made, `endpoint ${name}`, { path: '/webhook_endpoints/', body })
  }
  await makePayment(made)
  await makeSubscription(made)
  await makeCheckouts(made)
  await makeInvoices(made)
  return made
}

async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', received: new Map(), busy: false }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const path = request.url ?? ''
      if (receiver.busy && path === '/billing') {
        response.writeHead(503, { 'retry-after': '3600' }).end()
        return
      }
      const name = `${path} ${String(request.headers['webhook-id'])}`
      receiver.received.set(name, (receiver.received.get(name) ?? 0) + 1)
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receiver
}

export async function until<Value>(
  what: string,
  look: () => Promise<Value | undefined>,
): Promise<Value> {
  const end = performance.now() + WITHIN_MS
  for (;;) {
    const value = await look()
    if (value !== undefined) return value
    if (performance.now() > end) throw new Error(`${what}: it did not happen`)
    await sleep(LOOK_MS)
  }
}

type Row = Record<string, unknown>

export async function ask({ client }: MovedObjects, what: string, wish: Wish): Promise<Answer> {
  const answer = await client.wish(wish)
  if (answer === undefined) throw new Error(`${what}: it was never answered`)
  return answer
}

/** Must succeed; what it made is known by its name, and a request with a key is repeated later. */
export async function post(
  made: MovedObjects,
  what: string,
  given: Omit<Wish, 'method'>,
): Promise<Row> {
  const wish: Wish = { ...given, method: 'POST' }
  const answer = await ask(made, what, wish)
  const { status, body } = answer
  if (status >= 300) throw new Error(`${what}: answered ${status} ${JSON.stringify(body)}`)
  if (wish.key !== undefined) made.answered.push({ what, wish, answer })
  if (typeof body['id'] === 'string' && !made.ids.has(what)) made.ids.set(what, body['id'])
  return body
}

export const idOf = ({ ids }: MovedObjects, what: string): string => ids.get(what) ?? ''

async function list(made: MovedObjects, path: string, api_key?: string): Promise<Row[]> {
  const wish = { method: 'GET', path, ...(api_key !== undefined && { api_key }) } as const
  const { body } = await ask(made, path, wish)
  return (body['results'] ?? []) as Row[]
}

/** Paid and partly refunded, with a note of staff, and a refund that waits for a second person. */
async function makePayment(made: MovedObjects): Promise<void> {
  const { witness, staff_keys } = made
  const charge = { path: '/charge/', body: chargeInput('qris'), key: 'moved-charge' }
  const { order_id } = await post(made, 'payment', charge)
  await witness.control(`transactions/${String(order_id)}/pay`)
  const path = `/payments/${idOf(made, 'payment')}/`
  await until('payment', async () => {
    const { body } = await ask(made, 'payment', { method: 'GET', path })
    return body['is_paid'] === true ? true : undefined
  })
  const refund = { amount: REFUND, reason: 'returned' }
  await post(made, 'refund', { path: `${path}refund/`, body: refund, key: 'moved-refund' })
  for (const key of ['moved-held', 'moved-held-again']) {
    const body = { amount: SECOND_PERSON_ABOVE + 5_000, reason: 'broken' }
    const wish = { method: 'POST', path: `${path}refund/`, body, key } as const
    const answer = await ask(made, 'held refund', wish)
    const request_id = REQUEST.exec(JSON.stringify(answer.body))?.[1]
    if (request_id === undefined) throw new Error(`held refund: ${JSON.stringify(answer.body)}`)
    made.ids.set('held refund', request_id)
  }
  const note = { path: `/staff${path}notes/`, body: { text: 'called' }, api_key: staff_keys.old }
  await post(made, 'note', note)
}

async function makeSubscription(made: MovedObjects): Promise<void> {
  const { simulator_url, witness } = made
  const gateway = new GatewayClient({
    server_key: SERVER_KEY,
    client_key: CLIENT_KEY,
    base_url: simulator_url,
    card_data: true,
  })
  const body = {
    name: 'Teh Harian',
    amount: 50_000,
    payment_type: 'credit_card',
    token: await savedCardToken(gateway),
    interval: 1,
    interval_unit: 'month',
    max_interval: 12,
  }
  await gateway.close()
  const given = { path: '/subscriptions/', body, key: 'moved-subscription' }
  const { gateway_subscription_id } = await post(made, 'subscription', given)
  await witness.control(`subscriptions/${String(gateway_subscription_id)}/cycle`)
  const charged = `/payments/?subscription_id=${idOf(made, 'subscription')}`
  await until('cycle', async () => (await list(made, charged)).at(0))
}

/** One that is open, and one that was paid twice, of which staff are alarmed. */
async function makeCheckouts(made: MovedObjects): Promise<void> {
  const { client, caller, witness, staff_keys } = made
  for (const [what, order_id] of [
    ['checkout', 'moved-open'],
    ['checkout paid twice', TWICE],
  ] as const) {
    const answer = await createCheckout({ client, caller, log: new CheckoutLog() }, order_id)
    made.ids.set(what, String(answer?.body['id']))
  }
  const chosen: string[] = []
  for (const method of WAITING.slice(0, 2)) {
    const reply = await witness.control(`checkouts/${TWICE}/choose`, { method })
    chosen.push(((await reply.json()) as { transaction_id: string }).transaction_id)
  }
  for (const id of chosen) await witness.control(`transactions/${id}/pay`)
  const alarm = await until('alarm', async () => {
    const alarms = await list(made, '/staff/alarms/', staff_keys.old)
    return alarms.find(({ owner_id }) => owner_id === caller.owner_id)
  })
  made.ids.set('alarm', String(alarm['id']))
}

/**
 * Two open ones. The event of the first is received; the second one's is set aside, and a repeat of
 * the first waits, because their receiver wants no request for an hour.
 */
async function makeInvoices(made: MovedObjects): Promise<void> {
  const { receiver } = made
  const due_date = new Date(Date.now() + DUE_DAYS * 86_400_000).toISOString().slice(0, 10)
  const items = [{ item_id: 'lamp', description: 'Lamp', price: 75_000, quantity: 2 }]
  const body = { customer_name: 'Budi', customer_email: 'budi@example.com', due_date, items }
  const deliveries = `/webhook_deliveries/?endpoint_id=${idOf(made, 'endpoint billing')}`
  const attempted = async (outcome: string) =>
    await until(outcome, async () =>
      (await list(made, deliveries)).find((one) => one['outcome'] === outcome),
    )
  await post(made, 'invoice', { path: '/invoices/', body, key: 'moved-invoice' })
  const { id: delivery_id, event_id } = await attempted('delivered')
  receiver.busy = true
  await post(made, 'second invoice', { path: '/invoices/', body, key: 'moved-invoice-2' })
  const failed = await attempted('failed')
  made.ids.set('event set aside', String(failed['event_id']))
  const resend = `/webhook_endpoints/${idOf(made, 'endpoint billing')}/resend/`
  await post(made, 'resend', { path: resend, body: { delivery_id } })
  made.ids.set('event sent again', String(event_id))
  // The worker of the old cell rests for an hour all the same; the new one begins without a rest.
  receiver.busy = false
}
