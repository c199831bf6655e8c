// Concurrent repeats with their own order id: none is refused because of the first one's order.
import { expect, test } from 'vitest'
import { createInvoice } from '../../src/services/invoices/actions.ts'
import { useInvoices } from '../services/invoice_bench.ts'
import { requestOf } from '../services/service_bench.ts'

const { service, inputOf } = useInvoices()

test('ten invoices at once with one key and one order id: none is answered duplicate_order', async () => {
  const input = await inputOf({ order_id: service.fresh('at-once') })
  const codes = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const outcome = createInvoice(service.ctx, input, requestOf('owner-1', 'at-once'))
      return await outcome.then(
        (answer) => (answer.kind === 'problem' ? answer.code : 'made'),
        (error: unknown) => (error as { code: string }).code,
      )
    }),
  )
  expect(codes).toContain('made')
  expect(codes).not.toContain('duplicate_order')
})
