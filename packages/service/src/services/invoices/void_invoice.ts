import { gatewayError } from '../../domain/errors.ts'
import { mayVoid } from '../../domain/invoice_transitions.ts'
import type { Context } from '../context.ts'
import { changeObject } from '../operations/prepare.ts'
import type { Outcome, Request } from '../requests.ts'
import { keptTextParser } from '../secret_faults.ts'
import { VOID_INPUT } from './invoice_input.ts'
import { INVOICE_OPERATIONS } from './operations.ts'

const parseVoid = keptTextParser(VOID_INPUT)

/** Voids an invoice that is not paid yet. The reason is kept here: the gateway takes none. */
export async function voidInvoice(
  ctx: Context,
  request: Request,
  id: string,
  input: unknown,
): Promise<Outcome> {
  const { reason } = parseVoid(input ?? {})
  return await changeObject(ctx, request, {
    type: INVOICE_OPERATIONS.void_invoice,
    id,
    kept: reason === undefined || reason === '' ? {} : { reason },
    check: ({ status }) => {
      if (!mayVoid(status)) throw gatewayError('invoice_not_voidable')
    },
  })
}
