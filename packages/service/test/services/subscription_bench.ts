// A service with subscriptions: the simulator's unsigned notices come to the same webhook, and both
// clocks are moved in step.
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { createSubscription } from '../../src/services/subscriptions/actions.ts'
import { readSubscription } from '../../src/services/subscriptions/read_subscriptions.ts'
import { syncSubscriptionStatus } from '../../src/services/sweeps/sync_subscription_status.ts'
import { bodyOf, requestOf } from './service_bench.ts'
import { BUDGET, useSweeps } from './sweep_bench.ts'

export interface PublishedEvent {
  type: string
  object: Record<string, unknown>
}

export function useSubscriptions() {
  const bench = useSweeps()
  const { service } = bench
  const { caller } = requestOf()
  const url = () => service.simulator.url
  const sql = async (text: string, values: unknown[] = []) =>
    await service.database.sql(text, values)

  /** A token of a card that is saved at the gateway, as a first charge would have left it. */
  const savedCard = async (card_number = '4811111111111114'): Promise<string> => {
    const card = { card_number, card_exp_month: '12', card_exp_year: '2035' }
    return String((await service.ctx.gateway.registerCard(card)).saved_token_id)
  }
  const inputOf = async (more: object = {}) => ({
    name: 'Teh Bulanan',
    amount: 50_000,
    payment_type: 'credit_card',
    token: await savedCard(),
    interval: 1,
    interval_unit: 'month',
    max_interval: 12,
    customer_details: { first_name: 'Siti', email: 'siti@example.com' },
    ...more,
  })
  const rowOf = async (id: string) => {
    const [row] = await sql('select * from gapura.gateway_subscription where id = $1', [id])
    return row ?? {}
  }

  return {
    ...bench,
    sql,
    caller,
    savedCard,
    inputOf,
    rowOf,
    /** Sends the unsigned notices to the service too; by default they are discarded. */
    hearNotices: async () => {
      const settings = (await (await fetch(`${url()}/_sim/settings`)).json()) as {
        notification_url: string
      }
      await service.control('settings', { recurring_notification_url: settings.notification_url })
    },
    /** An unsigned notice from any sender. */
    hint: async (notice: object) => await receiveNotification(service.ctx, notice),
    /** As a user would set it on the gateway's own pages. */
    amountAtGateway: async (id: string, amount: string) => {
      const { gateway_subscription_id, gateway_name } = await rowOf(id)
      const gateway_id = String(gateway_subscription_id)
      const { token } = await service.ctx.gateway.getSubscription(gateway_id)
      const name = String(gateway_name)
      const update = { name, amount, currency: 'IDR' as const, token: String(token) }
      await service.ctx.gateway.updateSubscription(gateway_id, update)
    },
    created: async (more: object = {}) =>
      bodyOf(await createSubscription(service.ctx, await inputOf(more), requestOf())),
    /** The subscription as its owner reads it. */
    read: async (id: string) => await readSubscription(service.ctx, caller, id),
    statusOfSubscription: async (id: string) =>
      (await readSubscription(service.ctx, caller, id))?.status,
    sync: async () => await syncSubscriptionStatus(service.ctx, { budget: BUDGET }),
    /** Its events, in order. */
    eventsOf: async (id: string) =>
      (
        await sql(
          'select type, object from gapura.gateway_event where object_id = $1 order by sequence',
          [id],
        )
      ).map((row) => row as unknown as PublishedEvent),
    paymentsOf: async (id: string) =>
      await sql(
        `select id, order_id, transaction_id, transaction_status, captured_amount::text as captured
         from gapura.gateway_payment where subscription_id = $1 order by created_at`,
        [id],
      ),
    /** How many subscriptions the gateway has under this name, and what their cycles took. */
    atGateway: async (name: string) => {
      const reply = await fetch(`${url()}/_sim/ledger/summary`)
      const { orders } = (await reply.json()) as {
        orders: Record<string, { captured: number; charges: number }>
      }
      return Object.entries(orders).filter(([order_id]) => order_id.startsWith(name))
    },
    operationsOf: async (id: string) =>
      await sql(
        `select kind, state, sends from gapura.gateway_operation
         where subject_id = $1 order by created_at`,
        [id],
      ),
    gatewayStatus: async (id: string) => {
      const { gateway_subscription_id } = await rowOf(id)
      return (await service.ctx.gateway.getSubscription(String(gateway_subscription_id))).status
    },
    fault: async (operation: string, effect: string, more: object = {}) =>
      await service.control('faults', { effect, match: { operation }, times: 1, ...more }),
  }
}
