// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Operation } from './operation.ts'
import type { Payment } from './payment.ts'

export interface Resolved {
  operation: Operation
  payment: Payment
}
