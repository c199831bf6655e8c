import type { Context } from '../context.ts'
import type { Outcome, Request } from '../requests.ts'
import { actOnSubscription } from './change_subscription.ts'

/**
 * Stops further cycles until it is enabled again; retries that wait still run
 * (gateway-protocol.md#subscription-statuses).
 */
export const disableSubscription = async (
  ctx: Context,
  request: Request,
  id: string,
): Promise<Outcome> => await actOnSubscription(ctx, request, id, 'disable')
