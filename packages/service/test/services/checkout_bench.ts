// Checkouts over the real service and the simulator, with both clocks moved in step.
import { cancelCheckout, createCheckout } from '../../src/services/checkouts/actions.ts'
import { readCheckout } from '../../src/services/checkouts/read_checkouts.ts'
import { matchUnmatched } from '../../src/services/notifications/match_unmatched.ts'
import { checkDueCheckouts } from '../../src/services/sweeps/check_checkouts.ts'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'
import { BUDGET } from './sweep_bench.ts'

export const AMOUNT = 150_000

interface SimulatedPage {
  token: string
  status: string
  redirect_url: string
  transactions: { transaction_id: string; transaction_status: string }[]
}

export function useCheckouts() {
  const service = useService({ breaker_rest_ms: 1 })
  const { caller } = requestOf()
  const rows = async (sql: string, id: string) => await service.database.sql(sql, [id])
  const create = async (more: object = {}, request = requestOf()) =>
    bodyOf(await createCheckout(service.ctx, { amount: AMOUNT, ...more }, request))
  const read = async (id: string) => {
    const found = await readCheckout(service.ctx, caller, id)
    if (found === undefined) throw new Error(`no checkout ${id}`)
    return found
  }
  const send = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${service.simulator.url}/_sim/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await reply.json()
    return answer
  }
  /** The payer acts on the page; a refusal of the simulator fails the test. */
  const act = async (order_id: string, action: string, body: object = {}) => {
    const answer = await service.control(`checkouts/${order_id}/${action}`, body)
    if ('error' in answer) throw new Error(`${action}: ${JSON.stringify(answer)}`)
    return answer
  }
  const pass = async (minutes: number) => {
    await service.control('clock/advance', { minutes })
    await service.database.do((tx) => moveClock(tx, minutes * 60_000))
  }
  const sweep = async () => await checkDueCheckouts(service.ctx, { budget: BUDGET })
  return {
    service,
    caller,
    create,
    read,
    act,
    pass,
    sweep,
    choose: async (order_id: string, method: string, more: object = {}) =>
      await act(order_id, 'choose', { method, ...more }),
    pay: async (order_id: string, more: object = {}) => await act(order_id, 'pay', more),
    cancel: async (id: string, request = requestOf()) =>
      bodyOf(await cancelCheckout(service.ctx, request, id)),
    settings: async (changes: object) => await send('PATCH', 'settings', changes),
    /** Every page that the gateway has for an order. */
    pagesOf: async (order_id: string): Promise<SimulatedPage[]> => {
      const { checkouts } = (await send('GET', `checkouts?order_id=${order_id}`)) as {
        checkouts: SimulatedPage[]
      }
      return checkouts
    },
    sweepAll: async () => {
      await matchUnmatched(service.ctx, BUDGET)
      await sweep()
      await checkPendingPayments(service.ctx, { budget: BUDGET })
    },
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
      await send('PATCH', 'settings', { checkout_repeat: 'new', checkout_cancel: false })
    },
    rowOf: async (id: string) =>
      (await rows('select * from gapura.gateway_checkout where id = $1', id))[0],
    byOrder: async (order_id: string) =>
      await service.database.sql(
        'select id, status, token from gapura.gateway_checkout where order_id = $1 order by created_at',
        [order_id],
      ),
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
          'select kind from gapura.gateway_alarm where subject_id = $1 and closed_at is null order by kind',
          id,
        )
      ).map(({ kind }) => kind),
    paymentsOf: async (id: string) =>
      await rows(
        `select id, owner_id, order_id, refused, transaction_id, payment_type, transaction_status,
           gross_amount::text as gross_amount
         from gapura.gateway_payment where checkout_id = $1 order by created_at, id`,
        id,
      ),
    operationsOf: async (id: string) =>
      await rows(
        'select kind, state, sends from gapura.gateway_operation where subject_id = $1 order by created_at',
        id,
      ),
  }
}
