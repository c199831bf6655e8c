// Status checks in the gateway's own ledger: within the budget, and with the right results.
import { strictEqual } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { GatewayWitness } from '../../campaigns/bench/gateway_witness.ts'

/** Checks in flight when one side's clock has ticked and the other's has not. */
const SLACK = 10

/** Time of each check in milliseconds. */
export async function askedAt(gateway_url: string): Promise<number[]> {
  const calls = await new GatewayWitness(gateway_url).calls()
  return calls.filter(({ operation }) => operation === 'get_status').map(({ at }) => Date.parse(at))
}

const BEGIN_MS_MAX = 60_000

/** Waits for more than this many checks: a process that has started may not sweep yet. */
export async function askedMoreThan(gateway_url: string, count: number): Promise<void> {
  const until = performance.now() + BEGIN_MS_MAX
  while (performance.now() < until) {
    const reply = await fetch(`${gateway_url}/_sim/ledger/summary`)
    const { calls } = (await reply.json()) as { calls: Record<string, number> }
    if ((calls['get_status'] ?? 0) > count) return
    await sleep(50)
  }
  throw new Error('the sweep did not begin')
}

/**
 * Throws if any interval holds more checks than the budget allows: its rate, and the burst of one
 * second's worth after an idle time.
 */
export function checkBudget(asked: readonly number[], per_second: number): void {
  for (const [from, began] of asked.entries()) {
    for (let to = from; to < asked.length; to++) {
      const seconds = ((asked[to] ?? 0) - began) / 1_000
      const most = per_second * (seconds + 1) + SLACK
      const count = to - from + 1
      if (count > most) throw new Error(`${count} questions in ${seconds} s: ${most} are allowed`)
    }
  }
}

interface Found {
  order_id: string
  status: string
  checked: boolean
  events: string[]
}

/**
 * Throws unless every payment that was checked has the gateway's status: paid ones settled with one
 * event each, the others pending; and unless there are as many as the sweep reported.
 */
export async function checkSwept(
  pool: Pool,
  schema: string,
  { orders, paid, count }: { orders: readonly string[]; paid: ReadonlySet<string>; count: number },
): Promise<void> {
  const { rows } = await pool.query<Found>(
    `select order_id, transaction_status as status,
       -- A payment that was claimed but not checked in time has neither.
       check_attempts > 0 or transaction_status <> 'pending' as checked,
       array(select type from ${schema}.gateway_event
             where object_id = payment.id order by sequence) as events
     from ${schema}.gateway_payment as payment
     where order_id = any($1)`,
    [orders],
  )
  const checked = rows.filter((row) => row.checked)
  for (const { order_id, status, events } of checked) {
    const settled = paid.has(order_id)
    const expected = settled ? 'payment_received payment_settled' : 'payment_received'
    strictEqual(
      `${status} ${events.join(' ')}`,
      `${settled ? 'settlement' : 'pending'} ${expected}`,
    )
  }
  strictEqual(checked.length, count, 'the sweep says another number')
}
