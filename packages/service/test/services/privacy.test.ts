// I-37: after a customer is erased, no table names that customer, and every promise about money
// still holds.
import { beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { verifyDatabase } from '../../src/main/verify.ts'
import { sealAudit } from '../../src/services/audit/seal_audit.ts'
import { verifyAudit } from '../../src/services/audit/verify_audit.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { createInvoice } from '../../src/services/invoices/actions.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { readPayment } from '../../src/services/payments/read_payments.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { erasePerson } from '../../src/services/privacy/erase_person.ts'
import { fillSearch } from '../../src/services/sweeps/fill_search.ts'
import { addNote } from '../../src/services/staff/add_note.ts'
import { listStaffNotes } from '../../src/store/staff/notes.ts'
import { withReadTransaction } from '../../src/store/connection/transaction.ts'
import { createSubscription } from '../../src/services/subscriptions/actions.ts'
import { jobsSchema } from '../../src/store/maintenance/jobs.ts'
import { readTables } from '../canary/surfaces.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService()
const STAFF = { owner_id: 'dewi', staff: true, scopes: SCOPES }
const { caller } = requestOf()

/** Everything that could identify a customer, unique in the tables. */
const personOf = (mark: string) => ({
  email: `${mark}.qwv@example.com`,
  first_name: `First${mark}Qwv`,
  last_name: `Last${mark}Qwv`,
  phone: `0811${mark.length}555000${mark.charCodeAt(0)}`,
  note: `note${mark}Qwv`,
})
type Person = ReturnType<typeof personOf>

const found = async (person: Person): Promise<string[]> => {
  const { db, sql } = service.database
  const rows = await readTables(sql, [db.schema, jobsSchema(db)])
  return [
    ...new Set(
      Object.entries(person).flatMap(([what, value]) =>
        rows
          .filter(({ where, text }) =>
            // What is searched by is in lower case.
            where.includes('search_entry')
              ? text.includes(value.toLowerCase())
              : text.includes(value),
          )
          .map(({ where }) => `${what} in ${where.replace(/^.*\.|_\d{4}_\d{2}$/g, '')}`),
      ),
    ),
  ].toSorted()
}

async function live(person: Person) {
  const { email, first_name, last_name, phone, note } = person
  const customer_details = { first_name, last_name, email, phone }
  const charge = {
    payment_type: 'gopay',
    gross_amount: 150_000,
    customer_details,
    item_details: [{ id: 'i-1', name: note, price: 75_000, quantity: 2, brand: note }],
    metadata: { note },
    custom_fields: [note],
  }
  const key = `key-${note}`
  const payment = bodyOf(await createCharge(service.ctx, charge, requestOf('owner-1', key)))
  await service.control(`transactions/${String(payment['order_id'])}/pay`)
  const fields = {
    order_id: String(payment['order_id']),
    status_code: '200',
    gross_amount: '150000.00',
  }
  await receiveNotification(service.ctx, {
    ...fields,
    transaction_id: payment['transaction_id'],
    transaction_status: 'settlement',
    signature_key: signNotification(fields, service.simulator.server_key),
    custom_field1: note,
    metadata: { note, email },
    customer_details,
  })
  await refundPayment(service.ctx, requestOf('owner-1', `${key}-r`), payment.id, {
    amount: 10_000,
    reason: note,
  })
  await addNote(service.ctx, { ...requestOf('dewi', `${key}-n`), caller: STAFF }, payment.id, {
    text: `${first_name} ${last_name} called from ${phone}: ${note}`,
  })
  const invoice = bodyOf(
    await createInvoice(
      service.ctx,
      {
        customer_name: first_name,
        customer_email: email,
        due_date: '2099-12-31',
        items: [{ description: note, price: 1_000 }],
        notes: note,
        metadata: { note },
      },
      requestOf('owner-1', `${key}-i`),
    ),
  )
  return { payment, invoice }
}

const ani = personOf('Ani')
const budi = personOf('Budi')
let objects: Awaited<ReturnType<typeof live>>
beforeAll(async () => {
  objects = await live(ani)
  await live(budi)
  await fillSearch(service.ctx)
})

describe('erasePerson', () => {
  test('the search finds the customer in every place first, so that finding nothing proves something', async () => {
    const places = new Set((await found(ani)).map((line) => line.split(' in ')[1]))
    for (const place of [
      'gateway_payment',
      'gateway_payment_item',
      'gateway_refund',
      'gateway_operation',
      'gateway_event',
      'gateway_notification',
      'gateway_invoice',
      'gateway_invoice_item',
      'operation_reply',
      'search_entry',
      'staff_note',
    ])
      expect([...places]).toContain(place)
  })

  test('counts before it changes anything', async () => {
    const input = { email: ani.email, reason: 'ticket 81', dry_run: true }
    expect(await erasePerson(service.ctx, STAFF, input)).toEqual({
      dry_run: true,
      payments: 1,
      invoices: 1,
      subscriptions: 0,
      checkouts: 0,
      waiting: 0,
    })
    expect((await found(ani)).length).toBeGreaterThan(0)
  })

  test('removes the customer from every table, and keeps the money and all other customers', async () => {
    const before = await found(budi)
    const money = async () => {
      const payment = await readPayment(service.ctx, caller, objects.payment.id)
      const { gross_amount, captured_amount, refund_amount, transaction_status } = payment ?? {}
      return { gross_amount, captured_amount, refund_amount, transaction_status }
    }
    const kept = await money()
    expect(kept).toMatchObject({ gross_amount: '150000.00', refund_amount: '10000.00' })
    const input = { email: ani.email.toUpperCase(), reason: 'ticket 81' }
    expect(await erasePerson(service.ctx, STAFF, input)).toMatchObject({ payments: 1, invoices: 1 })
    // The keys that a caller chose for its requests stay; they identify no customer.
    const left = (await found(ani)).filter((line) => line !== 'note in gateway_operation')
    expect(left).toEqual([])
    expect(await money()).toEqual(kept)
    expect(await found(budi)).toEqual(before)
    const replies = await service.database.sql(
      `select reply.body
       from gapura.operation_reply as reply
       join gapura.gateway_operation as operation on operation.id = reply.operation_id
       where operation.intent_key = 'key-noteAniQwv'`,
    )
    expect(JSON.parse(String(replies[0]?.['body']))).toMatchObject({
      id: objects.payment.id,
      customer_email: 'erased',
      items: [],
      metadata: {},
    })
  })

  test('notes of staff lose their text and nothing else, and refuse every other change', async () => {
    const notes = async () =>
      await withReadTransaction(
        service.ctx.db,
        async (tx) => await listStaffNotes(tx, objects.payment.id),
      )
    expect(await notes()).toMatchObject([
      { author: 'dewi', text: 'Erased together with the data of the person it was about.' },
    ])
    const { sql } = service.database
    for (const change of [
      "update gapura.staff_note set text = 'something else'",
      "update gapura.staff_note set author = 'eka'",
      `update gapura.staff_note set created_at = created_at - interval '1 hour',
         text = 'Erased together with the data of the person it was about.'`,
      'update gapura.staff_note set owner_id = null',
      'delete from gapura.staff_note',
      'truncate gapura.staff_note',
    ])
      await expect(sql(change)).rejects.toThrow('append-only')
    // One that is written later is found by the owner: the e-mail is gone from the payment.
    await addNote(service.ctx, { ...requestOf('dewi'), caller: STAFF }, objects.payment.id, {
      text: `again ${ani.first_name}`,
    })
    const dry = { owner_id: 'owner-1', reason: 'ticket 81', dry_run: true }
    const counted = (await erasePerson(service.ctx, STAFF, dry))?.payments
    expect(counted).toBe(2)
    expect((await notes()).map(({ text }) => text)).toHaveLength(2)
  })

  test('the audit of it is complete, and every promise holds', async () => {
    await sealAudit(service.ctx)
    const { db } = service.database
    expect((await verifyAudit(db)).faults).toEqual([])
    const { broken } = await verifyDatabase(DATABASE_URL, { schema: db.schema })
    expect(broken).toEqual([])
  })

  test('a second time there is nothing left to do', async () => {
    const input = { email: ani.email, reason: 'ticket 81' }
    expect(await erasePerson(service.ctx, STAFF, input)).toMatchObject({
      payments: 0,
      invoices: 0,
      subscriptions: 0,
    })
  })

  test('leaves operations in progress, and reports them', async () => {
    const citra = personOf('Citra')
    const { payment } = await live(citra)
    await service.database.sql(
      "update gapura.gateway_operation set state = 'unknown', due_at = gapura.now() where subject_id = $1 and kind = 'charge'",
      [payment.id],
    )
    const input = { email: citra.email, reason: 'ticket 82' }
    expect(await erasePerson(service.ctx, STAFF, input)).toMatchObject({
      payments: 0,
      invoices: 1,
      waiting: 1,
    })
    await service.database.sql(
      "update gapura.gateway_operation set state = 'succeeded', due_at = null where subject_id = $1 and kind = 'charge'",
      [payment.id],
    )
    expect(await erasePerson(service.ctx, STAFF, input)).toMatchObject({ payments: 1, waiting: 0 })
  })

  test('erases all customers of an owner, subscriptions included', async () => {
    const dewi = personOf('Dewi')
    const saved = await service.ctx.gateway.registerCard({
      card_number: '4811111111111114',
      card_exp_month: '12',
      card_exp_year: '2035',
    })
    const subscribed = await createSubscription(
      service.ctx,
      {
        name: `Tea ${dewi.first_name}`,
        amount: 20_000,
        payment_type: 'credit_card',
        token: String(saved.saved_token_id),
        customer_details: { first_name: dewi.first_name, email: dewi.email, phone: dewi.phone },
        metadata: { note: dewi.note },
      },
      requestOf('owner-2'),
    )
    expect(bodyOf(subscribed)['status']).toBe('active')
    const input = { owner_id: 'owner-2', reason: 'the shop has left' }
    expect(await erasePerson(service.ctx, STAFF, input)).toMatchObject({ subscriptions: 1 })
    expect(await found(dewi)).toEqual([])
  })

  test('needs staff, one of the two selectors and a reason', async () => {
    const refused = async (input: object, who = STAFF) =>
      await erasePerson(service.ctx, who, input).catch((error: { code?: string }) => error.code)
    const good = { email: ani.email, reason: 'ticket' }
    expect(await refused(good, { ...STAFF, staff: false })).toBe('forbidden')
    expect(await refused({ ...good, owner_id: 'owner-1' })).toBe('invalid_request')
    expect(await refused({ reason: 'ticket' })).toBe('invalid_request')
    expect(await refused({ email: ani.email })).toBe('invalid_request')
  })
})
