import { describe, expect, expectTypeOf, test } from 'vitest'
import type { InvoiceRepresentation } from '../../src/domain/invoice_representation.ts'
import type { PaymentRepresentation } from '../../src/domain/payment_representation.ts'
import type { SignalEnvelope } from '../../src/domain/signal_envelope.ts'
import type { Signal } from '../../src/domain/signals.ts'
import { subscribe } from '../../src/events/subscribers.ts'
import { representWithin } from '../../src/services/payments/representation.ts'
import { findPaymentById } from '../../src/store/payments/rows.ts'
import { there } from '../store/sample_rows.ts'
import { Recorder, useEvents } from './event_bench.ts'

const bench = useEvents()
const ignore = () => undefined

describe('subscribe', () => {
  test('gives the handler the type of the signals it names', () => {
    subscribe({
      name: 'typed',
      signals: ['payment_settled', 'invoice_paid'],
      handler: (event) => {
        expectTypeOf(event.type).toEqualTypeOf<'payment_settled' | 'invoice_paid'>()
        if (event.type === 'payment_settled') {
          expectTypeOf(event.object).toEqualTypeOf<PaymentRepresentation>()
        } else {
          expectTypeOf(event.object).toEqualTypeOf<InvoiceRepresentation>()
        }
      },
    })
  })

  test.each(['', 'UPPER', 'with space', 'x'.repeat(101)])('refuses the name “%s”', (name) => {
    expect(() => subscribe({ name, signals: ['payment_settled'], handler: ignore })).toThrow(
      RangeError,
    )
  })

  test('refuses no signals, and an unknown one', () => {
    expect(() => subscribe({ name: 'none', signals: [], handler: ignore })).toThrow(RangeError)
    const misspelt = ['payment_setled' as Signal]
    expect(() => subscribe({ name: 'odd', signals: misspelt, handler: ignore })).toThrow(RangeError)
  })
})

test('an envelope carries the representation of the payment, without null fields of its own', async () => {
  const [id = ''] = await bench.payments(1)
  const recorder = new Recorder()
  await bench.relay({ subscribers: [recorder.subscriber('whole')] })
  await bench.publish(id)
  await bench.heard(recorder, 1)
  const [event] = recorder.received
  const payment = await bench.here.do(
    async (tx) => await representWithin(tx, there(await findPaymentById(tx, id))),
  )
  expect(event).toEqual({
    id: expect.any(String) as string,
    type: 'payment_received',
    sequence: 1,
    occurred_at: expect.any(Date) as Date,
    object: payment,
    previous_status: 'initiated',
    source: 'charge',
  } satisfies SignalEnvelope)
})

test('only the signals a subscriber names are delivered, and the others are not delivered later', async () => {
  const [id = ''] = await bench.payments(1)
  const recorder = new Recorder()
  await bench.publish(id, 1, 'payment_received')
  await bench.publish(id, 1, 'payment_settled')
  await bench.publish(id, 1, 'payment_refunded')
  const picky = recorder.subscriber('picky', undefined, ['payment_settled', 'payment_refunded'])
  await bench.relay({ subscribers: [picky] })
  await bench.heard(recorder, 2)
  expect(recorder.received.map(({ type }) => type)).toEqual(['payment_settled', 'payment_refunded'])
})
