import { gatewayError } from '../../domain/errors.ts'
import { mayVoid } from '../../domain/invoice_transitions.ts'
import type { Context } from '../context.ts'
import { changeObject } from '../operations/prepare.ts'
import type { Outcome, Request } from '../requests.ts'
import { keptTextParser } from '../secret_faults.ts'
import { VOID_INPUT } from './invoice_input.ts'
import { INVOICE_OPERATIONS } from './operations.ts'

const parseVoid = keptTextParser(VOID_INPUT)

/** Voids an unpaid invoice. The reason is stored here only: the gateway has no field for it. */
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
