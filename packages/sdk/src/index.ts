export type * from './api/model.ts'
export { createClient, type Client } from './client.ts'
export {
  GapuraError,
  GapuraNetworkError,
  isUnclear,
  type AnyProblemCode,
  type CallFacts,
  type NetworkReason,
  type UnclearError,
} from './errors.ts'
export {
  EVENT_TYPES,
  GapuraEventError,
  isEvent,
  signEvent,
  verifyEvent,
  type EventData,
  type EventFault,
  type EventHeaders,
  type EventObject,
  type EventOf,
  type EventType,
  type GapuraEvent,
  type SignedHeaders,
} from './events.ts'
export type { Feed, FeedPage } from './feed.ts'
export type { Page, Pages } from './pages.ts'
export { payerView, type PayerView } from './payer_view.ts'
export type { CallOptions, ClientOptions, WriteOptions } from './settings.ts'
export type { AmountInput, Money, Timestamp, Uuid } from './values.ts'
