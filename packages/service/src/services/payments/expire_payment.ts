import type { Context } from '../context.ts'
import type { Outcome, Request } from '../requests.ts'
import { performAction } from './perform_action.ts'
import { representAction, ruleOf } from './simple_action.ts'

/** Lets a pending payment run out now; any other is refused (Spec 3 rule 2). */
export const expirePayment = async (ctx: Context, request: Request, id: string): Promise<Outcome> =>
  await performAction(ctx, request, {
    id,
    plan: { kind: 'expire', request: {}, check: ruleOf('expire') },
    represent: representAction,
  })
