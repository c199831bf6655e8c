// What the routes of subscriptions answer, as schemas for the OpenAPI file. There is no token.
import { Type } from 'typebox'
import { SUBSCRIPTION_PAYMENT_TYPES } from '../domain/payment_type.ts'
import {
  INTERVAL_UNITS,
  RETRY_INTERVAL_UNITS,
  SUBSCRIPTION_STATUSES,
} from '../domain/subscription.ts'
import { money, named, orNull, text, textOrNull, time, timeOrNull, uuid } from './schema_parts.ts'

const count = Type.Integer()
const countOrNull = orNull(count)

const summary = {
  id: uuid,
  name: text,
  payment_type: Type.Enum([...SUBSCRIPTION_PAYMENT_TYPES]),
  amount: money,
  currency: text,
  interval: count,
  interval_unit: Type.Enum([...INTERVAL_UNITS]),
  max_interval: countOrNull,
  current_interval: count,
  status: Type.Enum([...SUBSCRIPTION_STATUSES]),
  next_execution_at: timeOrNull,
  created_at: time,
}

export const SUBSCRIPTION_PAGE = named('SubscriptionPage', {
  next: textOrNull,
  previous: textOrNull,
  results: Type.Array(named('SubscriptionSummary', summary)),
})

export const SUBSCRIPTION = named('Subscription', {
  ...summary,
  gateway_subscription_id: textOrNull,
  start_time: timeOrNull,
  retry_interval: countOrNull,
  retry_interval_unit: orNull(Type.Enum([...RETRY_INTERVAL_UNITS])),
  retry_max_interval: countOrNull,
  last_payment_id: orNull(uuid),
  customer_first_name: textOrNull,
  customer_last_name: textOrNull,
  customer_email: textOrNull,
  customer_phone: textOrNull,
  metadata: Type.Record(Type.String(), Type.Unknown()),
  updated_at: time,
})
