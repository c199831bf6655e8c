import { OPERATIONS } from './operations.ts'

/** What a fault on calls can be bound to; a subscription's cycle has no call of its own. */
export const OPERATION_NAMES: readonly string[] = [
  ...OPERATIONS.map(({ operation }) => operation),
  'subscription_charge',
]
