import { describe, expect, test } from 'vitest'
import type { GatewayInvoice } from '../../src/domain/invoice.ts'
import { newId } from '../../src/store/sql/values.ts'
import {
  changeInvoice,
  findInvoice,
  insertInvoice,
  listInvoiceItems,
  listInvoices,
  lockInvoice,
  type InvoiceChange,
  type NewInvoice,
} from '../../src/store/invoices/rows.ts'
import { ownerOf, STAFF, there } from './sample_rows.ts'
import { useDatabase } from './test_database.ts'

const here = useDatabase()

const newInvoice = (given: Partial<NewInvoice> = {}): NewInvoice => {
  const id = given.id ?? newId()
  return {
    id,
    owner_id: 'owner-1',
    invoice_number: `INV-${id}`,
    order_id: id,
    customer_id: null,
    customer_name: 'Budi',
    customer_email: 'budi@example.com',
    customer_phone: '62812',
    total_amount: 20_000_00n,
    currency: 'IDR',
    // The last day of a month: a time zone anywhere on the way would show.
    invoice_date: '2026-10-31',
    due_date: '2026-11-30',
    notes: null,
    metadata: { a: 1 },
    ...given,
  }
}

const items = () => [
  { id: newId(), item_id: 'a', description: 'Lamp', quantity: 2, price: 12_000_00n },
  { id: newId(), item_id: null, description: 'Discount', quantity: 1, price: -4_000_00n },
]

const add = async (given: Partial<NewInvoice> = {}): Promise<GatewayInvoice | undefined> =>
  await here.do(async (tx) => await insertInvoice(tx, newInvoice(given), items()))

test('an invoice is read back with every property as it was written, its days as days', async () => {
  const given = newInvoice()
  const change: Required<InvoiceChange> = {
    gateway_invoice_id: 'gateway-1',
    status: 'voided',
    void_reason: 'wrong name',
    payment_link_url: 'https://example.com/pay',
    pdf_url: 'https://example.com/pdf',
    virtual_accounts: [{ name: 'bca_va', number: '123' }],
    paid_at: new Date('2026-11-14T00:00:00.123Z'),
    next_check_at: new Date('2026-11-15T00:00:00Z'),
  }
  await here.do(async (tx) => {
    const invoice = there(await insertInvoice(tx, given, []))
    expect(invoice).toMatchObject({ status: 'initiated', version: 1, virtual_accounts: [] })
    const changed = there(await changeInvoice(tx, invoice, change))
    const { created_at, updated_at } = changed
    const whole: GatewayInvoice = { ...given, ...change, version: 2, created_at, updated_at }
    expect(changed).toEqual(whole)
    expect(await lockInvoice(tx, given.id)).toEqual(whole)
    expect(await changeInvoice(tx, invoice, { status: 'paid' })).toBeUndefined()
  })
})

test('keeps its items in order', async () => {
  const rows = items()
  await here.do(async (tx) => {
    const { id, owner_id } = there(await insertInvoice(tx, newInvoice(), rows))
    expect(await listInvoiceItems(tx, id)).toEqual(
      rows.map((item, position) => ({ ...item, position, invoice_id: id, owner_id })),
    )
  })
})

describe('numbers', () => {
  test('an order id is unique for all, an invoice number for its owner', async () => {
    await add({ order_id: 'o-1', invoice_number: 'n-1' })
    expect(await add({ order_id: 'o-1' })).toBeUndefined()
    expect(await add({ invoice_number: 'n-1' })).toBeUndefined()
    expect(await add({ invoice_number: 'n-1', owner_id: 'owner-2' })).toBeDefined()
  })

  test('are free again once the gateway refused the invoice', async () => {
    const refused = there(await add({ order_id: 'o-2', invoice_number: 'n-2' }))
    await here.do(async (tx) => await changeInvoice(tx, refused, { status: 'failure' }))
    expect(await add({ order_id: 'o-2', invoice_number: 'n-2' })).toBeDefined()
  })
})

test('only the owner and staff see an invoice, alone and in lists', async () => {
  const { id } = there(await add({ owner_id: 'seen' }))
  await here.do(async (tx) => {
    const request = { cursor: null, page_size: 100 }
    expect(await findInvoice(tx, ownerOf('other'), id)).toBeUndefined()
    expect(await findInvoice(tx, ownerOf('seen'), id)).toMatchObject({ id })
    expect((await listInvoices(tx, ownerOf('other'), {}, request)).results).toEqual([])
    expect((await listInvoices(tx, ownerOf('seen'), {}, request)).results).toHaveLength(1)
    const paid = await listInvoices(tx, ownerOf('seen'), { status: 'paid' }, request)
    expect(paid.results).toEqual([])
    const all = await listInvoices(tx, STAFF, { status: 'initiated' }, request)
    expect(all.results.map((invoice) => invoice.id)).toContain(id)
  })
})
