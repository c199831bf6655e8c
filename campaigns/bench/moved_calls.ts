// A call on each object of an owner that was moved, in the new cell, and what it lacks there.
import type { Pool } from 'pg'
import type { Wish } from './client.ts'
import { ask, idOf, post, REFUND, until, type MovedObjects } from './moved_objects.ts'

/** A call on one object of each kind, and every repeat: what did not succeed. */
export async function useObjects(made: MovedObjects, pool: Pool): Promise<string[]> {
  const faults: string[] = []
  const steps = [
    async () => await allReceived(made, pool),
    ...made.answered.map((one) => async () => await repeat(made, one)),
    ...callsOn(made).map(
      ([what, path, given]) =>
        async () =>
          await post(made, what, { path, ...given }),
    ),
    async () => await seeNote(made),
    async () => await received(made, 'event set aside', 1),
    async () => await received(made, 'event sent again', 2),
  ]
  for (const step of steps) {
    await step().catch((error: unknown) => faults.push(`in the new cell ${String(error)}`))
  }
  return faults
}

/** Waits until the owner's endpoint has received every event since it exists, in either cell. */
async function allReceived({ receiver, caller, since }: MovedObjects, pool: Pool): Promise<void> {
  let missing = 0
  const look = async (): Promise<true | undefined> => {
    const { rows } = await pool.query<{ id: string }>(
      'select id from gapura.gateway_event where owner_id = $1 and occurred_at >= $2',
      [caller.owner_id, since],
    )
    missing = rows.filter(({ id }) => !receiver.received.has(`/all ${id}`)).length
    return missing === 0 ? true : undefined
  }
  await until('all events', look).catch(() => {
    throw new Error(`${missing} events were never received by the endpoint of the owner`)
  })
}

/** The answer is the stored one, and nothing is done again. */
async function repeat(
  made: MovedObjects,
  { what, wish, answer }: MovedObjects['answered'][number],
): Promise<void> {
  const { status, body, replayed } = await ask(made, what, wish)
  const same = JSON.stringify(body) === JSON.stringify(answer.body)
  if (status === answer.status && replayed && same) return
  throw new Error(`repeat of ${what}: answered ${status} ${JSON.stringify(body)}`)
}

type Call = readonly [what: string, path: string, given?: Partial<Wish>]

function callsOn(made: MovedObjects): Call[] {
  const api_key = made.staff_keys.new
  const body = { reason: 'after the move' }
  const refund = { body: { amount: REFUND, ...body }, key: 'after-1' }
  const of = (what: string): string => idOf(made, what)
  const billing = `/webhook_endpoints/${of('endpoint billing')}`
  return [
    ['refund of a payment', `/payments/${of('payment')}/refund/`, refund],
    [
      'approval of a held refund',
      `/staff/refund_requests/${of('held refund')}/approve/`,
      { body, api_key },
    ],
    ['void of an invoice', `/invoices/${of('invoice')}/void/`, { body }],
    ['end of a subscription', `/subscriptions/${of('subscription')}/cancel/`],
    ['cancel of a checkout', `/checkouts/${of('checkout')}/cancel/`],
    ['close of an alarm', `/staff/alarms/${of('alarm')}/close/`, { body, api_key }],
    ['enabling of an endpoint', `${billing}/enable/`],
    ['test of an endpoint', `${billing}/test/`],
  ]
}

async function seeNote(made: MovedObjects): Promise<void> {
  const path = `/staff/payments/${idOf(made, 'payment')}/`
  const api_key = made.staff_keys.new
  const { body } = await ask(made, 'note', { method: 'GET', path, api_key })
  if (!JSON.stringify(body).includes('called')) throw new Error('note: staff do not see it')
}

async function received(made: MovedObjects, what: string, times: number): Promise<void> {
  const name = `/billing ${idOf(made, what)}`
  await until(what, async () => {
    const arrived = made.receiver.received.get(name) ?? 0
    return await Promise.resolve(arrived >= times ? true : undefined)
  })
}

/** Charges that were paid and are not settled in the new cell, with our answers to the gateway. */
export async function findUnsettled(
  { witness }: MovedObjects,
  pool: Pool,
  paid: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query<{ order_id: string }>(
    `select given as order_id
     from unnest($1::text[]) as given
     where not exists (
       select from gapura.gateway_payment
       where order_id = given and transaction_status = 'settlement'
     )`,
    [paid],
  )
  const [first] = rows
  if (first === undefined) return []
  const answers = await witness.answersTo(first.order_id)
  return [
    `${rows.length} paid charges are not settled in the new cell, as ${first.order_id}: its notification was answered ${answers.join(', ')}`,
  ]
}
