import type { Context } from '../context.ts'
import type { Outcome, Request } from '../requests.ts'
import { performAction } from './perform_action.ts'
import { representAction, ruleOf, type Why } from './simple_action.ts'

/** Ends a payment that is not paid for good: anything before settlement (api-rules.md#actions). */
export const cancelPayment = async (
  ctx: Context,
  request: Request,
  id: string,
  why: Why = {},
): Promise<Outcome> =>
  await performAction(ctx, request, {
    id,
    plan: { kind: 'cancel', request: why, check: ruleOf('cancel') },
    represent: representAction,
  })
