import type { Context } from '../context.ts'
import type { Outcome, Request } from '../requests.ts'
import { actOnSubscription } from './change_subscription.ts'

/** Ends a subscription for ever, its waiting retries too. */
export const cancelSubscription = async (
  ctx: Context,
  request: Request,
  id: string,
): Promise<Outcome> => await actOnSubscription(ctx, request, id, 'cancel')
