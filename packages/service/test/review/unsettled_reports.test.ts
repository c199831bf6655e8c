// Every report that cannot be settled, and every unknown word, opens an alarm within a stated time.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { matchUnmatched } from '../../src/services/notifications/match_unmatched.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { checkInvariants } from '../../src/services/verify/check_invariants.ts'
import { useFaults } from '../services/fault_bench.ts'

const bench = useFaults({ breaker_rest_ms: 1 })
const { service, fault, mute, clearFaults, later, alarmsOf, settledWallet, charged, caller } = bench
const HOUR = 3_600_000
const BUDGET = { take: async () => undefined }
beforeEach(mute)
afterEach(clearFaults)

const sweep = async () => await checkPendingPayments(service.ctx, { budget: BUDGET })
const paymentOf = async (id: string) =>
  (
    await service.database.sql(
      `select transaction_status, fraud_status, paid_at, next_check_at, deferred_since,
         captured_amount::text as captured, refunded_amount::text as refunded
       from gapura.gateway_payment where id = $1`,
      [id],
    )
  )[0]
const openAlarms = async (id: string) =>
  (
    await service.database.sql(
      'select kind from gapura.gateway_alarm where subject_id = $1 and closed_at is null',
      [id],
    )
  ).map(({ kind }) => kind)
const broken = async () =>
  (await checkInvariants(service.database.db))
    .filter(({ violations }) => violations > 0)
    .map(({ id }) => id)

async function report(body: object, fields: { order_id: string; status_code: string }) {
  const signed = { ...fields, gross_amount: '150000.00' }
  await receiveNotification(service.ctx, {
    ...signed,
    payment_type: 'gopay',
    ...body,
    signature_key: signNotification(signed, service.simulator.server_key),
  })
}

/** Refunds of more than was captured, as with a fee that the payer paid. */
async function refundsThatNeverFit() {
  const { id, order_id, transaction_id } = await settledWallet()
  const body = {
    status_code: '200',
    transaction_id,
    order_id,
    gross_amount: '152000.00',
    payment_type: 'gopay',
    currency: 'IDR',
    transaction_status: 'refund',
    refund_amount: '152000.00',
    fraud_status: 'accept',
    metadata: {
      gapura_payment_id: id,
      extra_info: {
        gross_amount_info: {
          original_amount: '150000.00',
          gross_amount: '152000.00',
          customer_imposed_payment_fee: '2000.00',
        },
      },
    },
    refunds: [
      {
        refund_chargeback_id: 5,
        refund_key: 'dash-1',
        refund_amount: '152000.00',
        created_at: '2026-11-16 08:00:00',
        reason: 'returned',
      },
    ],
  }
  await fault('get_status', 'status', { times: null, options: { http_status: 200, body } })
  await getStatus(service.ctx, caller, id)
  return { id, order_id }
}

describe('refunds that do not fit what was captured', () => {
  test('no alarm within the first hour, one within three', async () => {
    const { id } = await refundsThatNeverFit()
    for (let minutes = 0; minutes < 50; minutes += 10) {
      await later(600_000)
      await sweep()
    }
    expect(await alarmsOf(id)).toEqual([])
    for (let minutes = 50; minutes < 180; minutes += 10) {
      await later(600_000)
      await sweep()
    }
    expect(await openAlarms(id)).toEqual(['report_unsettled'])
    expect(await broken()).toEqual([])
  })

  test('settled by the gateway later: the alarm is closed and nothing is left deferred', async () => {
    const { id } = await refundsThatNeverFit()
    await later(3 * HOUR)
    await sweep()
    expect(await openAlarms(id)).toEqual(['report_unsettled'])
    await clearFaults()
    await mute()
    await later(12 * HOUR)
    await sweep()
    expect(await openAlarms(id)).toEqual([])
    expect(await paymentOf(id)).toMatchObject({ deferred_since: null })
  })

  test('no sweep for four hours: the invariant checker finds what has no alarm', async () => {
    const { id } = await refundsThatNeverFit()
    await later(4 * HOUR)
    expect(await broken()).toEqual(['I-39'])
    await sweep()
    expect(await broken()).toEqual([])
    expect(await openAlarms(id)).toEqual(['report_unsettled'])
  })
})

