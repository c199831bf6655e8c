import { paramOf, type Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { payInvoice } from '../operations/invoice_payments.ts'
import { textAt, type Fields } from '../wire/fields.ts'
import { statusFields } from '../wire/representation.ts'
import type { Transaction } from '../world/transaction.ts'
import type { World } from '../world/world.ts'
import { pageOf } from './page.ts'
import { TESTER_ACTION_NAMES, performAction, isTesterAction } from './payer.ts'
import { fault, route, type ControlRoute } from './reply.ts'

/** One transaction with its history. */
export function shownTransaction(world: World, transaction: Transaction): Fields {
  const { history, purse, instructions } = transaction
  return {
    ...statusFields(world, transaction),
    ...instructions,
    charged_amount: transaction.charged_amount,
    purse,
    history: history.map((step) => ({ ...step, at: new Date(step.at).toISOString() })),
  }
}

function list(host: Host, call: Call): Reply {
  const { transactions: index } = host.world()
  const { after, limit } = pageOf(call.query)
  const order_id = call.query.get('order_id')
  const found = order_id === null ? index.page({ after, limit }) : index.allOf(order_id)
  const transactions = found.map((one) => ({
    transaction_id: one.transaction_id,
    order_id: one.order_id,
    payment_type: one.payment_type,
    gross_amount: one.gross_amount,
    transaction_status: one.status,
    fraud_status: one.fraud_status,
  }))
  return httpReply(200, { transactions, total: index.size, next_after: after + found.length })
}

function show(host: Host, call: Call): Reply {
  const world = host.world()
  const transaction = world.transactions.find(paramOf(call, 'id'))
  if (!transaction) return fault(404, 'no such transaction')
  return httpReply(200, shownTransaction(world, transaction))
}

function act(host: Host, call: Call): Reply {
  const world = host.world()
  const transaction = world.transactions.find(paramOf(call, 'id'))
  if (!transaction) return fault(404, 'no such transaction')
  const action = paramOf(call, 'action')
  if (!isTesterAction(action))
    return fault(404, `unknown action; use one of ${TESTER_ACTION_NAMES.join(', ')}`)
  const refusal = performAction(world, transaction, action, call.body)
  if (refusal !== undefined) return fault(409, refusal)
  return httpReply(200, shownTransaction(world, transaction))
}

/** The payer pays by VA number, bill key or payment code. */
function payNumber(host: Host, call: Call): Reply {
  const world = host.world()
  const number = textAt(call.body ?? {}, 'number') ?? ''
  const invoice = world.invoice_numbers.get(number)
  const transaction =
    world.transactions.waitingOn(number) ?? (invoice && payInvoice(world, invoice, number))
  if (!transaction) return fault(404, 'nothing waits on this number')
  if (transaction.status === 'pending') performAction(world, transaction, 'pay', call.body)
  return httpReply(200, shownTransaction(world, transaction))
}

/** Reads transactions and performs tester actions on them. */
export const TRANSACTION_ROUTES: ControlRoute[] = [
  route('GET /_sim/transactions', list),
  route('GET /_sim/transactions/{id}', show),
  route('POST /_sim/transactions/{id}/{action}', act),
  route('POST /_sim/pay', payNumber),
]
