import type { Context } from '../context.ts'
import type { Outcome, Request } from '../requests.ts'
import { actOnSubscription } from './change_subscription.ts'

/** Takes up again what was disabled; cycles missed meanwhile are not made up for. */
export const enableSubscription = async (
  ctx: Context,
  request: Request,
  id: string,
): Promise<Outcome> => await actOnSubscription(ctx, request, id, 'enable')
