// The double-entry ledger (ADR 0031): every way money comes and goes. After the file, verify compares
// it payment by payment.
import { describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { cancelPayment, capturePayment } from '../../src/services/payments/actions.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { dewi, PAID, useLedger } from './ledger_bench.ts'
import { requestOf } from './service_bench.ts'

const { service, sql, staff, postingsOf, control, look, fault, charged, settledWallet } =
  useLedger()

describe('money that comes', () => {
  test('a waiting payment has no posting, and one when it is paid', async () => {
    const { id, order_id } = await charged('bank_transfer')
    expect(await postingsOf(id)).toEqual([])
    await control(order_id, 'pay')
    await look(id)
    await look(id)
    expect(await postingsOf(id)).toEqual([PAID])
  })

  test('a card is booked when it is captured, not again when it is settled', async () => {
    const { id, order_id } = await charged('credit_card')
    expect(await postingsOf(id)).toEqual([PAID])
    await control(order_id, 'settle')
    await look(id)
    expect(await postingsOf(id)).toEqual([PAID])
  })

  test('of an authorized card only the captured part is booked', async () => {
    const { id } = await charged('credit_card', { capture: false })
    expect(await postingsOf(id)).toEqual([])
    await capturePayment(service.ctx, requestOf(), id, { amount: 100_000 })
    expect(await postingsOf(id)).toEqual(['received sales:owner-1 > gateway:pending 100000.00'])
  })

  /** Settled yesterday in Jakarta, so long after its midnight, and reported now. */
  const postedOf = async (since_midnight: string) => {
    const { id, order_id, transaction_id } = await charged('bank_transfer')
    const [row] = await sql(
      `select to_char((gapura.now() at time zone 'Asia/Jakarta')::date - 1 + $1::interval,
         'YYYY-MM-DD HH24:MI:SS') as settled`,
      [since_midnight],
    )
    const fields = { order_id, status_code: '200', gross_amount: '150000.00' }
    await receiveNotification(service.ctx, {
      ...fields,
      transaction_id,
      transaction_status: 'settlement',
      settlement_time: row?.['settled'],
      signature_key: signNotification(fields, service.simulator.server_key),
    })
    const [posted] = await sql(
      `select booked_on::text, occurred_at < booked_at as earlier,
         ((gapura.now() at time zone 'Asia/Jakarta')::date - 1)::text as yesterday
       from gapura.ledger_posting where payment_id = $1`,
      [id],
    )
    return posted
  }

  test('a report delivered after midnight in Jakarta belongs to the day of the settlement', async () => {
    const posted = await postedOf('23:59:58')
    expect(posted).toMatchObject({ earlier: true, booked_on: posted?.['yesterday'] })
  })

  test('the first seconds of a day in Jakarta belong to that day', async () => {
    const posted = await postedOf('00:00:02')
    expect(posted).toMatchObject({ earlier: true, booked_on: posted?.['yesterday'] })
  })

  test('late money waits in suspense until its alarm is closed', async () => {
    const { id, order_id, transaction_id } = await charged('bank_transfer')
    const fields = { order_id, status_code: '202', gross_amount: '150000.00' }
    const signature_key = signNotification(fields, service.simulator.server_key)
    const expired = { ...fields, signature_key, transaction_id, transaction_status: 'expire' }
    await receiveNotification(service.ctx, expired)
    await control(order_id, 'pay')
    // Before, the answer could be older than the expiry.
    await service.database.do((tx) => moveClock(tx, 61_000))
    await look(id)
    const late = 'received_late suspense:late > gateway:pending 150000.00'
    expect(await postingsOf(id)).toEqual([late])
    const [alarm] = (await staff().listAlarms(dewi, { subject_id: id })).results
    await staff().closeAlarm(dewi, alarm?.id ?? '', { reason: 'the goods were sent' })
    const accepted = 'late_accepted sales:owner-1 > suspense:late 150000.00'
    expect(await postingsOf(id)).toEqual([late, accepted])
  })
})

describe('money that goes', () => {
  test('each part of a refund is booked once, however often it is reported', async () => {
    const { id, order_id } = await settledWallet()
    await refundPayment(service.ctx, requestOf(), id, { amount: 50_000 })
    await look(id)
    await control(order_id, 'refund', { amount: 100_000 })
    await look(id)
    await look(id)
    expect(await postingsOf(id)).toEqual([
      PAID,
      'refunded gateway:pending > refunds:owner-1 50000.00',
      'refunded gateway:pending > refunds:owner-1 100000.00',
    ])
  })

  test('a refund found without a change of status is booked', async () => {
    const { id, order_id, transaction_id } = await settledWallet()
    const shown = {
      order_id,
      transaction_id,
      payment_type: 'gopay',
      transaction_status: 'settlement',
    }
    for (const refund_key of ['first', 'second']) {
      const refunds = [{ refund_key, refund_amount: '20000.00' }]
      const body = { ...shown, status_code: '200', gross_amount: '150000.00', refunds }
      await fault('get_status', 'status', { options: { http_status: 200, body } })
      await look(id)
    }
    const refunded = 'refunded gateway:pending > refunds:owner-1 20000.00'
    expect(await postingsOf(id)).toEqual([PAID, refunded, refunded])
  })

  test('a refused refund is not booked', async () => {
    const { id } = await settledWallet()
    await service.control('faults', {
      effect: 'status',
      match: { operation: 'refund' },
      times: 1,
      options: { http_status: 200, body: { status_code: '412', status_message: 'refused' } },
    })
    await expect(
      refundPayment(service.ctx, requestOf(), id, { amount: 50_000 }),
    ).rejects.toBeDefined()
    expect(await postingsOf(id)).toEqual([PAID])
  })

  test('paid and refunded before we hear of either: both are booked', async () => {
    const { id, order_id } = await charged('gopay')
    await control(order_id, 'pay')
    await control(order_id, 'refund', { amount: 150_000 })
    await look(id)
    expect(await postingsOf(id)).toEqual([
      PAID,
      'refunded gateway:pending > refunds:owner-1 150000.00',
    ])
  })

  test('a cancelled capture and a reversed settlement are taken back whole', async () => {
    const card = await charged('credit_card')
    await cancelPayment(service.ctx, requestOf(), card.id)
    const back = 'reversed gateway:pending > sales:owner-1 150000.00'
    expect(await postingsOf(card.id)).toEqual([PAID, back])
    const transfer = await charged('bank_transfer', { bank: 'permata' })
    await control(transfer.order_id, 'pay')
    await look(transfer.id)
    await control(transfer.order_id, 'reverse')
    await service.database.do((tx) => moveClock(tx, 61_000))
    await look(transfer.id)
    expect(await postingsOf(transfer.id)).toEqual([PAID, back])
  })

  test('a chargeback after a part refund is of what was left', async () => {
    const { id, order_id } = await charged('credit_card')
    await control(order_id, 'settle')
    await look(id)
    await refundPayment(service.ctx, requestOf(), id, { amount: 50_000 })
    await control(order_id, 'chargeback')
    await look(id)
    expect(await postingsOf(id)).toEqual([
      PAID,
      'refunded gateway:pending > refunds:owner-1 50000.00',
      'charged_back gateway:pending > chargebacks:owner-1 100000.00',
    ])
  })
})
