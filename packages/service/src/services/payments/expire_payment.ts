import type { Context } from '../context.ts'
import type { Outcome, Request } from '../requests.ts'
import { performAction } from './perform_action.ts'
import { representAction, ruleOf, type Why } from './simple_action.ts'

/** Lets a pending payment run out now; any other is refused (api-rules.md#actions). */
export const expirePayment = async (
  ctx: Context,
  request: Request,
  id: string,
  why: Why = {},
): Promise<Outcome> =>
  await performAction(ctx, request, {
    id,
    plan: { kind: 'expire', request: why, check: ruleOf('expire') },
    represent: representAction,
  })
