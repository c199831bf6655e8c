import { paramOf, type Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { payInvoice } from '../operations/invoice_payments.ts'
import { textAt } from '../wire/fields.ts'
import { statusFields } from '../wire/representation.ts'
import { fault, route, type ControlRoute } from './reply.ts'

function pay(host: Host, call: Call): Reply {
  const world = host.world()
  const invoice = world.invoices.get(paramOf(call, 'id'))
  if (!invoice) return fault(404, 'no such invoice')
  const transaction = payInvoice(world, invoice, textAt(call.body ?? {}, 'number'))
  if (!transaction) return fault(409, `it is ${invoice.status}`)
  return httpReply(200, statusFields(world, transaction))
}

/** Every invoice, as evidence of what was created and how often. */
function list(host: Host): Reply {
  const invoices = [...host.world().invoices.values()].map(({ id, order_id, status, sent }) => ({
    id,
    order_id,
    status,
    customer_details: sent['customer_details'],
    notes: sent['notes'],
  }))
  return httpReply(200, { invoices })
}

/** The customer's side of an invoice. */
export const INVOICE_ROUTES: ControlRoute[] = [
  route('GET /_sim/invoices', list),
  route('POST /_sim/invoices/{id}/pay', pay),
]
