// A service whose two clocks, the database's and the simulator's, are moved in step.
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { readPayment } from '../../src/services/payments/read_payments.ts'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { readBudget } from '../../src/services/sweeps/sweep_pages.ts'
import { listOpenAlarms } from '../../src/store/staff/alarms.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { charges } from './charge_inputs.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

/** Fast enough that no test waits for it. */
export const BUDGET = readBudget(1_000_000)

export function useSweeps() {
  // Long time-outs: thirteen charges at once on a busy machine, and nothing here is about
  // time-outs.
  const service = useService({ breaker_rest_ms: 1, timeout_ms_max: 10_000 })
  const { chargeOf } = charges(() => service.ctx.gateway)
  const { caller } = requestOf()
  const pass = async (minutes: number) => {
    await service.control('clock/advance', { minutes })
    await service.database.do((tx) => moveClock(tx, minutes * 60_000))
  }
  const sweep = async () => await checkPendingPayments(service.ctx, { budget: BUDGET })
  return {
    service,
    pass,
    sweep,
    /** Moves time and runs the sweep, a number of times. */
    passAndSweep: async (rounds: number, minutes: number) => {
      for (let round = 0; round < rounds; round++) {
        await pass(minutes)
        await sweep()
      }
    },
    charged: async (payment_type: string, more: object = {}) => {
      const order_id = service.fresh(payment_type)
      const input = await chargeOf(payment_type, { order_id, ...more })
      const body = bodyOf(await createCharge(service.ctx, input, requestOf()))
      return { id: body.id, order_id, transaction_id: String(body['transaction_id']) }
    },
    pay: async ({ transaction_id }: { transaction_id: string }) =>
      await service.control(`transactions/${transaction_id}/pay`),
    statusOf: async (id: string) =>
      (await readPayment(service.ctx, caller, id))?.transaction_status,
    /** The gateway's own record, read without the service. */
    truthOf: async (transaction_id: string) => {
      const reply = await fetch(`${service.simulator.url}/_sim/transactions/${transaction_id}`)
      return ((await reply.json()) as { transaction_status: string }).transaction_status
    },
    mute: async () =>
      await service.control('faults', { effect: 'muted', match: { operation: 'notification' } }),
    strike: async (effect: string, operation = 'get_status') =>
      await service.control('faults', { effect, match: { operation } }),
    heal: async () => {
      await fetch(`${service.simulator.url}/_sim/faults`, { method: 'DELETE' })
    },
    alarmsOf: async (subject_id: string) =>
      (await service.database.do((tx) => listOpenAlarms(tx, 200)))
        .filter((alarm) => alarm.subject_id === subject_id)
        .map(({ kind }) => kind),
    nextCheckOf: async (id: string) =>
      (
        await service.database.sql(
          `select extract(epoch from next_check_at - gapura.now())::int as in_s, check_attempts
           from gapura.gateway_payment where id = $1`,
          [id],
        )
      )[0],
    calls: async (operation: string): Promise<number> => {
      const reply = await fetch(`${service.simulator.url}/_sim/ledger/summary`)
      const { calls } = (await reply.json()) as { calls: Record<string, number> }
      return calls[operation] ?? 0
    },
  }
}
