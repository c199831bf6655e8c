import {
  ERRORS,
  type ErrorCode,
  type ErrorRow,
  type ErrorStage,
  type GatewayErrorKind,
} from './error_catalogue.ts'
import type { FieldFault } from './charge_rules.ts'
import type { ObjectKind } from './signals.ts'

/** What the gateway answered. */
export interface GatewayWords {
  status_code: string | null
  status_message: string | null
  http_status: number | null
}

/** The object a failure is about. */
export interface Subject {
  kind: ObjectKind
  id: string
}

export interface GatewayErrorDetails {
  /** For the caller. By default the catalogue's title. */
  message?: string
  /** What to do, instead of the catalogue's advice. */
  advice?: string
  /** Which of the client's operations failed, in the specification's spelling. */
  operation?: string
  /** The gateway's own message, without secrets. */
  gateway?: GatewayWords | null
  errors?: readonly FieldFault[]
  retry_after_s?: number
  /** The object that was stored before it failed. */
  subject?: Subject
  /** For the log only. */
  cause?: unknown
}

/** Base of every failure the service raises. The code, not the kind, carries the HTTP status. */
export class GatewayError extends Error {
  override readonly name: GatewayErrorKind
  readonly code: ErrorCode
  readonly operation: string | null
  readonly gateway: GatewayWords | null
  readonly errors: readonly FieldFault[]
  readonly retry_after_s: number | null
  /** What to do next. */
  readonly advice: string
  #subject: Subject | null

  constructor(code: ErrorCode, details: GatewayErrorDetails = {}) {
    const { cause } = details
    super(details.message ?? ERRORS[code].title, cause === undefined ? undefined : { cause })
    this.name = ERRORS[code].kind
    this.code = code
    this.operation = details.operation ?? null
    this.gateway = details.gateway ?? null
    this.errors = details.errors ?? []
    this.retry_after_s = details.retry_after_s ?? null
    this.advice = details.advice ?? ERRORS[code].advice
    this.#subject = details.subject ?? null
  }

  /**
   * The object it is about: a caller without a clear answer reads that one and creates no second.
   */
  get subject(): Subject | null {
    return this.#subject
  }

  get payment_id(): string | null {
    return this.#subject?.kind === 'payment' ? this.#subject.id : null
  }

  /** The same failure, now that its object is known. */
  about(subject: Subject): this {
    this.#subject = subject
    return this
  }

  get row(): ErrorRow {
    return ERRORS[this.code]
  }

  get stage(): ErrorStage {
    return this.row.stage
  }

  /** Whether it is certain that the gateway did nothing. */
  get definite(): boolean {
    return this.row.definite
  }

  get retryable(): boolean {
    return this.row.retryable
  }
}

/** The gateway answered with an unclassified failure, or did not answer at all. */
export class GatewayAPIError extends GatewayError {}

/** The gateway refused our own key. */
export class GatewayAuthenticationError extends GatewayError {}

/** The request breaks a rule of ours or of the gateway. */
export class GatewayValidationError extends GatewayError {}

/** The order id or key is already taken. */
export class GatewayDuplicateOrderError extends GatewayError {}

/** The gateway limits our rate. */
export class GatewayRateLimitError extends GatewayError {}

/** A notification was not signed with a key of ours. */
export class GatewaySignatureError extends GatewayError {}

const CLASSES: Record<GatewayErrorKind, typeof GatewayError> = {
  GatewayError,
  GatewayAPIError,
  GatewayAuthenticationError,
  GatewayValidationError,
  GatewayDuplicateOrderError,
  GatewayRateLimitError,
  GatewaySignatureError,
}

/** The error of a code, as an instance of the kind the catalogue gives it. */
export function gatewayError(code: ErrorCode, details?: GatewayErrorDetails): GatewayError {
  return new CLASSES[ERRORS[code].kind](code, details)
}
