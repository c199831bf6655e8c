import { randomUUID } from 'node:crypto'
import type { Caller, GapuraApi, PaymentRepresentation } from 'gapura'
import type { Call, Command, Flag } from './command.ts'
import { findPayment } from './find_payment.ts'
import { paymentText } from './payment_text.ts'
import { AS_FLAG, staffOf, withGapura } from './session.ts'

interface Acting {
  api: GapuraApi
  caller: Caller
  id: string
  idempotencyKey: string
  call: Call
}

interface ActionCommand {
  name: string
  summary: string
  details?: string
  flags?: Readonly<Record<string, Flag>>
  example: string
  act: (acting: Acting) => Promise<PaymentRepresentation>
}

/**
 * A command that acts on one payment. Each run is one request: repeat it with the same
 * `--idempotency-key` after an unclear answer, and it is not done twice.
 */
export const actionCommand = ({
  name,
  summary,
  flags,
  example,
  act,
  ...rest
}: ActionCommand): Command => ({
  name: `payments ${name}`,
  summary,
  ...rest,
  arguments: [{ name: 'payment', summary: 'its id, or its order id' }],
  flags: {
    ...flags,
    'idempotency-key': { value: 'key', summary: 'to repeat a request that got no clear answer' },
    as: AS_FLAG,
  },
  examples: [example],
  run: async (call) => {
    const idempotencyKey = call.text('idempotency-key') ?? randomUUID()
    const caller = staffOf(call)
    const payment = await withGapura(call, async ({ api }) => {
      const { id } = await findPayment(api, caller, call.argument('payment'))
      call.output.progress(`idempotency key ${idempotencyKey}`)
      return await act({ api, caller, id, idempotencyKey, call })
    })
    call.output.result(payment, () => paymentText(payment))
  },
})
