// The double-entry ledger (ADR 0031): every way money comes and goes, closed days, payments of the
// previous release, and corrections. After the file, verify compares it payment by payment.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { createGapura, type Gapura } from '../../src/main/create_gapura.ts'
import { verifyDatabase } from '../../src/main/verify.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { cancelPayment, capturePayment } from '../../src/services/payments/actions.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { checkInvariants } from '../../src/services/verify/check_invariants.ts'
import { DATABASE_URL, eventually } from '../store/test_database.ts'
import { useDisasters } from './disaster_bench.ts'
import { requestOf } from './service_bench.ts'

const { service, caller, fault, mute, clearFaults, charged, settledWallet, later } = useDisasters({
  timeout_ms_max: 10_000,
})
const dewi: Caller = { owner_id: 'dewi', staff: true, scopes: SCOPES }
let gapura: Gapura | undefined
const staff = () => {
  if (gapura === undefined) throw new Error('open only inside tests')
  return gapura.staff
}
const sql = async (text: string, values: unknown[] = []) => await service.database.sql(text, values)

beforeAll(() => {
  const { url: base_url, server_key } = service.simulator
  const { schema } = service.database.db
  gapura = createGapura({ databaseUrl: DATABASE_URL, schema, gateway: { server_key, base_url } })
})
afterAll(async () => await gapura?.close())
beforeEach(async () => {
  await clearFaults()
  await mute()
})

/** `kind source > destination amount` of each posting, in the order in which they were booked. */
const postingsOf = async (id: string): Promise<string[]> =>
  (
    await sql(
      `select concat_ws(' ', kind, source, '>', destination, amount) as said
       from gapura.ledger_posting where payment_id = $1 order by booked_at, version, kind, line`,
      [id],
    )
  ).map(({ said }) => String(said))

const control = async (order_id: string, action: string, body: object = {}) =>
  await service.control(`transactions/${order_id}/${action}`, body)
const look = async (id: string) => await getStatus(service.ctx, caller, id)
const brokenNow = async () =>
  (await checkInvariants(service.database.db))
    .filter(({ violations }) => violations > 0)
    .map(({ id }) => id)

