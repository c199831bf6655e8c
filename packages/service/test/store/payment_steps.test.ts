import { describe, expect, test } from 'vitest'
import type { GatewayPayment } from '../../src/domain/payment.ts'
import { readObjectEvents } from '../../src/store/events/outbox.ts'
import { newId } from '../../src/store/sql/values.ts'
import {
  stepPayments,
  type PaymentChange,
  type PaymentStep,
} from '../../src/store/payments/transitions.ts'
import { findPaymentById } from '../../src/store/payments/rows.ts'
import { listTransitions } from '../../src/store/events/history.ts'
import { addPayment, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()
const NOW = new Date('2026-08-01T09:00:00.123Z')

// Every property that a step may change, none at its default.
const CHANGE: Required<PaymentChange> = {
  transaction_id: 'transaction-1',
  bank: 'bni',
  store: 'alfamart',
  acquirer: 'gopay',
  issuer: 'ovo',
  masked_card: '481111-1114',
  va_number: '12345',
  bill_key: '70012',
  biller_code: '70012',
  payment_code: '8001',
  redirect_url: 'https://example.com/3ds',
  deeplink_url: 'gojek://pay',
  qr_string: '000201',
  transaction_time: new Date('2026-08-01T08:00:00.001Z'),
  settlement_time: new Date('2026-08-01T08:30:00.002Z'),
  expiry_time: new Date('2026-08-02T08:00:00.003Z'),
  actions: [{ name: 'pay', method: 'GET', url: 'https://example.com/pay' }],
  transaction_status: 'settlement',
  fraud_status: 'accept',
  status_code: '200',
  status_message: 'it’s "paid"',
  authorized_amount: 9_999_99n,
  captured_amount: 9_999_98n,
  booked_received: 9_999_98n,
  booked_refunded: 1n,
  booked_charged_back: 2n,
  paid_at: new Date('2026-08-01T08:30:00.004Z'),
  refused: true,
  next_check_at: new Date('2026-08-01T10:00:00.005Z'),
  check_attempts: 3,
  deferred_since: new Date('2026-08-01T09:00:00.006Z'),
}

const stepOf = (before: GatewayPayment, change: PaymentChange = CHANGE): PaymentStep => ({
  after: { ...before, ...change, version: before.version + 1, updated_at: NOW },
  from_status: before.transaction_status,
  source: 'charge',
  evidence_id: newId(),
  reason: 'because',
  event: {
    id: newId(),
    type: 'payment_settled',
    notification_id: newId(),
    refund_id: newId(),
    object: { id: before.id, captured_amount: '9999.98' },
  },
  postings: [
    {
      kind: 'received',
      source: 'sales:owner-1',
      destination: 'gateway:pending',
      amount: 9_999_98n,
      occurred_at: new Date('2026-07-31T16:59:59.999Z'),
    },
  ],
})

const add = async (count: number): Promise<GatewayPayment[]> =>
  await here.do(async (tx) => {
    const payments: GatewayPayment[] = []
    for (let n = 0; n < count; n++) payments.push(await addPayment(tx))
    return payments
  })

const make = async (steps: readonly PaymentStep[]) =>
  await here.do(async (tx) => await stepPayments(tx, steps, NOW))

const left = async (id: string) =>
  await here.do(async (tx) => ({
    payment: await findPaymentById(tx, id),
    steps: await listTransitions(tx, id),
    events: await readObjectEvents(tx, id, 1, 10),
    posted: await tx.query(
      `select object_id, payment_id, version, line, kind, source, destination, amount, occurred_at,
         booked_at, booked_on
       from gapura.ledger_posting where payment_id = $1`,
      [id],
    ),
  }))

// One is written with a parameter for each value, several as JSON: both have the same result.
describe.each([1, 3])('steps, %i at once', (count) => {
  test('leave each row, its history row and its event with the given values', async () => {
    const steps = (await add(count)).map((before) => stepOf(before))
    await make(steps)
    for (const { after, event, postings, ...line } of steps) {
      const { payment, steps: lines, events, posted } = await left(after.id)
      expect(payment).toEqual(after)
      expect(lines).toMatchObject([
        {
          ...line,
          version: 2,
          to_status: 'settlement',
          occurred_at: NOW,
          owner_id: after.owner_id,
        },
      ])
      expect(events).toMatchObject([
        { ...event, sequence: 1, previous_status: 'initiated', occurred_at: NOW },
      ])
      expect(events[0]?.object).toMatchObject({ id: after.id, captured_amount: '9999.98' })
      // A second before midnight in Jakarta.
      const booked = { object_id: after.id, payment_id: after.id, version: 2, booked_at: NOW }
      expect(posted).toEqual([{ ...postings[0], ...booked, line: 1, booked_on: '2026-07-31' }])
    }
  })

  test('set null where the step says null', async () => {
    const steps = (await add(count)).map((before) => stepOf(before))
    await make(steps)
    const emptied = steps.map(({ after }) =>
      stepOf(after, { next_check_at: null, fraud_status: null, actions: [], refused: false }),
    )
    await make(emptied)
    for (const { after } of emptied) {
      expect((await left(after.id)).payment).toEqual(after)
      expect(after).toMatchObject({ version: 3, next_check_at: null, bank: 'bni' })
    }
  })

  test('without a signal leave no event and do not count one', async () => {
    const silent = (await add(count)).map((before) => ({ ...stepOf(before), event: null }))
    await make(silent)
    await make(silent.map(({ after }) => stepOf(after)))
    const { events, steps } = await left(there(silent[0]).after.id)
    expect(events.map(({ sequence }) => sequence)).toEqual([1])
    expect(steps.map(({ version }) => version)).toEqual([2, 3])
  })

  test('of an older transaction that writes later take a place behind the event already written', async () => {
    const before = await add(count)
    const began = Promise.withResolvers<void>()
    const newer_committed = Promise.withResolvers<void>()
    const first = before.map((payment) => stepOf(payment))
    const second = first.map(({ after }) => stepOf(after))
    const older = here.do(async (tx) => {
      // The transaction takes its number now and writes only after the newer one has committed.
      await tx.query('select pg_current_xact_id()')
      began.resolve()
      await newer_committed.promise
      await stepPayments(tx, second, NOW)
    })
    await began.promise
    await make(first)
    newer_committed.resolve()
    await older
    for (const { id } of before) {
      const places = await here.sql(
        `select sequence from gapura.gateway_event
         where object_id = $1
         order by xid, object_id, sequence`,
        [id],
      )
      expect(places.map(({ sequence }) => sequence)).toEqual([1, 2])
    }
  })

  test('from an outdated version throw, and nothing is written', async () => {
    const payments = await add(count)
    const [first] = payments
    const steps = payments.map((before) => stepOf(before))
    await make([there(steps[0])])
    await expect(make(steps)).rejects.toThrow(there(first).id)
    expect((await left(there(first).id)).steps).toHaveLength(1)
    const other = payments[1]
    if (other !== undefined) expect((await left(other.id)).payment).toEqual(other)
  })
})

describe('the state of a payment', () => {
  const stateOf = async (ids: readonly string[]): Promise<Record<string, unknown>[]> =>
    await here.sql(
      `select id, transaction_status as status, captured_amount::integer as captured,
         next_check_at is not null as checked, ctid::text as version
       from gapura.gateway_payment_state where id = any($1) order by id`,
      [ids],
    )

  test('follows each payment of one statement, whatever the statement changed of it', async () => {
    const all = [newId(), newId(), newId(), newId()].toSorted()
    for (const id of all) await here.do(async (tx) => await addPayment(tx, { id }))
    const [answered, paid, of_before, without] = all
    const set = async (ids: unknown[], change: string): Promise<unknown> =>
      await here.sql(`update gapura.gateway_payment set ${change} where id = any($1)`, [ids])
    await set([paid, of_before], `transaction_status = 'pending'`)
    await set([without], 'next_check_at = now()')
    await here.sql('delete from gapura.gateway_payment_state where id = $1', [of_before])
    expect(await stateOf(all)).toMatchObject([
      { id: paid, status: 'pending', captured: 0 },
      { id: without, status: 'initiated', checked: true },
    ])

    await here.sql(
      `update gapura.gateway_payment
       set transaction_status = case when id = $1 then 'pending' when id = $2 then 'settlement'
             else transaction_status end,
           authorized_amount = gross_amount,
           captured_amount = case when id = $2 then gross_amount else 0 end,
           next_check_at = case when id = $1 then now() end
       where id = any($3)`,
      [answered, paid, all],
    )
    expect(await stateOf(all)).toMatchObject([
      { id: answered, status: 'pending', captured: 0, checked: true },
      { id: paid, status: 'settlement', captured: 10_000, checked: false },
      { id: of_before, status: 'pending', checked: false },
    ])
  })

  test('is not written again by a change of something else', async () => {
    const { id } = await here.do(addPayment)
    await here.sql(`update gapura.gateway_payment set transaction_status = 'pending'`)
    const before = await stateOf([id])
    await here.sql(`update gapura.gateway_payment set status_message = 'as before'`)
    expect(before).toHaveLength(1)
    expect(await stateOf([id])).toEqual(before)
  })
})
