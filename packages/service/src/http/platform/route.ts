// A route is one value: the router, the in-process API, the OpenAPI document and with it the SDK are
// made of it. `run` returns an object; only HTTP turns it into JSON.
import type { Static, TObject, TSchema } from 'typebox'
import type { Scope } from '../../domain/caller.ts'
import type { ErrorCode } from '../../domain/error_catalogue.ts'
import type { ProblemCode } from '../../domain/problems.ts'
import type { Context } from '../../services/context.ts'
import type { WORKBOOK_TYPE } from '../../services/staff/workbook.ts'
import type { Outcome, ProblemOutcome, Request, Streamed } from '../../services/requests.ts'

export type Query = Readonly<Record<string, unknown>>

/** What a route works on. */
export interface Asked {
  request: Request
  /** `{pk}` of the path, or empty. */
  id: string
  /** `{action_name}` of the path, or empty. */
  action: string
  input: unknown
  query: Query
}

/** What a client that follows a route gives. */
export interface Followed {
  request: Request
  query: Query
  /** `Last-Event-ID`: where a client that lost its connection continues. */
  last_event_id: string | undefined
  /** The client has gone, the process stops, or the time of one connection is over. */
  ended: AbortSignal
}

/** What `run` returns: the body, the outcome of an operation, a file, or nothing for `not_found`. */
export type Result = object | Outcome | Streamed | Streamed<Uint8Array> | undefined

/** What the in-process API needs of a route. */
export interface InProcessRoute {
  method: 'GET' | 'POST'
  /** With its slash; the form without is served too and never redirected (ADR 0005). */
  path: `/${string}/`
  /**
   * `caller` unless given. To callers who are not staff, a path of staff does not exist (ADR 0020). Only
   * the webhook is public: its signature protects it (api-rules.md#authentication).
   */
  access?: 'caller' | 'staff' | 'public'
  /** What the caller needs beside being known (api-rules.md#authentication). */
  scope: Scope | null
  /** The body. A POST without this takes none, and refuses one. `run` validates it. */
  input?: TSchema
  /** For a body that is a file; any other has the bound of all routes. */
  body_bytes_max?: number
  /** Whether the body may be left out. */
  input_optional?: true
  query?: TObject
  /**
   * Why a repeat does no harm where no Idempotency-Key is kept. Routes without this give the kept
   * reply of the key.
   */
  repeat?: string
  run: (ctx: Context, asked: Asked) => Promise<Result>
}

/** A body a developer can send as it is, and the words it is chosen by. */
export interface RequestExample {
  summary: string
  value: object
}

export interface Route extends InProcessRoute {
  /** The name in the OpenAPI document, from which the SDK makes its method. */
  operation: string
  summary: string
  status?: 201
  reply: TSchema
  /** What the reply is where it is no JSON: a text of this type, to be kept as a file. */
  media?: 'text/csv' | typeof WORKBOOK_TYPE
  /** Failures of its own; the OpenAPI document adds those that every route of its kind can have. */
  errors?: readonly ErrorCode[]
  /** The same for failures without a kind. */
  problems?: readonly ProblemCode[]
  /** With `Accept: text/event-stream`: the text of server-sent events until it is ended. */
  live?: (ctx: Context, followed: Followed) => Promise<AsyncIterable<string>>
  example?: Readonly<Record<string, RequestExample>>
  /** Whether the neighbours of its page are cursors that HTTP turns into links. */
  is_list?: true
  /** Whether another cell may ask it for a staff member (ADR 0039). */
  between_cells?: true
  /** Whether failures have the status that the catalogue gives them on a charge (api-rules.md#errors). */
  is_charge?: true
}

/** What a caller gets of a result. */
export type BodyOf<R> = R extends undefined | ProblemOutcome
  ? never
  : R extends { kind: 'reply'; reply: { body: infer Body } }
    ? Body
    : R

/** A value as its reader gets it over HTTP. */
export type Json<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Json<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Json<Value[Name]> }
      : Value

type BodyOfRun<R extends InProcessRoute> = BodyOf<Awaited<ReturnType<R['run']>>>

/** The compiler refuses a route whose `reply` is not the schema of what `run` returns. */
type RepliesAsDescribed<R extends Route> = R extends { media: string }
  ? unknown
  : Json<BodyOfRun<R>> extends Static<R['reply']>
    ? unknown
    : { reply: ['run returns another shape', Json<BodyOfRun<R>>] }

export const route = <const R extends Route>(definition: R & RepliesAsDescribed<R>): R => definition

/** A route that the specification names among the services and gives no path: in-process only. */
export const inProcess = <const R extends InProcessRoute>(definition: R): R => definition

export const isServed = (candidate: InProcessRoute): candidate is Route => 'operation' in candidate

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
