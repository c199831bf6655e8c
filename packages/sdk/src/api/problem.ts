// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Uuid } from '../values.ts'
import type { ProblemCode } from './unions.ts'

export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: ProblemCode
  errors: FieldError[]
  retryable: boolean
  request_id: string
  gateway?: GatewayWords
  payment_id?: Uuid
  invoice_id?: Uuid
  subscription_id?: Uuid
}

export interface FieldError {
  field: string
  message: string
}

export interface GatewayWords {
  status_code: string | null
  status_message: string | null
}
