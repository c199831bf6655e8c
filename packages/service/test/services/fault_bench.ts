// Shared by the suites of unclear outcomes: faults, the resolver's time, and the rows to look at.
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { charges } from './charge_inputs.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

/** A service with a simulator that can inject faults. */
export function useFaults(settings: Parameters<typeof useService>[0] = {}) {
  const service = useService(settings)
  const { chargeOf, token } = charges(() => service.ctx.gateway)
  const { caller } = requestOf()

  const fault = async (operation: string, effect: string, more: object = {}) =>
    await service.control('faults', { effect, match: { operation }, times: 1, ...more })
  /** The gateway answers 404 for an order it has, as a slow replica behind it may. */
  const denyKnowing = async (times = 1) =>
    await fault('get_status', 'status', {
      times,
      options: { http_status: 200, body: { status_code: '404', status_message: 'not there' } },
    })
  const mute = async () =>
    await service.control('faults', { effect: 'muted', match: { operation: 'notification' } })
  const clearFaults = async () =>
    await fetch(`${service.simulator.url}/_sim/faults`, { method: 'DELETE' })
  const later = async (ms: number) =>
    await service.database.do(async (tx) => await moveClock(tx, ms))
  const resolve = async (rounds = 3) => {
    for (let round = 0; round < rounds; round++) {
      await later(90_000)
      await resolveOperations(service.ctx, 50)
    }
  }
  const rowOf = async (order_id: string) =>
    (
      await service.database.sql(
        `select id, transaction_status, refused, refunded_amount::text as refunded,
           refund_reserved_amount::text as reserved
         from gapura.gateway_payment where order_id = $1 order by created_at`,
        [order_id],
      )
    )[0]
  const alarmsOf = async (id: unknown) =>
    (
      await service.database.sql('select kind from gapura.gateway_alarm where subject_id = $1', [
        id,
      ])
    ).map(({ kind }) => kind)
  const eventsOf = async (id: unknown) =>
    (
      await service.database.sql(
        'select type from gapura.gateway_event where object_id = $1 order by sequence',
        [id],
      )
    ).map(({ type }) => type)
  const chargesOf = async (order_id: string) => (await service.ledger(order_id))?.charges ?? 0

  async function charged(payment_type: string, more: object = {}) {
    const order_id = service.fresh(payment_type)
    const input = await chargeOf(payment_type, { order_id, ...more })
    const { id, transaction_id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
    return { id, order_id, transaction_id }
  }
  async function settledWallet() {
    const payment = await charged('gopay')
    await service.control(`transactions/${payment.order_id}/pay`)
    await getStatus(service.ctx, caller, payment.id)
    return payment
  }

  return {
    service,
    chargeOf,
    token,
    caller,
    fault,
    denyKnowing,
    mute,
    clearFaults,
    later,
    resolve,
    rowOf,
    alarmsOf,
    eventsOf,
    chargesOf,
    charged,
    settledWallet,
  }
}
