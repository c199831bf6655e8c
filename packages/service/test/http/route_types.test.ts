// Checked by the compiler: this file does not compile where a route could reply otherwise than its
// schema says, or where the in-process API has other types than its routes. `npm run check` runs it.
import { Type } from 'typebox'
import { expectTypeOf, test } from 'vitest'
import type { GivenCaller } from '../../src/domain/caller.ts'
import type { PaymentPage } from '../../src/http/payments.ts'
import { listRoute, NEWEST_FIRST } from '../../src/http/platform/list.ts'
import { route } from '../../src/http/platform/route.ts'
import { named, pageOf, text, time } from '../../src/http/platform/schema.ts'
import type { CallWith } from '../../src/main/api_calls.ts'
import type { GapuraApi, GapuraStaff } from '../../src/main/api.ts'
import type { Gapura } from '../../src/main/create_gapura.ts'
import type { ChargeInput } from '../../src/services/payments/charge_types.ts'
import type { PaymentRepresentation } from '../../src/domain/payment_representation.ts'
import type { Refunded } from '../../src/services/payments/representation.ts'
import { replied, type Streamed } from '../../src/services/requests.ts'

const A = named('A', { name: text('A name.'), at: time('A time.') })
const got = { method: 'GET', path: '/a/', operation: 'a', summary: 'A', scope: null } as const
const at = new Date(0)

export const accepted = [
  route({ ...got, reply: A, run: async () => await Promise.resolve({ name: 'a', at }) }),
  route({ ...got, reply: A, run: async () => await Promise.resolve(undefined) }),
]

export const refused = [
  // @ts-expect-error: a number where the schema says text
  route({ ...got, reply: A, run: async () => await Promise.resolve({ name: 1, at }) }),
  // @ts-expect-error: a property that is not there
  route({ ...got, reply: A, run: async () => await Promise.resolve({ name: 'a' }) }),
  // @ts-expect-error: the body of a kept reply counts as well
  route({ ...got, reply: A, run: async () => await Promise.resolve(replied(200, { b: 1 })) }),
]

/** No parameter of the in-process API is `unknown`: a call of a wrong shape does not compile. */
type Untyped<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (...given: infer Given) => unknown
    ? unknown extends Given[number]
      ? Name
      : never
    : never
}[keyof Calls]

const shop = { owner_id: 'shop' }
const gross_amount = 44_000

// The compiler must refuse each that is marked, and no other.
export const calls = async ({ api, client }: Gapura): Promise<void> => {
  await api.createCharge(shop, { payment_type: 'bank_transfer', bank: 'bca', gross_amount })
  // @ts-expect-error: a bank transfer needs a bank
  await api.createCharge(shop, { payment_type: 'bank_transfer', gross_amount })
  // @ts-expect-error: there is no such bank
  await api.createCharge(shop, { payment_type: 'bank_transfer', bank: 'bcaa', gross_amount })
  // @ts-expect-error: there is no such store
  await api.createCharge(shop, { payment_type: 'cstore', store: 'alfamarkt', gross_amount })
  // @ts-expect-error: a card needs its token
  await api.createCharge(shop, { payment_type: 'credit_card', gross_amount })
  // @ts-expect-error: a QRIS charge takes no token
  await api.createCharge(shop, { payment_type: 'qris', token_id: 'a', gross_amount })
  // @ts-expect-error: hundredths are no amount
  await api.createCharge(shop, { payment_type: 'qris', gross_amount: 4_400_000n })
  // @ts-expect-error: OVO needs a phone number, the payer's or the customer's
  await api.createCharge(shop, { payment_type: 'ovo', gross_amount })
  const customer_details = { phone: '081234567890' }
  await api.createCharge(shop, { payment_type: 'ovo', gross_amount, customer_details })
  await api.createCharge(shop, { payment_type: 'ovo', gross_amount, payer_phone_number: '08' })
  // @ts-expect-error: a card token cannot be queued
  await api.queueCharge(shop, { payment_type: 'credit_card', token_id: 'a', gross_amount })
  // @ts-expect-error: a linked wallet names its account
  await api.createSubscription(shop, { name: 'a', amount: 1, payment_type: 'gopay', token: 't' })
  // @ts-expect-error: hundredths are no amount
  await client.refund({ order_id: 'a', refund_key: 'b', amount: 10_000n })
  // @ts-expect-error: nor in order
  await client.refund('a', 'b', 10_000n)
  // @ts-expect-error: a misspelt name
  await client.refund({ order_id: 'a', refund_key: 'b', ammount: 1 })
}

const query = Type.Object({})
const parse = () => ({ filters: {}, page_size: 1, cursor: null })
const find = async () => await Promise.resolve({ next: null, previous: null, results: [{ a: 1 }] })
export const refusedList = listRoute(
  // @ts-expect-error: rows of another shape than the schema of the page
  { path: '/a/', operation: 'a', summary: 'A', scope: null, query, reply: pageOf('Page', A) },
  { cursors: NEWEST_FIRST, parse, find },
)

test('no function of the in-process API takes an unknown', () => {
  expectTypeOf<Untyped<GapuraApi>>().toEqualTypeOf<never>()
  expectTypeOf<Untyped<GapuraStaff>>().toEqualTypeOf<never>()
})

test('functions of the in-process API take and give what their routes say', () => {
  type Api = GapuraApi
  expectTypeOf<Parameters<Api['createCharge']>>().toEqualTypeOf<
    [caller: GivenCaller, input: ChargeInput, options?: CallWith]
  >()
  expectTypeOf<ReturnType<Api['createCharge']>>().toEqualTypeOf<Promise<PaymentRepresentation>>()
  expectTypeOf<Parameters<Api['cancelPayment']>>().toEqualTypeOf<
    [caller: GivenCaller, id: string, options?: CallWith]
  >()
  expectTypeOf<Parameters<Api['getPayment']>>().toEqualTypeOf<[caller: GivenCaller, id: string]>()
  expectTypeOf<ReturnType<Api['refundPayment']>>().toEqualTypeOf<Promise<Refunded>>()
  expectTypeOf<ReturnType<Api['listPayments']>>().toEqualTypeOf<Promise<PaymentPage>>()
  expectTypeOf<NonNullable<Parameters<Api['listPayments']>[1]>['status']>().toEqualTypeOf<
    PaymentRepresentation['transaction_status'] | undefined
  >()
  expectTypeOf<undefined>().toExtend<Parameters<Api['voidInvoice']>[2]>()
})

test('functions of staff take no key where none is kept', () => {
  expectTypeOf<Parameters<GapuraStaff['replayNotification']>>().toEqualTypeOf<
    [caller: GivenCaller, id: string]
  >()
  expectTypeOf<Parameters<GapuraStaff['closeAlarm']>>().toEqualTypeOf<
    [caller: GivenCaller, id: string, input: { reason: string }]
  >()
  expectTypeOf<Awaited<ReturnType<GapuraStaff['closeAlarm']>>['created_at']>().toEqualTypeOf<Date>()
  expectTypeOf<ReturnType<GapuraStaff['exportPayments']>>().toEqualTypeOf<Promise<Streamed>>()
  expectTypeOf<Parameters<GapuraStaff['searchPayments']>[1]>().toEqualTypeOf<{ q: string }>()
})
