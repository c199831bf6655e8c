// The operations whose cost is counted, each sent over HTTP as a caller sends it, and each checked
// against its rows afterwards.
import { strictEqual } from 'node:assert/strict'
import type { Pool } from 'pg'
import { GatewayWitness } from '../../campaigns/bench/gateway_witness.ts'
import { chargesOf, ordersOf } from '../charge_requests.ts'
import { checkCharges } from '../check_charges.ts'
import { checkRows } from '../check_rows.ts'
import type { LoadRequest, LoadResult } from '../load_child.ts'
import { addOrders, reportsOf } from '../orders.ts'
import { send } from '../processes.ts'

/** One service over one database, with its gateway and a caller. */
export interface Place {
  pool: Pool
  schema: string
  service_url: string
  gateway_url: string
  headers: { authorization: string }
}

/** Requests that are ready to be sent, and the check of their answers. */
export interface Prepared {
  requests: LoadRequest[]
  check: (answers: LoadResult['answers']) => Promise<void>
}

export interface Operation {
  name: string
  connections: number
  prepare: (place: Place, round: string, count: number) => Promise<Prepared>
}

async function webhooks({ pool, schema }: Place, round: string, count: number): Promise<Prepared> {
  await addOrders(pool, schema, { prefix: round, count })
  const reports = reportsOf(round, count)
  return {
    requests: reports.map(({ body }) => ({ path: '/notification/', body })),
    check: async (answers) => await checkRows(pool, schema, { reports, answers }),
  }
}

/** Only reports that settle a payment, so that every one costs the same. */
async function settlements(place: Place, round: string, count: number): Promise<Prepared> {
  const { requests } = await webhooks(place, round, count * 2)
  const first = requests.filter(({ body = '' }, at) => {
    return !body.includes('unknown-') && body !== requests[at - 1]?.body
  })
  return { requests: first.slice(0, count), check: allAnswered(200) }
}

async function charges({ pool, schema }: Place, round: string, count: number): Promise<Prepared> {
  const orders = ordersOf(round, count)
  return {
    requests: chargesOf(orders),
    check: async (answers) => await checkCharges(pool, schema, { orders, answers }),
  }
}

const allAnswered = (status: number) => async (answers: LoadResult['answers']) => {
  const other = answers.find((answer) => answer.status !== status)
  strictEqual(other, undefined, `answered ${other?.status}: ${other?.body}`)
}

/** The ids of new payments, charged and paid through the service. */
async function paid(place: Place, round: string, count: number): Promise<string[]> {
  const { service_url, gateway_url, headers } = place
  const order = { urls: [service_url], connections: 4, headers }
  const requests = chargesOf(ordersOf(round, count)).map(({ body = '', ...request }) => ({
    ...request,
    body: JSON.stringify({
      ...(JSON.parse(body) as object),
      payment_type: 'gopay',
      bank: undefined,
    }),
  }))
  const { answers } = await send(order, requests)
  await allAnswered(201)(answers)
  const ids = answers.map(({ body }) => (JSON.parse(body) as { id: string }).id)
  const witness = new GatewayWitness(gateway_url)
  for (const order_id of ordersOf(round, count)) {
    await witness.control(`transactions/${order_id}/pay`)
  }
  const looks = ids.map((id) => ({ path: `/payments/${id}/check_status/` }))
  await allAnswered(200)((await send(order, looks)).answers)
  return ids
}

const refunds = async (place: Place, round: string, count: number): Promise<Prepared> => ({
  requests: (await paid(place, round, count)).map((id) => ({
    path: `/payments/${id}/refund/`,
    headers: { 'idempotency-key': `refund-${id}` },
    body: JSON.stringify({ amount: 50_000, reason: 'returned' }),
  })),
  check: allAnswered(200),
})

async function reads(place: Place, round: string, count: number): Promise<Prepared> {
  const orders = ordersOf(round, 8)
  const { service_url, headers } = place
  const order = { urls: [service_url], connections: 4, headers }
  const { answers } = await send(order, chargesOf(orders))
  const ids = answers.map(({ body }) => (JSON.parse(body) as { id: string }).id)
  const requests = Array.from({ length: count }, (_, n) => ({
    path: `/payments/${ids[n % ids.length]}/`,
  }))
  return { requests, check: allAnswered(200) }
}

/** Alone: one connection. Under load: as many as a busy service has. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'webhook alone', connections: 1, prepare: settlements },
  { name: 'webhook under load', connections: 256, prepare: settlements },
  { name: 'charge alone', connections: 1, prepare: charges },
  { name: 'charge under load', connections: 64, prepare: charges },
  { name: 'refund alone', connections: 1, prepare: refunds },
  { name: 'read alone', connections: 1, prepare: reads },
]
