// Sixteen clients on four payments: refunds, steps and batches of notifications at once, as API
// processes, workers and the inbox writer would. A single deadlock would reject and fail the test.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sumMoney, type Money } from '../../src/domain/money.ts'
import { appendEvent } from '../../src/store/events/outbox.ts'
import { newId } from '../../src/store/sql/values.ts'
import {
  findDuplicates,
  findRepeated,
  insertNotifications,
} from '../../src/store/notifications/rows.ts'
import { finishOperation, insertOperation } from '../../src/store/operations/rows.ts'
import { claimDueChecks, checkPaymentsNow } from '../../src/store/payments/checks.ts'
import { changePayment } from '../../src/store/payments/transitions.ts'
import { lockPayment, lockPaymentsByOrderIds } from '../../src/store/payments/locks.ts'
import {
  finishRefund,
  insertRefund,
  listRefunds,
  releaseRefund,
  reserveRefund,
} from '../../src/store/refunds/rows.ts'
import { applyReportedRefunds } from '../../src/store/refunds/reports.ts'
import { readClock } from '../../src/store/connection/settings.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import { appendTransitions, listTransitions } from '../../src/store/events/history.ts'
import { addPaidPayment, newNotification, newOperation, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase({ statement_timeout_ms: 15_000 })

const CLIENTS = 16
const ROUNDS = 12
const CAPTURED = 1_000n

/** One step of a payment, with its history and its event, as every caller writes it. */
async function step(tx: Tx, id: string): Promise<void> {
  const payment = there(await lockPayment(tx, id))
  const changed = there(await changePayment(tx, payment, { transaction_status: 'settlement' }))
  await appendTransitions(tx, [
    {
      object_kind: 'payment',
      object_id: id,
      owner_id: payment.owner_id,
      version: changed.version,
      from_status: payment.transaction_status,
      to_status: changed.transaction_status,
      source: 'check_status',
      evidence_id: null,
      reason: null,
    },
  ])
  await appendEvent(tx, {
    id: newId(),
    type: 'payment_settled',
    object_kind: 'payment',
    object_id: id,
    object: changed,
    previous_status: payment.transaction_status,
    source: 'check_status',
    notification_id: null,
  })
}

/** A refund in two transactions, between which the gateway accepts, refuses or does not answer. */
async function refund(id: string, amount: Money, answer: 'yes' | 'no' | 'none'): Promise<void> {
  const begun = await here.do(async (tx) => {
    const payment = there(await lockPayment(tx, id))
    if ((await reserveRefund(tx, id, amount)) === undefined) return undefined
    const row = { payment_id: id, owner_id: payment.owner_id, refund_key: newId(), amount }
    const made = there(
      await insertRefund(tx, { ...row, id: newId(), reason: 'returned', is_direct: false }),
    )
    const operation = newOperation(id, { kind: 'refund', refund_id: made.id })
    return { made, operation: there(await insertOperation(tx, operation, 60_000)) }
  })
  if (begun === undefined || answer === 'none') return
  await here.do(async (tx) => {
    await lockPayment(tx, id)
    const state = answer === 'yes' ? 'succeeded' : 'refused'
    await finishOperation(tx, begun.operation, { state, reply: null })
    if (answer === 'yes') {
      await applyReportedRefunds(tx, id, [{ ...begun.made, id: newId() }])
      return
    }
    const end = { status_code: null, status_message: null, confirmed_at: null } as const
    if ((await finishRefund(tx, begun.made.id, { ...end, status: 'failed' })) === undefined) return
    await releaseRefund(tx, id, amount)
  })
}

/** A batch as the inbox writer makes it: several orders, one of them unknown. */
async function notify(ids: readonly string[]): Promise<void> {
  const batch = [...ids, 'unknown'].map((id) => newNotification({ order_id: `order-${id}` }))
  await here.do(async (tx) => {
    const orders = batch.map(({ order_id }) => order_id ?? '')
    const payments = await lockPaymentsByOrderIds(tx, orders)
    await findDuplicates(tx, await findRepeated(tx, batch))
    await insertNotifications(tx, batch, await readClock(tx))
    for (const { id } of payments) await checkPaymentsNow(tx, [id])
    for (const { id } of payments) await step(tx, id)
  })
}

/** The gateway's list: our open refunds are done, and one was made on its dashboard. */
async function report(id: string, amount: Money): Promise<void> {
  await here.do(async (tx) => {
    await lockPayment(tx, id)
    const known = (await listRefunds(tx, id)).filter(({ status }) => status !== 'failed')
    const elsewhere = { id: newId(), refund_key: newId(), amount, reason: 'by hand' }
    await applyReportedRefunds(tx, id, [
      ...known.map((one) => ({ ...one, id: newId() })),
      { ...elsewhere, is_direct: false, confirmed_at: null },
    ])
  })
}

const action = fc.record({
  kind: fc.constantFrom('step', 'refund', 'notify', 'report', 'sweep'),
  which: fc.nat(3),
  amount: fc.bigInt(1n, 120n),
  answer: fc.constantFrom('yes' as const, 'no' as const, 'none' as const),
})

type Action = typeof action extends fc.Arbitrary<infer One> ? One : never

async function perform(ids: readonly string[], { kind, which, amount, answer }: Action) {
  const id = ids[which] ?? ''
  if (kind === 'step') await here.do(async (tx) => await step(tx, id))
  else if (kind === 'refund') await refund(id, amount, answer)
  // Given in any order: the lock function sorts.
  else if (kind === 'notify') await notify([...ids.slice(which), ...ids.slice(0, which)])
  else if (kind === 'report') await report(id, amount)
  else await here.do(async (tx) => await claimDueChecks(tx, { limit: 4, lease_ms: 1 }))
}

test('16 clients on 4 payments: no deadlock, no lost step, refunds within what was captured', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: ROUNDS, maxLength: ROUNDS }), {
        minLength: CLIENTS,
        maxLength: CLIENTS,
      }),
      async (clients) => {
        const ids: string[] = []
        for (let count = 0; count < 4; count++) {
          ids.push((await here.do(async (tx) => await addPaidPayment(tx, CAPTURED))).id)
        }
        await Promise.all(
          clients.map(async (actions) => {
            for (const one of actions) await perform(ids, one)
          }),
        )
        for (const id of ids) await here.do(async (tx) => await expectSound(tx, id))
      },
    ),
    { numRuns: 4, endOnFailure: true },
  )
}, 120_000)

async function expectSound(tx: Tx, id: string): Promise<void> {
  const payment = there(await lockPayment(tx, id))
  const refunds = await listRefunds(tx, id)
  const sum = (status: string): Money =>
    sumMoney(refunds.filter((one) => one.status === status).map(({ amount }) => amount))
  expect(payment.refunded_amount).toBe(sum('succeeded'))
  expect(payment.refund_reserved_amount).toBe(sum('pending'))
  expect(sum('succeeded') + sum('pending')).toBeLessThanOrEqual(CAPTURED)
  // Two versions before the first of these steps; after it one row for each.
  const versions = (await listTransitions(tx, id)).map(({ version }) => version)
  expect(versions).toEqual(Array.from({ length: payment.version - 2 }, (_, index) => index + 3))
  const [events] = await tx.query<{ count: number; highest: number }>(
    `select count(*)::integer as count, coalesce(max(sequence), 0) as highest
     from gapura.gateway_event
     where object_id = $1`,
    [id],
  )
  expect(events).toEqual({ count: versions.length, highest: versions.length })
}
