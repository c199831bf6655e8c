// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Invoice } from './invoice.ts'
import type { Operation } from './operation.ts'
import type { Payment } from './payment.ts'
import type { Subscription } from './subscription.ts'

export interface Resolved {
  /** The operation as it is now. */
  operation: Operation
  /** The payment that it is about, as it is now. */
  payment?: Payment
  /** The invoice that it is about, as it is now. */
  invoice?: Invoice
  /** The subscription that it is about, as it is now. */
  subscription?: Subscription
}
