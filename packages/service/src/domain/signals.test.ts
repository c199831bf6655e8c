import { expect, expectTypeOf, test } from 'vitest'
import type { InvoiceRepresentation } from './invoice_representation.ts'
import type { PaymentRepresentation } from './payment_representation.ts'
import type { SignalEnvelope } from './signal_envelope.ts'
import { SIGNALS, signalKind } from './signals.ts'

test('the fourteen of the spec, payment_charged_back, and four of checkouts', () => {
  expect(SIGNALS).toHaveLength(19)
  expect(new Set(SIGNALS).size).toBe(19)
})

test.each(SIGNALS)('%s is about the object its name says', (signal) => {
  expect(signal.startsWith(`${signalKind(signal)}_`)).toBe(true)
})

test('an envelope carries the representation of the object of its signal', () => {
  expectTypeOf<SignalEnvelope<'payment_settled'>['object']>().toEqualTypeOf<PaymentRepresentation>()
  expectTypeOf<SignalEnvelope<'invoice_paid'>['object']>().toEqualTypeOf<InvoiceRepresentation>()
})
