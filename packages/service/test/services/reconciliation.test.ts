// Three-way matching end to end: charges through the service, the simulator's own balance, history and
// payouts, a statement of the bank, and what staff do about what differs.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jakartaDay, nextJakartaDayAt } from '../../src/domain/time.ts'
import { SharedParts } from '../../src/gateway/shared_parts.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { StatementClient } from '../../src/gateway/statements.ts'
import type { Context } from '../../src/services/context.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import {
  actOnException,
  approveReconciliation,
  undoReconciliation,
} from '../../src/services/reconciliation/exceptions.ts'
import { listExceptions, readPayout, readProofs } from '../../src/services/reconciliation/read.ts'
import { readException } from '../../src/services/reconciliation/represent.ts'
import { pickUpFound, reconcileAndPickUp } from '../../src/services/reconciliation/pick_up.ts'
import { reconcile } from '../../src/services/reconciliation/run.ts'
import { importStatement } from '../../src/services/statements/import_file.ts'
import { readStatements } from '../../src/services/statements/read_windows.ts'
import { checkInvariants } from '../../src/services/verify/check_invariants.ts'
import { readClock } from '../../src/store/connection/settings.ts'
import { BUDGET, useSweeps } from './sweep_bench.ts'

const bench = useSweeps()
const { service } = bench
const staffMember = (owner_id: string) => ({
  owner_id,
  staff: true,
  scopes: ['staff:read', 'staff:act'] as const,
})
const dewi = staffMember('dewi')
const budi = staffMember('budi')
const reason = 'seen in the contract'
let shared: SharedParts
let ctx: Context

const sql = async (text: string, values: unknown[] = []) => await service.database.sql(text, values)
const today = async (): Promise<string> => jakartaDay(await service.database.do(readClock))

