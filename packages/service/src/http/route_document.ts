import type { TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../domain/error_catalogue.ts'

/** What a reader of the interface needs beyond the route's row. */
export interface RouteDocument {
  operation: string
  summary: string
  query?: TObject
  body?: TSchema
  /** Whether the body may be left out. */
  body_optional?: boolean
  /**
   * Why a repeat does no harm where no key is kept: the action can happen once only, or repeating it
   * changes nothing. Routes without this give the kept reply of an Idempotency-Key.
   */
  repeat?: string
  status: 200 | 201
  reply: TSchema
  /** What the reply is where it is no JSON: a text of this type, to be kept as a file. */
  media?: 'text/csv'
  /** Failures of its own; those every route of its kind can have are added by the generator. */
  errors: readonly ErrorCode[]
}

/** Refusals of the gateway that any call to it can bring back. */
export const AT_GATEWAY = [
  'gateway_rejected',
  'gateway_not_found',
  'gateway_refused',
  'gateway_authentication_failed',
  'gateway_rate_limited',
  'gateway_failed',
  'gateway_unavailable',
] as const satisfies readonly ErrorCode[]

/** And any that changes something there. */
export const CHANGING = [
  ...AT_GATEWAY,
  'gateway_state_conflict',
  'outcome_unknown',
  'outcome_not_recorded',
] as const satisfies readonly ErrorCode[]

/** And any that pays money back. */
export const REFUNDING = [
  ...CHANGING,
  'method_not_refundable',
  'refund_needs_settlement',
  'payment_not_refundable',
  'refund_amount_exceeded',
  'refund_limit_reached',
  'refund_held',
  'refund_declined',
  'partial_refund_unavailable',
  'direct_refund_unavailable',
  'refund_denied',
  'refund_rejected',
] as const satisfies readonly ErrorCode[]

export const titled = (title: string, schema: TSchema): TSchema => ({ ...schema, title })
