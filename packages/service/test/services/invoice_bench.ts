// Invoices over the real service and the simulator, with both clocks moved in step.
import { jakartaDay } from '../../src/domain/time.ts'
import { createInvoice, voidInvoice } from '../../src/services/invoices/actions.ts'
import { readInvoice } from '../../src/services/invoices/read_invoices.ts'
import { checkDueInvoices, checkOverdueInvoices } from '../../src/services/sweeps/check_invoices.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { moveClock, readClock } from '../../src/store/connection/settings.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'
import { BUDGET } from './sweep_bench.ts'

export const ITEMS = [
  { item_id: 'lamp', description: 'Lamp', price: 75_000, quantity: 2 },
  { description: 'Delivery', price: 5_000 },
]
export const TOTAL = '155000.00'

const DAY_MS = 86_400_000

export function useInvoices() {
  const service = useService({ breaker_rest_ms: 1 })
  const { caller } = requestOf()
  /** The day in Jakarta, so many days from today. */
  const day = async (ahead = 0): Promise<string> => {
    const now = await service.database.do(readClock)
    return jakartaDay(new Date(now.getTime() + ahead * DAY_MS))
  }
  const inputOf = async (more: object = {}) => ({
    customer_name: 'Budi Santoso',
    customer_email: 'budi@example.com',
    due_date: await day(7),
    items: ITEMS,
    ...more,
  })
  const create = async (more: object = {}, request = requestOf()) =>
    bodyOf(await createInvoice(service.ctx, await inputOf(more), request))
  const read = async (id: string) => {
    const found = await readInvoice(service.ctx, caller, id)
    if (found === undefined) throw new Error(`no invoice ${id}`)
    return found
  }
  const rows = async (sql: string, id: string) => await service.database.sql(sql, [id])
  return {
    service,
    caller,
    day,
    inputOf,
    create,
    read,
    byAccount: async (more: object = {}) =>
      await create({
        payment_type: 'virtual_account',
        virtual_accounts: [{ bank: 'bni_va' }],
        ...more,
      }),
    voidIt: async (id: string, reason?: string, request = requestOf()) =>
      await voidInvoice(service.ctx, request, id, reason === undefined ? undefined : { reason }),
    pass: async (minutes: number) => {
      await service.control('clock/advance', { minutes })
      await service.database.do((tx) => moveClock(tx, minutes * 60_000))
    },
    later: async (ms: number) => await service.database.do((tx) => moveClock(tx, ms)),
    sweep: async () => await checkDueInvoices(service.ctx, { budget: BUDGET }),
    sweepOverdue: async () => await checkOverdueInvoices(service.ctx, { budget: BUDGET }),
    resolve: async (rounds = 1, ms = 20_000) => {
      for (let round = 0; round < rounds; round++) {
        await service.database.do((tx) => moveClock(tx, ms))
        await resolveOperations(service.ctx, 50)
      }
    },
    fault: async (operation: string, effect: string, more: object = {}) =>
      await service.control('faults', { effect, match: { operation }, times: 1, ...more }),
    heal: async () => {
      await fetch(`${service.simulator.url}/_sim/faults`, { method: 'DELETE' })
    },
    /** The gateway's own record of it, read without the service. */
    truth: async (gateway_invoice_id: unknown) =>
      (await service.ctx.gateway.getInvoice(String(gateway_invoice_id))).status,
    /** How many invoices the gateway has for this customer, whatever their order ids. */
    madeFor: async (email: string): Promise<number> => {
      const reply = await fetch(`${service.simulator.url}/_sim/invoices`)
      const { invoices } = (await reply.json()) as {
        invoices: { customer_details: { email: string } }[]
      }
      return invoices.filter(({ customer_details }) => customer_details.email === email).length
    },
    eventsOf: async (id: string) =>
      (
        await rows(
          'select type from gapura.gateway_event where object_id = $1 order by sequence',
          id,
        )
      ).map(({ type }) => type),
    alarmsOf: async (id: string) =>
      (
        await rows(
          'select kind from gapura.gateway_alarm where subject_id = $1 and closed_at is null',
          id,
        )
      ).map(({ kind }) => kind),
    paymentsOf: async (id: string) =>
      await rows(
        `select id, owner_id, order_id, transaction_status, gross_amount::text as gross_amount
         from gapura.gateway_payment where invoice_id = $1 order by created_at`,
        id,
      ),
    operationsOf: async (id: string) =>
      await rows(
        'select kind, state, sends from gapura.gateway_operation where subject_id = $1 order by created_at',
        id,
      ),
  }
}
