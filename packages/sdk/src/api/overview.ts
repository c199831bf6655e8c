// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { MethodFigures } from './method_figures.ts'
import type { ReceivedOnDay } from './received_on_day.ts'
import type { RefundedOnDay } from './refunded_on_day.ts'
import type { Waiting } from './waiting.ts'

export interface Overview {
  /** The first day of the period in Jakarta, as 2026-01-31. */
  from: string
  /** The last day of the period in Jakarta, as 2026-01-31. */
  until: string
  /** What was paid, by day and payment method. */
  received: ReceivedOnDay[]
  /** Success rate and time to pay, by payment method. */
  methods: MethodFigures[]
  /** What was refunded, by day. */
  refunds: RefundedOnDay[]
  /** Payments still pending past their expiry time. */
  overdue: Waiting
}
