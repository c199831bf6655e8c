import { check_overdue_invoices } from './check_overdue_invoices.ts'
import { check_payment_status } from './check_payment_status.ts'
import { check_pending_payments } from './check_pending_payments.ts'
import { expire_stale_payments } from './expire_stale_payments.ts'
import { process_charge_async } from './process_charge_async.ts'
import { process_refund_async } from './process_refund_async.ts'
import { sync_subscription_status } from './sync_subscription_status.ts'
import type { Task } from './task.ts'

/** Every named task, with its schedule and number of attempts. */
export const TASKS: readonly Task[] = [
  check_overdue_invoices,
  check_payment_status,
  check_pending_payments,
  expire_stale_payments,
  process_charge_async,
  process_refund_async,
  sync_subscription_status,
]
