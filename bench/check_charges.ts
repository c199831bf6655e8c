// Compares an answered charge with its rows, and checks that the gateway made it exactly once.
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import type { Pool } from 'pg'
import { GatewayWitness } from '../campaigns/bench/gateway_witness.ts'
import type { LoadResult } from './load_child.ts'

interface Row {
  id: string
  order_id: string
  status: string
  operations: string[]
  steps: string[]
  events: string[]
  reply: string
}

interface Charged {
  orders: readonly string[]
  answers: LoadResult['answers']
}

/** Throws unless each was answered 201 with its own payment, and all its rows exist. */
export async function checkCharges(
  pool: Pool,
  schema: string,
  { orders, answers }: Charged,
): Promise<void> {
  const refused = answers.filter(({ status }) => status !== 201)
  strictEqual(refused.length, 0, `${refused.length} refused, one with ${refused[0]?.body}`)
  const { rows } = await pool.query<Row>(
    `select payment.id, payment.order_id, transaction_status as status, kept.body as reply,
       array(select kind || ' ' || state from ${schema}.gateway_operation
             where subject_id = payment.id) as operations,
       array(select to_status from ${schema}.gateway_transition
             where object_id = payment.id order by version) as steps,
       array(select type from ${schema}.gateway_event
             where object_id = payment.id order by sequence) as events
     from ${schema}.gateway_payment as payment
     join ${schema}.gateway_operation as keyed on keyed.intent_key = payment.order_id
     join ${schema}.operation_reply as kept on kept.operation_id = keyed.id
     where payment.order_id = any($1) and kept.code = 201`,
    [orders],
  )
  strictEqual(rows.length, orders.length, 'payments do not equal acknowledgements')
  const stored = new Map(rows.map((row) => [row.order_id, row]))
  orders.forEach((order_id, at) => {
    const { body = '' } = answers[at] ?? {}
    const { id } = JSON.parse(body) as { id: string }
    deepStrictEqual(stored.get(order_id), {
      id,
      order_id,
      status: 'pending',
      operations: ['charge succeeded'],
      steps: ['initiated', 'pending'],
      events: ['payment_received'],
      reply: body,
    })
  })
}

/** Throws unless the gateway received one charge for each of these orders, and for no other. */
export async function checkLedger(gateway_url: string, orders: readonly string[]): Promise<void> {
  const calls = await new GatewayWitness(gateway_url).calls()
  const made = calls.filter(({ operation }) => operation === 'charge')
  strictEqual(made.length, orders.length, 'the gateway was asked more often than there are orders')
  const known = new Set(made.map(({ order_id, work_done }) => (work_done ? order_id : undefined)))
  for (const order_id of orders) strictEqual(known.has(order_id), true, `${order_id} was not made`)
}
