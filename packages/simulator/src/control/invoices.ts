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

/** The payment link's page: a button that pays. */
function page(host: Host, call: Call): Reply {
  const invoice = host.world().invoices.get(paramOf(call, 'id'))
  if (!invoice) return fault(404, 'no such invoice')
  return httpReply(
    200,
    `<!DOCTYPE html><html lang="en"><body><h1>Invoice ${invoice.id}</h1>` +
      `<p>Rp ${invoice.gross_amount}: ${invoice.status}</p>` +
      '<form method="post"><button>Pay</button></form></body></html>',
  )
}

/** The customer's side of an invoice. */
export const INVOICE_ROUTES: ControlRoute[] = [
  route('POST /_sim/invoices/{id}/pay', pay),
  route('GET /_sim/pages/invoices/{id}', page),
  route('POST /_sim/pages/invoices/{id}', pay),
]
