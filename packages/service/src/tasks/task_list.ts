import { check_payment_status } from './check_payment_status.ts'
import { check_pending_payments } from './check_pending_payments.ts'
import { expire_stale_payments } from './expire_stale_payments.ts'
import { process_charge_async } from './process_charge_async.ts'
import { process_refund_async } from './process_refund_async.ts'
import type { Task } from './task.ts'

/** Every named task, with its schedule and how often it is tried. */
export const TASKS: readonly Task[] = [
  check_payment_status,
  check_pending_payments,
  expire_stale_payments,
  process_charge_async,
  process_refund_async,
]
