import { describe, expect, test } from 'vitest'
import type { Caller } from '../../src/domain/caller.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { listPayments, readPayment } from '../../src/services/payments/read_payments.ts'
import { charges } from './charge_inputs.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService()
const { chargeOf } = charges(() => service.ctx.gateway)

const charge = async (owner: string, payment_type: string) =>
  bodyOf(await createCharge(service.ctx, await chargeOf(payment_type), requestOf(owner))).id

const staff: Caller = { owner_id: 'staff', staff: true, scopes: ['staff:read'] }
const whole = { cursor: null, page_size: 100 }

describe('a list', () => {
  test('shows an owner its own payments, and staff all of them, newest first, in the reduced form', async () => {
    const first = await charge('ani', 'qris')
    const second = await charge('ani', 'gopay')
    const other = await charge('budi', 'qris')
    const { caller } = requestOf('ani')
    const mine = await listPayments(service.ctx, caller, {}, whole)
    expect(mine.results.map(({ id }) => id)).toEqual([second, first])
    const all = await listPayments(service.ctx, staff, {}, whole)
    expect(all.results.map(({ id }) => id)).toEqual([other, second, first])
    expect(Object.keys(mine.results[0] ?? {})).toEqual([
      'id',
      'order_id',
      'payment_type',
      'gross_amount',
      'transaction_status',
      'customer_email',
      'is_paid',
      'created_at',
    ])
  })

  test('filters by type and status', async () => {
    const { caller } = requestOf('cici')
    const qris = await charge('cici', 'qris')
    await charge('cici', 'bank_transfer')
    const found = await listPayments(service.ctx, caller, { payment_type: 'qris' }, whole)
    expect(found.results.map(({ id }) => id)).toEqual([qris])
    const settled = await listPayments(
      service.ctx,
      caller,
      { transaction_status: 'settlement' },
      whole,
    )
    expect(settled.results).toEqual([])
  })

  test('a payment is read by its owner and by staff, and by no other caller', async () => {
    const id = await charge('dewi', 'qris')
    expect(await readPayment(service.ctx, requestOf('dewi').caller, id)).toMatchObject({ id })
    expect(await readPayment(service.ctx, staff, id)).toMatchObject({ id })
    expect(await readPayment(service.ctx, requestOf('eka').caller, id)).toBeUndefined()
    // Staff see every payment whatever their scopes; a staff scope alone makes no caller staff.
    expect(await readPayment(service.ctx, { ...staff, scopes: [] }, id)).toMatchObject({ id })
    const scoped = { ...staff, staff: false }
    expect(await readPayment(service.ctx, scoped, id)).toBeUndefined()
    expect((await listPayments(service.ctx, scoped, {}, whole)).results).toEqual([])
  })
})