const setNotices = async (notification_url: string): Promise<void> => {
  await fetch(`${service.simulator.url}/_sim/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ notification_url }),
  })
}

beforeAll(async () => {
  const keys = (await service.control('bi_snap/keys')) as never
  shared = new SharedParts({
    server_key: service.simulator.server_key,
    base_url: service.simulator.url,
    bi_snap: keys,
  })
  const client = new StatementClient(shared)
  ctx = {
    ...service.ctx,
    reconciliation: { second_person_above: 10_000_00n },
    statements: { client, balance: true, days_back: 2 },
  }
  // Webhooks are lost in this file: what is found, is found by matching.
  await setNotices('')
})
afterAll(async () => await shared.close())

const exceptions = async (cause: string) =>
  (
    await listExceptions(
      ctx,
      dewi,
      { cause, overdue: false, closed: false },
      { page_size: 100, cursor: null },
    )
  ).results

/** A day later: everything of the day before is read and compared. */
async function nextDay(): Promise<void> {
  await bench.pass(24 * 60 + 180)
  await sql('update gapura.statement_window set next_read_at = gapura.now()')
  await readStatements(ctx, { budget: BUDGET })
  await reconcile(ctx)
}

test('a payment whose webhook was lost is found, refreshed, matched, and the day is proved', async () => {
  const payment = await bench.charged('gopay')
  await bench.pay(payment)
  const day = await today()
  await nextDay()
  const found = (await exceptions('paid_there')).find(({ payment_id }) => payment_id === payment.id)
  expect(found).toMatchObject({ proposed_action: 'refresh', state: 'mismatched' })
  const after = await actOnException(ctx, dewi, payment.id, { action: 'refresh', reason })
  const booked = await sql(
    'select booked_received, settlement_time from gapura.gateway_payment where id = $1',
    [payment.id],
  )
  // The simulator rounds fees to hundredths and the rate card to rupiah: within the tolerance.
  expect(after).toMatchObject({ state: 'matched', cause: null, matched_by: 'transaction_id' })
  expect(booked).toHaveLength(1)
  await reconcile(ctx)
  const { days } = await readProofs(ctx, dewi, { from: day, to: day })
  expect(days).toMatchObject([{ day, state: 'proved', unexplained: '0.00' }])
})

test('a refund made on the portal after settlement is found and picked up', async () => {
  const payment = await bench.charged('gopay')
  await bench.pay(payment)
  await nextDay()
  await actOnException(ctx, dewi, payment.id, { action: 'refresh', reason })
  expect((await readException(ctx, dewi, payment.id))?.state).toBe('matched')
  await service.control(`transactions/${payment.order_id}/refund`, { amount: 10_000 })
  await nextDay()
  expect(await readException(ctx, dewi, payment.id)).toMatchObject({ cause: 'refunded_there' })
  const after = await actOnException(ctx, dewi, payment.id, { action: 'refresh', reason })
  expect(after).toMatchObject({ state: 'matched', cause: null })
  const [row] = await sql(
    'select booked_refunded::text as refunded from gapura.gateway_payment where id = $1',
    [payment.id],
  )
  expect(row).toEqual({ refunded: '10000.00' })
})

test('what only the gateway has is picked up without staff, and nothing is asked twice', async () => {
  const paid = await bench.charged('gopay')
  const expired = await bench.charged('gopay')
  await bench.pay(paid)
  const [row] = await sql(
    'select gross_amount::text as gross_amount from gapura.gateway_payment where id = $1',
    [expired.id],
  )
  const { order_id, transaction_id } = expired
  const fields = { order_id, status_code: '202', gross_amount: String(row?.['gross_amount']) }
  const signature_key = signNotification(fields, service.simulator.server_key)
  const over = { ...fields, signature_key, transaction_id, transaction_status: 'expire' }
  await receiveNotification(ctx, over)
  expect(await bench.statusOf(expired.id)).toBe('expire')
  await bench.pay(expired)
  await nextDay()
  expect((await exceptions('paid_there')).map(({ payment_id }) => payment_id)).toEqual(
    expect.arrayContaining([paid.id, expired.id]),
  )
  const { picked_up } = await reconcileAndPickUp(ctx, { budget: BUDGET })
  expect(picked_up).toBeGreaterThanOrEqual(2)
  const state = async (id: string) => (await readException(ctx, dewi, id))?.state
  expect([await state(paid.id), await state(expired.id)]).toEqual(['matched', 'matched'])
  await service.control(`transactions/${paid.order_id}/refund`, { amount: 10_000 })
  await nextDay()
  expect(await readException(ctx, dewi, paid.id)).toMatchObject({ cause: 'refunded_there' })
  await reconcileAndPickUp(ctx, { budget: BUDGET })
  const [after] = await sql(
    'select booked_refunded::text as refunded from gapura.gateway_payment where id = $1',
    [paid.id],
  )
  expect(after).toEqual({ refunded: '10000.00' })
  expect(await state(paid.id)).toBe('matched')
  expect(await pickUpFound(ctx, { budget: BUDGET })).toEqual({
    changed: 0,
    unchanged: 0,
    unreachable: 0,
  })
})

test('a payout is matched with the line of the bank, and moves to the bank account', async () => {
  // Money can be withdrawn some business days after it was settled, but not in the hour after midnight.
  await bench.pass(8 * 24 * 60)
  const now = await service.database.do(readClock)
  await bench.pass(Math.ceil((nextJakartaDayAt(now, 12).getTime() - now.getTime()) / 60_000))
  const payout = (await service.control('payouts', {})) as {
    amount: string
    bank_reference: string
  }
  await bench.pass(4 * 24 * 60)
  await nextDay()
  const [item] = await sql(
    `select id::text, state from gapura.reconciliation_item where kind = 'payout' and reference = $1`,
    [payout.bank_reference],
  )
  expect(item).toMatchObject({ state: 'expected' })
  const [whole = ''] = payout.amount.split('.')
  const short = (await today()).slice(2).replaceAll('-', '')
  const file = [
    ':20:STMT',
    ':25:0700000000001',
    ':28C:1/1',
    `:60F:C${short}IDR0,00`,
    `:61:${short}${short.slice(2)}C${payout.amount.replace('.', ',')}NTRFX`,
    `:86:DARI DOMPET ANAK BANGSA ${payout.bank_reference}`,
    `:62F:C${short}IDR${payout.amount.replace('.', ',')}`,
    '-',
    '',
  ].join('\n')
  const content_base64 = Buffer.from(file).toString('base64')
  const request = { caller: dewi, request_id: 'x', idempotency: null }
  await importStatement(ctx, request, { file_name: 'bank', format: 'mt940', content_base64 })
  await reconcile(ctx)
  const shown = await readPayout(ctx, dewi, String(item?.['id']))
  expect(shown).toMatchObject({ state: 'matched', stated: payout.amount, received: payout.amount })
  const [transit] = await sql(
    `select sum(case when destination = 'gateway:transit' then amount else -amount end)::text as left
     from gapura.ledger_posting where 'gateway:transit' in (source, destination)`,
  )
  expect(transit).toEqual({ left: '0.00' })
  expect(whole.length).toBeGreaterThan(4)
})

/** An exception about a fee of this size. */
async function feeException(fee: number): Promise<string> {
  const id = crypto.randomUUID()
  await sql(
    `insert into gapura.reconciliation_item
       (id, day, due_on, kind, state, cause, ours, theirs, fee, expected_fee, effect)
     values ($1, (gapura.now() - interval '1 day')::date, gapura.now()::date, 'payment',
       'mismatched', 'fee_differs', 100000, 100000, $2, 4440, -$2::numeric)`,
    [id, fee],
  )
  return id
}

const pendingMoved = async (action_id: string): Promise<string[]> =>
  (
    await sql(
      `select source || ' ' || destination || ' ' || amount as moved
       from gapura.ledger_posting where object_id = $1 order by version`,
      [action_id],
    )
  ).map(({ moved }) => String(moved))

test('a fee that is booked below the limit is posted at once, and undone by the opposite', async () => {
  const id = await feeException(5_000)
  const done = await actOnException(ctx, dewi, id, { action: 'post_fee', reason })
  expect(done).toMatchObject({ state: 'resolved', effect: '0.00', actions: [] })
  const [action] = done?.history ?? []
  expect(await pendingMoved(action?.id ?? '')).toEqual(['gateway:pending fee:gateway 5000.00'])
  await expect(actOnException(ctx, dewi, id, { action: 'accept', reason })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  for (let again = 0; again < 2; again++) {
    expect(await undoReconciliation(ctx, budi, action?.id ?? '', { reason })).toMatchObject({
      state: 'undone',
      undone_by: 'budi',
    })
  }
  expect(await pendingMoved(action?.id ?? '')).toEqual([
    'gateway:pending fee:gateway 5000.00',
    'fee:gateway gateway:pending 5000.00',
  ])
  expect(await readException(ctx, dewi, id)).toMatchObject({
    state: 'mismatched',
    effect: '-5000.00',
  })
})

test('above the limit nothing is posted until another staff member approves', async () => {
  const id = await feeException(20_000)
  const held = await actOnException(ctx, dewi, id, { action: 'post_fee', reason })
  expect(held).toMatchObject({ state: 'mismatched', waits_for_second_person: true })
  const action = held?.history[0]?.id ?? ''
  expect(await pendingMoved(action)).toEqual([])
  await expect(approveReconciliation(ctx, dewi, action, { reason })).rejects.toMatchObject({
    code: 'second_person_needed',
  })
  await expect(actOnException(ctx, budi, id, { action: 'accept', reason })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  for (let again = 0; again < 2; again++) {
    expect(await approveReconciliation(ctx, budi, action, { reason })).toMatchObject({
      state: 'done',
      decided_by: 'budi',
    })
  }
  expect(await pendingMoved(action)).toEqual(['gateway:pending fee:gateway 20000.00'])
  expect(await readException(ctx, dewi, id)).toMatchObject({ state: 'resolved' })
})

test('an action that does not fit the cause is refused', async () => {
  const id = await feeException(5_000)
  await expect(
    actOnException(ctx, dewi, id, { action: 'adopt', reason, owner_id: 'ani' }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
})

test('days count in business days: weekends and bank holidays are left out', async () => {
  const [row] = await sql(
    `select gapura.business_day_after('2026-03-17', 1)::text as after_leave,
       gapura.business_day_after('2026-08-14', 1)::text as after_independence`,
  )
  expect(row).toEqual({ after_leave: '2026-03-25', after_independence: '2026-08-18' })
})

test('the ledger is what was matched (I-43)', async () => {
  const checked = await checkInvariants(service.ctx.db)
  expect(checked.filter(({ id, violations }) => /^I-4[23]/.test(id) && violations > 0)).toEqual([])
})