describe('an unknown fraud word', () => {
  test('on a settlement: an alarm, and the gateway is asked until it accepts and the payment is paid', async () => {
    const { id, order_id } = await charged('gopay')
    await report(
      { transaction_status: 'settlement', fraud_status: 'low_risk' },
      { order_id, status_code: '200' },
    )
    expect(await paymentOf(id)).toMatchObject({ transaction_status: 'settlement', paid_at: null })
    expect((await paymentOf(id))?.['next_check_at']).not.toBeNull()
    expect(await openAlarms(id)).toEqual(['status_unknown'])
    await service.control(`transactions/${order_id}/pay`)
    await later(25 * HOUR)
    await sweep()
    expect(await paymentOf(id)).toMatchObject({ fraud_status: 'accept', captured: '150000.00' })
    expect((await paymentOf(id))?.['paid_at']).not.toBeNull()
  })

  test('a further report while the alarm is open: the same alarm stays open and is enough', async () => {
    const { id, order_id } = await refundsThatNeverFit()
    for (let hours = 0; hours < 4; hours++) {
      await later(HOUR)
      await sweep()
    }
    const before = (await paymentOf(id))?.['deferred_since']
    await report(
      {
        transaction_status: 'refund',
        refund_amount: '152000.00',
        refunds: [{ refund_key: 'dash-2', refund_amount: '152000.00' }],
      },
      { order_id, status_code: '200' },
    )
    expect((await paymentOf(id))?.['deferred_since']).not.toEqual(before)
    await later(3.5 * HOUR)
    expect(await openAlarms(id)).toEqual(['report_unsettled'])
    expect(await broken()).not.toContain('I-39')
  })
})

test('a report about a payment that was checked often is asked about again within the minute', async () => {
  const { id, order_id } = await charged('gopay')
  await service.database.sql(
    `update gapura.gateway_payment set check_attempts = 12 where id = $1`,
    [id],
  )
  // The simulator still shows it as pending, as a replica of the gateway would.
  await report(
    {
      transaction_status: 'partial_refund',
      refund_amount: '50000.00',
      refunds: [{ refund_key: 'dash', refund_amount: '50000.00' }],
    },
    { order_id, status_code: '200' },
  )
  await sweep()
  const [row] = await service.database.sql(
    `select next_check_at < gapura.now() + interval '1 minute' as soon
     from gapura.gateway_payment where id = $1`,
    [id],
  )
  expect(row).toEqual({ soon: true })
})

describe('an unknown status word', () => {
  test('in a report: the gateway is asked for a minute, and then its known status settles it', async () => {
    const { id, order_id } = await charged('gopay')
    await report({ transaction_status: 'frozen' }, { order_id, status_code: '200' })
    await sweep()
    expect((await paymentOf(id))?.['deferred_since']).not.toBeNull()
    await later(61_000)
    await sweep()
    expect(await paymentOf(id)).toMatchObject({
      transaction_status: 'pending',
      deferred_since: null,
    })
  })

  test('in every answer: an alarm within three hours', async () => {
    const { id, order_id, transaction_id } = await charged('gopay')
    const body = { status_code: '200', transaction_id, order_id, transaction_status: 'frozen' }
    await fault('get_status', 'status', { times: null, options: { http_status: 200, body } })
    for (let minutes = 0; minutes < 180; minutes += 10) {
      await later(600_000)
      await sweep()
    }
    expect(await openAlarms(id)).toContain('report_unsettled')
  })
})

test('a notification of an unknown order while the gateway is down: an alarm after a day', async () => {
  const order_id = service.fresh('nowhere')
  await report({ transaction_status: 'settlement' }, { order_id, status_code: '200' })
  const [row] = await service.database.sql(
    'select id from gapura.gateway_notification where order_id = $1',
    [order_id],
  )
  const id = String(row?.['id'])
  await fault('get_status', 'drop_before', { times: null })
  await later(23 * HOUR)
  await matchUnmatched(service.ctx, BUDGET)
  expect(await alarmsOf(id)).toEqual([])
  await later(2 * HOUR)
  await matchUnmatched(service.ctx, BUDGET)
  expect(await alarmsOf(id)).toEqual(['unmatched_notification'])
})

test('a refund reported before its settlement is looked up, and the settlement does not discard it', async () => {
  const { id, order_id } = await charged('gopay')
  await service.control(`transactions/${order_id}/pay`)
  await service.control(`transactions/${order_id}/refund`, { amount: 50_000 })
  await report(
    {
      transaction_status: 'partial_refund',
      refund_amount: '50000.00',
      refunds: [{ refund_key: 'dash', refund_amount: '50000.00' }],
    },
    { order_id, status_code: '200' },
  )
  await report({ transaction_status: 'settlement' }, { order_id, status_code: '200' })
  expect(await paymentOf(id)).toMatchObject({ transaction_status: 'settlement' })
  await sweep()
  expect(await paymentOf(id)).toMatchObject({
    transaction_status: 'partial_refund',
    refunded: '50000.00',
  })
  await later(121_000)
  await sweep()
  expect(await paymentOf(id)).toMatchObject({ deferred_since: null })
})
