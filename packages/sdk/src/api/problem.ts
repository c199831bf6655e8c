// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Uuid } from '../values.ts'
import type { ProblemCode } from './unions.ts'

export interface Problem {
  /** A URN that names the kind of problem; it ends with `code`. */
  type: string
  /** What went wrong, in a few words that are the same each time. */
  title: string
  /** The HTTP status of this reply. */
  status: number
  /** What to do about it. */
  detail: string
  /** What went wrong, for programs; later releases may add to the list. */
  code: ProblemCode
  /** The fields at fault; empty where the request itself is well formed. */
  errors: FieldError[]
  /** Whether the same request may succeed later. */
  retryable: boolean
  /** The id of the request, as in `X-Request-Id` and in the log. */
  request_id: string
  /** What the gateway answered, where it refused the request. */
  gateway?: GatewayWords
  /** The payment that the problem is about. */
  payment_id?: Uuid
  /** The invoice that the problem is about. */
  invoice_id?: Uuid
  /** The subscription that the problem is about. */
  subscription_id?: Uuid
}

export interface FieldError {
  /** The field at fault, with dots between nested names. */
  field: string
  /** What is wrong with the field. */
  message: string
}

export interface GatewayWords {
  /** The gateway's own status code. */
  status_code: string | null
  /** The gateway's own message. */
  status_message: string | null
}