const PAID = 'received sales:owner-1 > gateway:pending 150000.00'

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

  test('a report delivered after midnight in Jakarta belongs to the day of the settlement', async () => {
    const { id, order_id, transaction_id } = await charged('bank_transfer')
    const [row] = await sql(
      `select (gapura.now() at time zone 'Asia/Jakarta')::date - 1 as before,
         to_char((gapura.now() at time zone 'Asia/Jakarta')::date - interval '2 seconds',
           'YYYY-MM-DD HH24:MI:SS') as settled`,
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
         ((gapura.now() at time zone 'Asia/Jakarta')::date - 1)::text as before
       from gapura.ledger_posting where payment_id = $1`,
      [id],
    )
    expect(posted).toMatchObject({ earlier: true, booked_on: posted?.['before'] })
  })

  test('late money waits in suspense until its alarm is closed', async () => {
    const { id, order_id, transaction_id } = await charged('bank_transfer')
    const fields = { order_id, status_code: '202', gross_amount: '150000.00' }
    const signature_key = signNotification(fields, service.simulator.server_key)
    const expired = { ...fields, signature_key, transaction_id, transaction_status: 'expire' }
    await receiveNotification(service.ctx, expired)
    await control(order_id, 'pay')
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
  test('each part of a refund is booked once, whoever reports it and how often', async () => {
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

describe('payments that a process of the previous release changed', () => {
  /** As that release writes: status and amounts, and nothing of the ledger. */
  const asBefore = async (id: string) => {
    await sql('alter table gapura.ledger_posting disable trigger all')
    await sql('delete from gapura.ledger_posting where payment_id = $1', [id])
    await sql('alter table gapura.ledger_posting enable trigger all')
    await sql(
      `update gapura.gateway_payment
       set booked_received = 0, booked_refunded = 0, booked_charged_back = 0 where id = $1`,
      [id],
    )
  }
  const rolling = async () => await sql('update gapura.setting set ledger_complete_at = null')
  const unbooked = async () => {
    const { broken, unbooked_payments } = await verifyDatabase(DATABASE_URL, {
      schema: service.database.db.schema,
    })
    return { broken: broken.map(({ id }) => id), unbooked_payments }
  }

  test('while two releases run they are counted, not reported; back-fill books each on its day', async () => {
    const paid = await settledWallet()
    await refundPayment(service.ctx, requestOf(), paid.id, { amount: 50_000 })
    await refundPayment(service.ctx, requestOf(), paid.id, { amount: 20_000 })
    const before = (await postingsOf(paid.id)).toSorted()
    await asBefore(paid.id)
    expect(await unbooked()).toEqual({ broken: ['I-42a'], unbooked_payments: null })
    await rolling()
    expect(await unbooked()).toEqual({ broken: [], unbooked_payments: 1 })
    await expect(staff().backfillLedger(dewi, {})).resolves.toMatchObject({
      booked: 1,
      done: true,
      complete_at: null,
    })
    expect((await postingsOf(paid.id)).toSorted()).toEqual(before)
    expect(await staff().backfillLedger(dewi, {})).toMatchObject({ booked: 0 })
    const [row] = await sql(
      `select bool_and(posting.occurred_at <= refund.updated_at) as on_its_day, count(*)::int
       from gapura.ledger_posting as posting
       join gapura.gateway_refund as refund on refund.id = posting.object_id
       where posting.payment_id = $1`,
      [paid.id],
    )
    expect(row).toEqual({ on_its_day: true, count: 2 })
  })

  test('a step of this release books what the previous one left out', async () => {
    await rolling()
    const { id } = await settledWallet()
    await asBefore(id)
    await refundPayment(service.ctx, requestOf(), id, { amount: 50_000 })
    expect(await postingsOf(id)).toEqual([
      PAID,
      'refunded gateway:pending > refunds:owner-1 50000.00',
    ])
    expect(await unbooked()).toEqual({ broken: [], unbooked_payments: 0 })
  })

  test('a payment that the previous release changes after its booking is booked by the difference', async () => {
    await rolling()
    const { id } = await settledWallet()
    await refundPayment(service.ctx, requestOf(), id, { amount: 50_000 })
    await sql('alter table gapura.ledger_posting disable trigger all')
    await sql(`delete from gapura.ledger_posting where payment_id = $1 and kind = 'refunded'`, [id])
    await sql('alter table gapura.ledger_posting enable trigger all')
    await sql('update gapura.gateway_payment set booked_refunded = 0 where id = $1', [id])
    expect(await unbooked()).toEqual({ broken: [], unbooked_payments: 1 })
    await staff().backfillLedger(dewi, {})
    expect(await postingsOf(id)).toHaveLength(2)
  })

  test('finish is refused while something is missing, and then makes missing payments a fault', async () => {
    await rolling()
    const { id } = await settledWallet()
    const finished = await staff().backfillLedger(dewi, { finish: true })
    expect(finished.complete_at).toBeInstanceOf(Date)
    await asBefore(id)
    expect(await unbooked()).toEqual({ broken: ['I-42a'], unbooked_payments: null })
    await staff().backfillLedger(dewi, {})
    expect(await brokenNow()).toEqual([])
  })
})

describe('what staff do', () => {
  test('a planted wrong posting is found, and corrected by a further journal', async () => {
    const { id } = await settledWallet()
    await sql(
      `insert into gapura.ledger_posting (object_id, payment_id, occurred_at, booked_at, booked_on,
         version, object_kind, kind, source, destination, amount)
       values ($1, $1, gapura.now(), gapura.now(), (gapura.now() at time zone 'Asia/Jakarta')::date,
         9, 'payment', 'refunded', 'gateway:pending', 'bank:bca', 7)`,
      [id],
    )
    expect(await brokenNow()).toContain('I-42')
    const reason = { reason: 'posted by hand' }
    expect(await staff().correctLedger(dewi, id, reason)).toEqual({ corrected: 1 })
    expect(await staff().correctLedger(dewi, id, reason)).toEqual({ corrected: 0 })
    expect((await postingsOf(id)).at(-1)).toBe('corrected bank:bca > gateway:pending 7.00')
  })

  test('postings cannot be changed or removed', async () => {
    const { id } = await settledWallet()
    for (const change of [
      'update gapura.ledger_posting set amount = 1',
      'delete from gapura.ledger_posting',
    ]) {
      await expect(sql(`${change} where payment_id = $1`, [id])).rejects.toThrow('append-only')
    }
  })

  test('balances add up to zero, and journals are listed by payment, day and account', async () => {
    const { id } = await settledWallet()
    const balances = await staff().getLedgerBalances(dewi)
    expect(balances.sum).toBe('0.00')
    expect(balances.accounts.map(({ account }) => account)).toContain('sales:owner-1')
    const { results } = await staff().listLedgerJournal(dewi, { payment_id: id })
    expect(results).toMatchObject([
      { id, owner_id: 'owner-1', postings: [{ kind: 'received', amount: '150000.00' }] },
    ])
    const day = results[0]?.postings[0]?.booked_on ?? ''
    const first = await staff().listLedgerJournal(dewi, { day, page_size: 2 })
    expect(first.results).toHaveLength(2)
    const next = await staff().listLedgerJournal(dewi, {
      day,
      page_size: 2,
      cursor: first.next ?? '',
    })
    expect(next.results[0]?.id).not.toBe(first.results[1]?.id)
    const late = await staff().listLedgerJournal(dewi, { day, account: 'suspense:late' })
    expect(late.results).not.toEqual([])
    await expect(staff().listLedgerJournal(dewi, {})).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('a closed day takes no more postings: late ones go to the next open day with their own time', async () => {
    // Its day is over before anything more is paid.
    await later(86_400_000)
    const [days] = await sql(
      `select (now.day - 1)::text as yesterday, now.day::text as today
       from (select (gapura.now() at time zone 'Asia/Jakarta')::date as day) as now`,
    )
    const [yesterday, today] = [String(days?.['yesterday']), String(days?.['today'])]
    await expect(staff().closeLedgerDay(dewi, { day: today })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    const open = await staff().getLedgerBalances(dewi, { day: yesterday })
    const closing = await staff().closeLedgerDay(dewi, { day: yesterday })
    expect(closing).toMatchObject({ day: yesterday, closed_by: 'dewi' })
    expect(closing.sealed_at).toBeInstanceOf(Date)
    expect(await staff().closeLedgerDay(dewi, { day: yesterday })).toEqual(closing)
    // The simulator's clock is a day behind: it settled yesterday.
    const { id } = await settledWallet()
    const [posted] = await sql(
      `select booked_on::text, (occurred_at at time zone 'Asia/Jakarta')::date::text as occurred_on
       from gapura.ledger_posting where payment_id = $1`,
      [id],
    )
    expect(posted).toEqual({ booked_on: today, occurred_on: yesterday })
    const closed = await staff().getLedgerBalances(dewi, { day: yesterday })
    expect(closed.accounts).toEqual(open.accounts)
    expect(closed).toMatchObject({ sum: '0.00', closed_until: yesterday })
    expect((await staff().getLedgerBalances(dewi)).sum).toBe('0.00')
    expect(await brokenNow()).toEqual([])
  })

  test('a day is sealed only after transactions that began before it was closed', async () => {
    await later(86_400_000)
    const [days] = await sql(
      `select ((gapura.now() at time zone 'Asia/Jakarta')::date - 1)::text as yesterday`,
    )
    const day = String(days?.['yesterday'])
    const { id } = await settledWallet()
    let closing: Promise<{ sealed_at: unknown }> | undefined
    await service.database.do(async (tx) => {
      await tx.query('select from gapura.gateway_payment where id = $1 for no key update', [id])
      closing = staff().closeLedgerDay(dewi, { day })
      const closed = async () =>
        await sql('select sealed_at from gapura.ledger_closing where day = $1', [day])
      await eventually(closed, (rows) => rows.length > 0)
      for (let reads = 0; reads < 20; reads++) expect(await closed()).toEqual([{ sealed_at: null }])
    })
    expect(await closing).toMatchObject({ sealed_at: expect.any(Date) as Date })
  })
})
