import type { Resolved } from 'gapura'
import type { Command } from '../command.ts'
import { invoiceRows, subscriptionRows } from '../object_rows.ts'
import { record } from '../output.ts'
import { paymentText } from '../payment_text.ts'
import { staffOf, withGapura } from '../session.ts'

const OUTCOMES = ['look', 'done', 'refused'] as const

function objectText({ payment, invoice, subscription }: Resolved): string {
  if (payment !== undefined) return paymentText(payment)
  if (invoice !== undefined) return record(invoiceRows(invoice))
  return subscription === undefined ? '' : record(subscriptionRows(subscription))
}

export const operationsResolve: Command = {
  name: 'operations resolve',
  summary: 'End an operation without a clear outcome; staff member and reason are recorded.',
  details:
    'Gapura asks the gateway first and records what it shows, whatever --outcome says. --outcome decides only if the gateway shows nothing: that a refund was paid (done), or that a refund, a DANA charge, an invoice or a subscription was not made (refused). --outcome never creates an object: for DANA give --transaction-id from the gateway’s dashboard; for an invoice or a subscription give --gateway-id, and the object must have our order id or name and our amount. Wait a minute after the last send; to refuse an invoice or a subscription, wait until it can no longer be repeated.',
  arguments: [{ name: 'id', summary: 'the operation, as operations list shows it' }],
  flags: {
    as: { value: 'person', summary: 'the staff member who decides', required: true },
    reason: { value: 'text', summary: 'how you know; kept permanently', required: true },
    outcome: { value: 'outcome', summary: 'look (default): only ask the gateway; done; refused' },
    'transaction-id': { value: 'id', summary: 'the gateway’s own id of a charge you found there' },
    'gateway-id': { value: 'id', summary: 'the same of an invoice or a subscription' },
  },
  examples: [
    'gapura operations resolve <id> --as dewi --reason "asking before lunch"',
    'gapura operations resolve <id> --as dewi --reason "bank statement of 14 Nov" --outcome done',
    'gapura operations resolve <id> --as dewi --reason "on the dashboard" --outcome done --gateway-id <id>',
  ],
  run: async (call) => {
    const transaction_id = call.text('transaction-id')
    const gateway_id = call.text('gateway-id')
    const input = {
      outcome: call.oneOf('outcome', OUTCOMES) ?? 'look',
      reason: call.required('reason'),
      ...(transaction_id !== undefined && { transaction_id }),
      ...(gateway_id !== undefined && { gateway_id }),
    }
    const resolved = await withGapura(
      call,
      async ({ staff }) => await staff.resolveOperation(staffOf(call), call.argument('id'), input),
    )
    const { kind, state } = resolved.operation
    const words =
      state === 'succeeded' ? 'was done' : state === 'refused' ? 'was not done' : 'is still open'
    call.output.result(resolved, () => `The ${kind} ${words}.\n\n${objectText(resolved)}`)
  },
}
