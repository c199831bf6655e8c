// What staff find, before and after the background has filled the table that they search by.
import { beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { phoneDigits } from '../../src/domain/search_term.ts'
import { createInvoice } from '../../src/services/invoices/actions.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { erasePerson } from '../../src/services/privacy/erase_person.ts'
import { readCustomer } from '../../src/services/staff/read_customer.ts'
import { searchPayments } from '../../src/services/staff/search_payments.ts'
import { fillSearch } from '../../src/services/sweeps/fill_search.ts'
import { withReadTransaction, withTransaction } from '../../src/store/connection/transaction.ts'
import { readEventHorizon } from '../../src/store/events/outbox.ts'
import { fillNextEntries } from '../../src/store/search/entries.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService()
const STAFF = { owner_id: 'dewi', staff: true, scopes: SCOPES }

const CUSTOMER = {
  first_name: 'Siti',
  last_name: 'Nurhaliza Putri',
  email: 'Siti.Nur@Example.com',
  phone: '+62 812-3456-7890',
}

const found = async (q: string): Promise<Record<string, string[]>> => {
  const { matches } = await searchPayments(service.ctx, STAFF, { q })
  return Object.fromEntries(
    matches.map(({ kind, results }) => [kind, results.map(({ order_id }) => order_id)]),
  )
}

let refund_key = ''
let payment_id = ''

beforeAll(async () => {
  const charge = async (order_id: string, payment_type: string, more: object = {}) =>
    bodyOf(
      await createCharge(
        service.ctx,
        { order_id, payment_type, gross_amount: 150_000, customer_details: CUSTOMER, ...more },
        requestOf('owner-1', `key-${order_id}`),
      ),
    )
  await charge('INV-2026-00123-A', 'bank_transfer', { bank: 'bca' })
  payment_id = (await charge('INV-2026-00124-B', 'gopay')).id
  await service.control('transactions/INV-2026-00124-B/pay')
  await getStatus(service.ctx, requestOf().caller, payment_id)
  const refunded = bodyOf(
    await refundPayment(service.ctx, requestOf('owner-1', 'refund-1'), payment_id, {
      amount: 10_000,
    }),
  )
  refund_key = (refunded['refund'] as { refund_key: string }).refund_key
  const other = { first_name: 'Andi', email: 'andi@example.com', phone: '0811222333' }
  await charge('other-1', 'qris', { customer_details: other })
  await service.database.sql(
    `update gapura.gateway_payment set masked_card = '48111111-1114' where order_id = 'other-1'`,
  )
  await createInvoice(
    service.ctx,
    {
      customer_name: 'Siti Nurhaliza',
      customer_email: 'siti.nur@example.com',
      customer_phone: '6281234567890',
      due_date: '2099-12-31',
      items: [{ description: 'Tea', price: 1_000 }],
    },
    requestOf('owner-1', 'invoice-1'),
  )
})

const BOTH = ['INV-2026-00124-B', 'INV-2026-00123-A']

const TERMS: [string, string, string[]][] = [
  ['siti nur', 'customer_name', BOTH],
  ['NURHALIZA', 'customer_name', BOTH],
  ['haliza', 'customer_name', BOTH],
  ['081234567890', 'customer_phone', BOTH],
  ['0812-3456-7890', 'customer_phone', BOTH],
  ['+62 812 3456 7890', 'customer_phone', BOTH],
  ['6281234', 'customer_phone', BOTH],
  ['81234567890', 'customer_phone', BOTH],
  ['siti.nur@example.com', 'customer_email', BOTH],
  ['siti.n', 'customer_email', BOTH],
  ['inv-2026', 'order_id', BOTH],
  ['00123', 'order_id', ['INV-2026-00123-A']],
  ['1114', 'card_last_four', ['other-1']],
]

const everything = (): void => {
  test.each(TERMS)('%s finds by %s', async (term, kind, orders) => {
    expect((await found(term))[kind]).toEqual(orders)
  })

  test('a refund key, a VA number and its beginning, an amount', async () => {
    expect((await found(refund_key))['refund_key']).toEqual(['INV-2026-00124-B'])
    const [{ va_number = '' } = {}] = await service.database.sql(
      `select va_number from gapura.gateway_payment where order_id = 'INV-2026-00123-A'`,
    )
    const number = String(va_number)
    expect((await found(number))['va_number']).toEqual(['INV-2026-00123-A'])
    expect((await found(number.slice(0, 8)))['va_number']).toEqual(['INV-2026-00123-A'])
    expect((await found('Rp 150.000'))['gross_amount']).toHaveLength(3)
  })

  test('a customer has payments and invoices, by address or by any spelling of the number', async () => {
    for (const key of [{ email: 'siti.nur@EXAMPLE.com' }, { phone: '0812 3456 7890' }]) {
      const { payments, invoices } = await readCustomer(service.ctx, STAFF, key)
      expect(payments.map(({ order_id }) => order_id)).toEqual(BOTH)
      expect(invoices).toHaveLength(1)
    }
  })
}

describe('what no process has filled in yet is found all the same', () => {
  test('nothing is filled in', async () => {
    expect(await service.database.sql('select from gapura.search_entry')).toHaveLength(0)
  })
  everything()
})

describe('after a process has filled in what changed', () => {
  test('two processes at once fill each event once, and a repeat finds nothing', async () => {
    const filled = await Promise.all([fillSearch(service.ctx), fillSearch(service.ctx)])
    expect(Math.max(...filled)).toBeGreaterThan(4)
    await expect.poll(async () => await fillSearch(service.ctx)).toBe(0)
    expect(await service.database.sql('select from gapura.search_entry')).toHaveLength(4)
  })
  everything()

  test('a process that is stopped in between continues where it was', async () => {
    const { ctx } = service
    await service.database.sql(
      `update gapura.search_progress set cursor_xid = '0', cursor_sequence = 0`,
    )
    await service.database.sql('delete from gapura.search_entry')
    const horizon = await withReadTransaction(ctx.db, readEventHorizon)
    await expect(
      withTransaction(ctx.db, async (tx) => {
        await fillNextEntries(tx, 2, horizon)
        throw new Error('stopped')
      }),
    ).rejects.toThrow('stopped')
    expect(await withTransaction(ctx.db, (tx) => fillNextEntries(tx, 2, horizon))).toBe(2)
    await fillSearch(ctx)
    expect(await service.database.sql('select from gapura.search_entry')).toHaveLength(4)
  })

  test('a term that is too short or means nothing finds nothing', async () => {
    expect([await found('si'), await found("x'; --"), await found('%%%')]).toEqual([{}, {}, {}])
  })

  test('without pg_trgm the beginning is found, and the reply says so', async () => {
    const { sql } = service.database
    await sql('alter index gapura.search_entry_part rename to search_entry_part_away')
    const searched = await searchPayments(service.ctx, STAFF, { q: '00123' })
    expect([searched.parts, searched.matches]).toEqual([false, []])
    expect((await found('inv-2026'))['order_id']).toEqual(BOTH)
    await sql('alter index gapura.search_entry_part_away rename to search_entry_part')
  })

  test('an erased customer is found by nothing', async () => {
    await erasePerson(service.ctx, STAFF, { email: CUSTOMER.email, reason: 'asked to' })
    for (const [term, kind] of TERMS.slice(0, 10)) expect((await found(term))[kind]).toBeUndefined()
    expect(
      await service.database.sql(
        `select from gapura.search_entry
         where customer_name like '%siti%' or customer_email like '%siti%' or customer_phone like '%812%'`,
      ),
    ).toEqual([])
    expect((await found('00123'))['order_id']).toEqual(['INV-2026-00123-A'])
  })
})

test('the database writes a phone number as the search term is written', async () => {
  const phones = ['0812345', '+62 812 345', '62-812-345', '0062812345', '812345', '620812345']
  const others = ['+65 9123 4567', '0065 9123', '021 555', '911', 'none', '']
  for (const phone of [...phones, ...others]) {
    const [row] = await service.database.sql('select gapura.phone_digits($1) as digits', [phone])
    expect([phone, row?.['digits'] ?? '']).toEqual([phone, phoneDigits(phone)])
  }
  expect(new Set(phones.map(phoneDigits))).toEqual(new Set(['62812345']))
})
