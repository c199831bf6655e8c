import type { Context } from '../context.ts'
import type { Outcome, Request } from '../requests.ts'
import { performAction } from './perform_action.ts'
import { representAction, ruleOf, type Why } from './simple_action.ts'

/** Turns down a card payment the fraud system holds for review. */
export const denyPayment = async (
  ctx: Context,
  request: Request,
  id: string,
  why: Why = {},
): Promise<Outcome> =>
  await performAction(ctx, request, {
    id,
    plan: { kind: 'deny', request: why, check: ruleOf('deny') },
    represent: representAction,
  })
