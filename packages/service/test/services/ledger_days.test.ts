// The double-entry ledger (ADR 0031): payments of the previous release, corrections and closed days.
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { verifyDatabase } from '../../src/main/verify.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { DATABASE_URL, eventually } from '../store/test_database.ts'
import { dewi, PAID, useLedger } from './ledger_bench.ts'
import { requestOf } from './service_bench.ts'

const { service, sql, staff, postingsOf, brokenNow, settledWallet, later } = useLedger()

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

  test('while two releases run they are counted, not reported; back-fill posts each on its day', async () => {
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

  test('a step of this release posts what the previous one left out', async () => {
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
    const sold = await staff().listLedgerJournal(dewi, { day, account: 'sales:owner-1' })
    expect(sold.results).not.toEqual([])
    // Without a payment it is today's.
    const today = await staff().listLedgerJournal(dewi, {})
    expect(today.results[0]?.postings[0]?.booked_on).toBe(day)
    await expect(staff().listLedgerJournal(dewi, { day: '2026-02-30' })).rejects.toMatchObject({
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
    const older = new Client({ connectionString: DATABASE_URL })
    await older.connect()
    try {
      await older.query('begin')
      const { schema } = service.database.db
      await older.query(`select from ${schema}.gateway_payment where id = $1 for no key update`, [
        id,
      ])
      closing = staff().closeLedgerDay(dewi, { day })
      const closed = async () =>
        await sql('select sealed_at from gapura.ledger_closing where day = $1', [day])
      await eventually(closed, (rows) => rows.length > 0)
      for (let reads = 0; reads < 20; reads++) expect(await closed()).toEqual([{ sealed_at: null }])
      await older.query('commit')
    } finally {
      await older.end()
    }
    expect(await closing).toMatchObject({ sealed_at: expect.any(Date) as Date })
  })
})
