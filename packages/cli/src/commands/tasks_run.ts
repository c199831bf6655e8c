import type { GapuraTasks } from 'gapura'
import { UsageError, type Call, type Command } from '../command.ts'
import { withGapura } from '../session.ts'

type Run = (tasks: GapuraTasks, call: Call) => Promise<object>

const RUNS: Readonly<Record<keyof GapuraTasks, Run>> = {
  check_payment_status: async (tasks, call) =>
    await tasks.check_payment_status({ order_id: call.required('order') }),
  check_pending_payments: async (tasks) => await tasks.check_pending_payments(),
  expire_stale_payments: async (tasks) => await tasks.expire_stale_payments(),
  check_overdue_invoices: async (tasks) => await tasks.check_overdue_invoices(),
  sync_subscription_status: async (tasks) => await tasks.sync_subscription_status(),
}

const isTask = (name: string): name is keyof GapuraTasks => Object.hasOwn(RUNS, name)

export const tasksRun: Command = {
  name: 'tasks run',
  summary: 'Run a background task now, for a scheduler of your own.',
  details:
    'A worker (gapura work) runs all of them by itself. Running a task twice at the same time does no harm. process_charge_async and process_refund_async are queued by gapura.api.queueCharge and queueRefund and need a worker.',
  arguments: [{ name: 'name', summary: Object.keys(RUNS).join(', ') }],
  flags: { order: { value: 'order_id', summary: 'the payment, for check_payment_status' } },
  examples: [
    'gapura tasks run check_pending_payments',
    'gapura tasks run check_payment_status --order order-1',
  ],
  run: async (call) => {
    const name = call.argument('name')
    if (!isTask(name)) {
      throw new UsageError(`no task ${name}; there are ${Object.keys(RUNS).join(', ')}`)
    }
    const result = await withGapura(call, async ({ tasks }) => await RUNS[name](tasks, call))
    const rows = Object.entries(result).map(([field, value]) => `${field.padEnd(18)} ${value}`)
    call.output.result({ task: name, ...result }, () => rows.join('\n'))
  },
}
