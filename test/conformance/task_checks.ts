// The seven background tasks: each is run once, on a deployment of its own whose clock can be moved,
// and its effect is read back.
import assert from 'node:assert/strict'
import { SCOPES, TASKS, type Caller, type Gapura } from 'gapura'
import {
  charge,
  insideOf,
  savedToken,
  settled,
  simulate,
  until,
  type Deployment,
} from './deployment.ts'
import { openDeployment } from './own_deployment.ts'
import type { Check } from './payment_checks.ts'
import { sectionText } from './spec.ts'

const CALLER: Caller = { owner_id: 'ani', staff: true, scopes: [...SCOPES] }
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

interface Scene {
  deployment: Deployment
  gapura: Gapura
  /** Moves the clocks of the service and of the gateway. */
  pass: (ms: number) => Promise<void>
}

const statusOf = async ({ gapura }: Scene, id = ''): Promise<string> =>
  (await gapura.api.getPayment(CALLER, id)).transaction_status

/** A transfer whose payer paid it, although the service was not notified. */
async function paidUnseen({ deployment }: Scene) {
  const payment = await charge(deployment)
  await simulate(deployment, `transactions/${payment['order_id']}/pay`)
  return payment
}

const RUN: Record<string, (scene: Scene) => Promise<void>> = {
  check_payment_status: async (scene) => {
    const { id, order_id = '' } = await paidUnseen(scene)
    assert.equal(await statusOf(scene, id), 'pending')
    await scene.gapura.tasks.check_payment_status({ order_id })
    assert.equal(await statusOf(scene, id), 'settlement')
  },
  check_pending_payments: async (scene) => {
    const { id } = await paidUnseen(scene)
    await scene.pass(70 * MINUTE_MS)
    await scene.gapura.tasks.check_pending_payments()
    assert.equal(await statusOf(scene, id), 'settlement')
  },
  expire_stale_payments: async (scene) => {
    const custom_expiry = { expiry_duration: 20, unit: 'minute' }
    const { id } = await charge(scene.deployment, { custom_expiry })
    await scene.pass(3 * 60 * MINUTE_MS)
    await scene.gapura.tasks.expire_stale_payments()
    assert.equal(await statusOf(scene, id), 'expire')
  },
  check_overdue_invoices: async (scene) => {
    const { api, tasks } = scene.gapura
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Jakarta', dateStyle: 'short' })
    const { id } = await api.createInvoice(CALLER, {
      customer_name: 'Budi',
      customer_email: 'budi@example.com',
      due_date: today.format(Date.now() + 2 * DAY_MS),
      items: [{ description: 'Lamp', price: 75_000, quantity: 1 }],
    })
    await scene.pass(4 * DAY_MS)
    await tasks.check_overdue_invoices()
    assert.equal((await api.getInvoice(CALLER, id)).status, 'overdue')
  },
  sync_subscription_status: async (scene) => {
    const { api, tasks } = scene.gapura
    const { id, gateway_subscription_id } = await api.createSubscription(CALLER, {
      name: 'Monthly tea',
      amount: 50_000,
      payment_type: 'credit_card',
      token: await savedToken(scene.deployment),
    })
    await simulate(scene.deployment, `subscriptions/${gateway_subscription_id ?? ''}/cycle`)
    assert.equal((await api.getSubscription(CALLER, id)).current_interval, 0)
    await scene.pass(2 * DAY_MS)
    await tasks.sync_subscription_status()
    assert.equal((await api.getSubscription(CALLER, id)).current_interval, 1)
  },
  process_charge_async: async ({ gapura }) => {
    const order_id = `queued-${Date.now()}`
    await gapura.api.queueCharge(
      CALLER,
      { payment_type: 'qris', gross_amount: 50_000, order_id },
      { idempotencyKey: order_id },
    )
    const payment = await until('the queued charge', async () => {
      const { results } = await gapura.api.listPayments(CALLER, { order_id, status: 'pending' })
      return results[0]
    })
    assert.equal(payment.gross_amount, '50000.00')
  },
  process_refund_async: async ({ gapura, deployment }) => {
    const { id = '' } = await settled(deployment)
    await gapura.api.queueRefund(CALLER, id, { amount: 10_000 }, { idempotencyKey: id })
    const { refunds } = await until('the queued refund', async () => {
      const payment = await gapura.api.getPayment(CALLER, id)
      return payment.transaction_status === 'partial_refund' ? payment : undefined
    })
    assert.equal(refunds[0]?.amount, '10000.00')
  },
}

/** The two that a queue runs; the others are run by hand, so that no worker does it before. */
const QUEUED = ['process_charge_async', 'process_refund_async']

export const TASK_CHECKS: Record<string, Check> = {
  tasks_run: async () => {
    const named = sectionText('6.3').match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []
    assert.equal(named.length, 7)
    assert.deepEqual(TASKS.map(({ name }) => name).toSorted(), named.toSorted())
    assert.deepEqual(Object.keys(RUN).toSorted(), named.toSorted())
    await using deployment = await openDeployment({ alone: true })
    const { gapura } = insideOf(deployment)
    const scene = { deployment, gapura, pass: deployment.pass }
    for (const name of named.filter((one) => !QUEUED.includes(one))) await RUN[name]?.(scene)
    const worker = await gapura.startWorker()
    try {
      for (const name of QUEUED) await RUN[name]?.(scene)
    } finally {
      await worker.stop()
    }
  },
}
