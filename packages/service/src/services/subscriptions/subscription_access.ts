import type { GatewaySubscription } from '../../domain/subscription.ts'
import {
  findSubscription,
  findSubscriptionById,
  lockSubscription,
} from '../../store/subscriptions.ts'
import type { ObjectAccess } from '../operations/object_access.ts'
import { representSubscription } from './representation.ts'

/** How operations reach a subscription. */
export const SUBSCRIPTION_ACCESS: ObjectAccess<GatewaySubscription> = {
  subject_kind: 'subscription',
  find: findSubscription,
  findById: findSubscriptionById,
  lock: lockSubscription,
  represent: (_tx, subscription) => Promise.resolve(representSubscription(subscription)),
}
