// The layers of 4.8: their names are compared with the specification's own text, and
// each is called once.
import assert from 'node:assert/strict'
import { cardToken, insideOf, savedToken, simulate } from './deployment.ts'
import { CALLER, ORDER, textOf } from './inside_checks.ts'
import type { Check } from './payment_checks.ts'

/** Uses each function of a layer once; the calls stand in the order of an object's life. */
async function usesAll(text: string, calls: Record<string, () => Promise<unknown>>) {
  const named = text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []
  assert.deepEqual(Object.keys(calls).toSorted(), named.toSorted())
  for (const name of named) await calls[name]?.()
}

const layer = (start: string): string => textOf('4.8').find((text) => text.startsWith(start)) ?? ''

export const LAYER_CHECKS: Record<string, Check> = {
  payment_layer: async (deployment) => {
    const { api } = insideOf(deployment).gapura
    const charged = async (more: object = {}) =>
      await api.createCharge(CALLER, { ...ORDER, ...more })
    const card = async (card_number: string, more: object) => {
      const token_id = await cardToken(deployment, { card_number })
      const input = { payment_type: 'credit_card', gross_amount: 50_000, token_id } as const
      return await api.createCharge(CALLER, { ...input, authentication: false, ...more })
    }
    const review = async () => await card('4511111111111117', {})
    const status = (expected: string, { transaction_status }: { transaction_status: string }) =>
      assert.equal(transaction_status, expected)
    await usesAll(layer('The payment-level'), {
      create_charge: async () => status('pending', await charged()),
      get_status: async () => {
        const { id, order_id } = await charged()
        await simulate(deployment, `transactions/${order_id}/pay`)
        status('settlement', (await api.getStatus(CALLER, id)).payment)
      },
      cancel_payment: async () =>
        status('cancel', await api.cancelPayment(CALLER, (await charged()).id)),
      expire_payment: async () =>
        status('expire', await api.expirePayment(CALLER, (await charged()).id)),
      capture_payment: async () => {
        const { id } = await card('4811111111111114', { capture: false })
        status('capture', await api.capturePayment(CALLER, id, { amount: 50_000 }))
      },
      refund_payment: async () => {
        const { id, order_id } = await charged({ payment_type: 'gopay', bank: undefined })
        await simulate(deployment, `transactions/${order_id}/pay`)
        await api.getStatus(CALLER, id)
        const { refund, payment } = await api.refundPayment(CALLER, id, { amount: 50_000 })
        assert.equal(refund.amount, '50000.00')
        status('refund', payment)
      },
      approve_payment: async () =>
        status('capture', await api.approvePayment(CALLER, (await review()).id)),
      deny_payment: async () => status('deny', await api.denyPayment(CALLER, (await review()).id)),
    })
  },
  invoice_layer: async (deployment) => {
    const { api } = insideOf(deployment).gapura
    const created = async () =>
      await api.createInvoice(CALLER, {
        customer_name: 'Budi',
        customer_email: 'budi@example.com',
        due_date: '2099-01-01',
        items: [{ description: 'Lamp', price: 75_000, quantity: 1 }],
      })
    await usesAll(layer('The invoice layer'), {
      create_invoice: async () => assert.equal((await created()).status, 'pending'),
      get_invoice_status: async () => {
        const { id, gateway_invoice_id } = await created()
        await simulate(deployment, `invoices/${gateway_invoice_id ?? ''}/pay`)
        assert.equal((await api.getInvoiceStatus(CALLER, id)).status, 'paid')
      },
      void_invoice: async () => {
        const { status } = await api.voidInvoice(CALLER, (await created()).id, { reason: 'twice' })
        assert.equal(status, 'voided')
      },
    })
  },
  subscription_layer: async (deployment) => {
    const { api } = insideOf(deployment).gapura
    const created = await api.createSubscription(CALLER, {
      name: 'Monthly tea',
      amount: 50_000,
      payment_type: 'credit_card',
      token: await savedToken(deployment),
    })
    const { id } = created
    const status = (expected: string, subscription: { status: string }) =>
      assert.equal(subscription.status, expected)
    const calls = {
      create_subscription: () => Promise.resolve(status('active', created)),
      get_subscription_status: async () =>
        status('active', (await api.getSubscriptionStatus(CALLER, id)).subscription),
      disable_subscription: async () =>
        status('disabled', await api.disableSubscription(CALLER, id)),
      enable_subscription: async () => status('active', await api.enableSubscription(CALLER, id)),
      update_subscription: async () => {
        const { amount } = await api.updateSubscription(CALLER, id, { amount: 60_000 })
        assert.equal(amount, '60000.00')
      },
      cancel_subscription: async () =>
        status('cancelled', await api.cancelSubscription(CALLER, id)),
    }
    // Cancelled is permanent, so it comes last.
    const text = layer('The subscription layer').replace(
      /cancel_subscription, (.*)\./,
      '$1, cancel_subscription',
    )
    await usesAll(text, calls)
  },
}
