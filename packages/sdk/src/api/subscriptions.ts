// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Pages } from '../pages.ts'
import type { CallOptions, WriteOptions } from '../settings.ts'
import type { Uuid } from '../values.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionInput } from './subscription_input.ts'
import type { SubscriptionSummary } from './subscription_summary.ts'
import type { SubscriptionStatus } from './unions.ts'

export interface SubscriptionListQuery {
  /** Only subscriptions in this status. */
  status?: SubscriptionStatus
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface Subscriptions {
  /**
   * List subscriptions, newest first; staff see those of every owner.
   * `GET /subscriptions/`
   */
  list: (query?: SubscriptionListQuery, options?: CallOptions) => Pages<SubscriptionSummary>

  /**
   * Create a subscription at the gateway; its token is sent on and never kept. Needs the scope
   * `subscriptions:write`.
   * `POST /subscriptions/`
   */
  create: (input: SubscriptionInput, options?: WriteOptions) => Promise<Subscription>

  /**
   * Read a subscription.
   * `GET /subscriptions/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<Subscription>

  /**
   * Disable a subscription for a time, enable it again, or cancel it for ever. Needs the scope
   * `subscriptions:write`.
   * `POST /subscriptions/{pk}/{action_name}/`
   */
  actOn: (
    id: Uuid,
    actionName: 'disable' | 'enable' | 'cancel',
    options?: WriteOptions,
  ) => Promise<Subscription>
}
