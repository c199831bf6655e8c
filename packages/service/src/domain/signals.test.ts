import { expect, expectTypeOf, test } from 'vitest'
import type { GatewayInvoice } from './invoice.ts'
import type { GatewayPayment } from './payment.ts'
import { SIGNALS, signalKind, type SignalEnvelope } from './signals.ts'

test('the fourteen of the spec, and payment_charged_back', () => {
  expect(SIGNALS).toHaveLength(15)
  expect(new Set(SIGNALS).size).toBe(15)
})

test.each(SIGNALS)('%s is about the object its name says', (signal) => {
  expect(signal.startsWith(`${signalKind(signal)}_`)).toBe(true)
})

test('an envelope carries the object of its signal', () => {
  expectTypeOf<SignalEnvelope<'payment_settled'>['object']>().toEqualTypeOf<GatewayPayment>()
  expectTypeOf<SignalEnvelope<'invoice_paid'>['object']>().toEqualTypeOf<GatewayInvoice>()
})
