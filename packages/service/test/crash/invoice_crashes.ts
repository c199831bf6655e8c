// Helpers of the crash tests of invoices.
import type { useService } from '../services/service_bench.ts'

type Service = ReturnType<typeof useService>

interface MadeInvoice {
  id: string
  order_id: string
  status: string
  customer_details: { email: string }
}

export const invoiceCrashes = (service: Service) => ({
  invoiceInput: (customer_email: string) => ({
    customer_name: 'Budi',
    customer_email,
    due_date: '2099-12-31',
    items: [{ description: 'Lamp', price: 12_000 }],
  }),
  /** The gateway's invoices of this customer, whatever their order ids. */
  invoicesFor: async (email: string): Promise<MadeInvoice[]> => {
    const reply = await fetch(`${service.simulator.url}/_sim/invoices`)
    const { invoices } = (await reply.json()) as { invoices: MadeInvoice[] }
    return invoices.filter(({ customer_details }) => customer_details.email === email)
  },
  openOperations: async (): Promise<number> => {
    const [row] = await service.database.sql(
      "select count(*) as n from gapura.gateway_operation where state in ('started', 'unknown')",
    )
    return Number(row?.['n'])
  },
  /** The fault that leads an operation past points that only a failure reaches. */
  prepareInvoice: async (point: string, operation = 'create_invoice'): Promise<void> => {
    const strike = async (effect: string, options: object = {}) =>
      await service.control('faults', { effect, match: { operation }, times: 1, options })
    const refusal = { http_status: 400, body: { error_messages: ['no'] } }
    if (point.endsWith('.refused')) await strike('status', refusal)
    if (point.endsWith('.unclear')) await strike('drop_after')
  },
})
