import type { Command } from './command.ts'
import { adopt } from './commands/adopt.ts'
import { alarmsClose } from './commands/alarms_close.ts'
import { alarmsList } from './commands/alarms_list.ts'
import { auditList } from './commands/audit_list.ts'
import { auditVerify } from './commands/audit_verify.ts'
import { CELL_COMMANDS } from './commands/cells.ts'
import { CHECKOUT_COMMANDS } from './commands/checkouts.ts'
import { configPrint } from './commands/config_print.ts'
import { dev } from './commands/dev.ts'
import { doctor } from './commands/doctor.ts'
import { eventsList } from './commands/events_list.ts'
import { eventsRetire } from './commands/events_retire.ts'
import { eventsRetry } from './commands/events_retry.ts'
import { eventsSkip } from './commands/events_skip.ts'
import { FEE_COMMANDS } from './commands/fees.ts'
import { keysCreate } from './commands/keys_create.ts'
import { keysList } from './commands/keys_list.ts'
import { keysRevoke } from './commands/keys_revoke.ts'
import { LEDGER_COMMANDS } from './commands/ledger.ts'
import { listen } from './commands/listen.ts'
import { migrate } from './commands/migrate.ts'
import { notificationsList } from './commands/notifications_list.ts'
import { notificationsReplay } from './commands/notifications_replay.ts'
import { operationsList } from './commands/operations_list.ts'
import { operationsResolve } from './commands/operations_resolve.ts'
import { paymentsApprove } from './commands/payments_approve.ts'
import { paymentsCancel } from './commands/payments_cancel.ts'
import { paymentsCapture } from './commands/payments_capture.ts'
import { paymentsCheck } from './commands/payments_check.ts'
import { paymentsDeny } from './commands/payments_deny.ts'
import { paymentsExpire } from './commands/payments_expire.ts'
import { paymentsList } from './commands/payments_list.ts'
import { paymentsRefund } from './commands/payments_refund.ts'
import { paymentsShow } from './commands/payments_show.ts'
import { refundsApprove } from './commands/refunds_approve.ts'
import { refundsDecline } from './commands/refunds_decline.ts'
import { refundsList } from './commands/refunds_list.ts'
import { privacyErase } from './commands/privacy_erase.ts'
import { serve } from './commands/serve.ts'
import { simulate } from './commands/simulate.ts'
import { RECONCILE_COMMANDS } from './commands/reconcile.ts'
import { STATEMENT_COMMANDS } from './commands/statements.ts'
import { STAFF_COMMANDS } from './commands/staff.ts'
import { tasksRun } from './commands/tasks_run.ts'
import { triggerCommand } from './commands/trigger.ts'
import { verifyCommand } from './commands/verify.ts'
import { DELIVERY_COMMANDS } from './commands/webhook_deliveries.ts'
import { ENDPOINT_COMMANDS } from './commands/webhooks.ts'
import { work } from './commands/work.ts'

/** Every command, in the order the help and docs/cli.md show them. */
export const COMMANDS: readonly Command[] = [
  dev,
  doctor,
  verifyCommand,
  serve,
  work,
  tasksRun,
  migrate,
  simulate,
  triggerCommand,
  listen,
  paymentsList,
  paymentsShow,
  paymentsCheck,
  paymentsRefund,
  paymentsCancel,
  paymentsExpire,
  paymentsCapture,
  paymentsApprove,
  paymentsDeny,
  refundsList,
  refundsApprove,
  refundsDecline,
  ...CHECKOUT_COMMANDS,
  ...LEDGER_COMMANDS,
  ...FEE_COMMANDS,
  adopt,
  notificationsList,
  notificationsReplay,
  operationsList,
  operationsResolve,
  eventsList,
  eventsRetire,
  eventsRetry,
  eventsSkip,
  ...ENDPOINT_COMMANDS,
  ...DELIVERY_COMMANDS,
  ...RECONCILE_COMMANDS,
  ...STATEMENT_COMMANDS,
  alarmsList,
  alarmsClose,
  keysCreate,
  keysList,
  keysRevoke,
  ...STAFF_COMMANDS,
  auditList,
  auditVerify,
  privacyErase,
  ...CELL_COMMANDS,
  configPrint,
]
