// Refunds that were paid outside the gateway: recorded with evidence by two people, and counted.
import { beforeEach, describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { formatMoney } from '../../src/domain/money.ts'
import { verifyDatabase } from '../../src/main/verify.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { getStatus, readPayment } from '../../src/services/payments/read_payments.ts'
import { approveRefund, declineRefund } from '../../src/services/staff/refund_requests.ts'
import { listRefunds, requestOutside } from '../../src/services/staff/refunds.ts'
import { readStaffPayment } from '../../src/services/staff/payment_detail.ts'
import { withReadTransaction } from '../../src/store/connection/transaction.ts'
import { listLedgerPayments } from '../../src/store/payments/rows.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService()
const ctx = () => ({ ...service.ctx, refunds: { hold_ms: 3_600_000 } })
const staff = (owner_id: string) => ({ owner_id, staff: true, scopes: SCOPES })
const SARI = staff('sari')
const DEWI = staff('dewi')

let made = 0
async function paid(payment_type: string, more: object = {}): Promise<string> {
  const order_id = `outside-${(made += 1)}`
  const customer_details = { first_name: 'Ani', email: 'ani@example.com' }
  const input = { order_id, payment_type, gross_amount: 150_000, customer_details, ...more }
  const { id } = bodyOf(await createCharge(ctx(), input, requestOf('owner-1', order_id)))
  await service.control(`transactions/${order_id}/pay`)
  await getStatus(ctx(), requestOf().caller, id)
  return id
}

let asked = 0
async function record(payment_id: string, amount: number): Promise<string> {
  const key = `record-${(asked += 1)}`
  const request = { ...requestOf('sari', key), caller: SARI }
  const input = { amount, reason: 'goods returned', reference: `TRF-${asked}`, evidence: 'slip' }
  const before = await held(payment_id)
  await expect(requestOutside(ctx(), request, payment_id, input)).rejects.toMatchObject({
    code: 'refund_held',
  })
  return (await held(payment_id)).find((one) => !before.includes(one)) ?? ''
}

const held = async (payment_id: string): Promise<string[]> =>
  (
    await service.database.sql(
      `select id from gapura.refund_request where payment_id = $1 and state = 'held'`,
      [payment_id],
    )
  ).map(({ id }) => String(id))

const approve = async (id: string, caller = DEWI) =>
  await approveRefund(ctx(), caller, id, { reason: 'slip checked' })

const amounts = async (id: string) => {
  const payment = await readPayment(ctx(), requestOf().caller, id)
  const { transaction_status, refund_amount, net_amount } = payment ?? {}
  return { transaction_status, refund_amount, net_amount }
}

describe('a refund of a virtual account by bank transfer', () => {
  let id = ''
  beforeEach(async () => {
    id = await paid('bank_transfer', { bank: 'bca' })
  })

  test('counts once a second person approves it, and the status stays the gateway’s', async () => {
    const request = await record(id, 50_000)
    expect(await amounts(id)).toMatchObject({ refund_amount: '0.00' })
    await expect(approve(request, SARI)).rejects.toMatchObject({ code: 'second_person_needed' })
    await approve(request)
    await approve(request)
    expect(await amounts(id)).toEqual({
      transaction_status: 'settlement',
      refund_amount: '50000.00',
      net_amount: '100000.00',
    })
    const detail = await readStaffPayment(ctx(), DEWI, id)
    expect(detail?.refund).toMatchObject({ outside: true, refundable_amount: '100000.00' })
    const { results } = await listRefunds(
      ctx(),
      DEWI,
      { source: 'outside' },
      { cursor: null, page_size: 10 },
    )
    expect(results[0]).toMatchObject({
      payment_id: id,
      amount: '50000.00',
      requested_by: 'sari',
      approved_by: 'dewi',
      evidence: 'slip',
    })
  })

  test('two that together exceed the payment, approved at once, are one refund', async () => {
    const requests = [await record(id, 100_000), await record(id, 90_000)]
    const ends = await Promise.allSettled(requests.map((one) => approve(one)))
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const { refund_amount } = await amounts(id)
    expect(['100000.00', '90000.00']).toContain(refund_amount)
  })

  test('is refused above what is left, without a reference, and after it was declined', async () => {
    const request = { ...requestOf('sari', 'too-much'), caller: SARI }
    const input = { amount: 150_001, reason: 'goods returned', reference: 'TRF-9' }
    await expect(requestOutside(ctx(), request, id, input)).rejects.toMatchObject({
      code: 'refund_amount_exceeded',
    })
    await expect(
      requestOutside(ctx(), request, id, { ...input, amount: 1, reference: ' ' }),
    ).rejects.toMatchObject({ code: 'invalid_request' })
    const declined = await record(id, 10_000)
    await declineRefund(ctx(), DEWI, declined, { reason: 'no slip' })
    await expect(approve(declined)).rejects.toMatchObject({ code: 'refund_request_ended' })
    expect(await amounts(id)).toMatchObject({ refund_amount: '0.00' })
  })
})

test('what the gateway can refund is not recorded by hand', async () => {
  const id = await paid('gopay')
  const request = { ...requestOf('sari', 'gopay'), caller: SARI }
  const input = { amount: 1_000, reason: 'goods returned', reference: 'TRF-1' }
  await expect(requestOutside(ctx(), request, id, input)).rejects.toMatchObject({
    code: 'outside_refund_unavailable',
  })
})

test('every promise about money holds, and the ledger of the gateway is compared without them', async () => {
  const { db } = service.database
  const { broken } = await verifyDatabase(DATABASE_URL, { schema: db.schema })
  expect(broken).toEqual([])
  const after = '00000000-0000-0000-0000-000000000000'
  const rows = await withReadTransaction(ctx().db, (tx) =>
    listLedgerPayments(tx, { after, limit: 100 }),
  )
  expect(new Set(rows.map((row) => formatMoney(row.refunded_amount)))).toEqual(new Set(['0.00']))
})
