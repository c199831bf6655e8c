// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { MethodFigures } from './method_figures.ts'
import type { ReceivedOnDay } from './received_on_day.ts'
import type { RefundedOnDay } from './refunded_on_day.ts'
import type { Waiting } from './waiting.ts'

export interface Overview {
  from: string
  until: string
  received: ReceivedOnDay[]
  methods: MethodFigures[]
  refunds: RefundedOnDay[]
  overdue: Waiting
}
