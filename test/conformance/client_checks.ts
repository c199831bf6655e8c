// The operations of the gateway client (4.8): names, parameters and defaults are compared with the
// specification's own text, and each operation is called with its parameters in that order.
import assert from 'node:assert/strict'
import { GatewayClient, OPERATIONS } from 'gapura'
import { CHARGES, INVOICE, SUBSCRIPTION } from '../gateway_calls.ts'
import { cardToken, insideOf, simulate, type Deployment } from './deployment.ts'
import { textOf } from './inside_checks.ts'
import type { Check } from './payment_checks.ts'

/** `name(a, b="")` as the specification writes operations. */
function operationsOf(text: string): [name: string, parameters: string[]][] {
  return [...text.matchAll(/(\w+)\(([^)]*)\)/g)].map(([, name = '', parameters = '']) => [
    name,
    parameters.split(',').map((parameter) => parameter.trim()),
  ])
}

const known: ReadonlyMap<string, { parameters: readonly string[] }> = new Map(
  Object.entries(OPERATIONS),
)

const clientOf = (deployment: Deployment): GatewayClient =>
  new GatewayClient({ ...insideOf(deployment).gateway, card_data: true })

const CARD = ['4811111111111114', '12', '2035'] as const
const IN_REVIEW = '4511111111111117'
let made = 0
const fresh = (): string => `client-${Date.now()}-${made++}`

async function charged(
  client: GatewayClient,
  type: keyof typeof CHARGES,
  more: object = {},
): Promise<{ order_id: string; transaction_id: string }> {
  const transaction_details = { order_id: fresh(), gross_amount: 150_000 }
  const payload = { ...CHARGES[type], ...more, transaction_details }
  const { order_id, transaction_id } = await client.charge(payload as (typeof CHARGES)['gopay'])
  return { order_id: String(order_id), transaction_id: String(transaction_id) }
}

const status = (expected: string, reply: { transaction_status?: unknown }): void =>
  assert.equal(reply.transaction_status, expected)

export const CLIENT_CHECKS: Record<string, Check> = {
  client_operations: () => {
    const rows = textOf('4.8').filter((text) => text.startsWith('|'))
    const named = rows.flatMap(operationsOf)
    assert.equal(named.length, 27)
    for (const [name, parameters] of named) {
      if (name === 'verify_signature') continue
      assert.deepEqual(known.get(name)?.parameters, parameters, name)
    }
    return Promise.resolve()
  },
  client_core: async (deployment) => {
    const client = clientOf(deployment)
    const card = async (more: object, card_number: string = CARD[0]) => {
      const token_id = await cardToken(deployment, { card_number })
      const credit_card = { token_id, authentication: false, ...more }
      return await charged(client, 'credit_card', { credit_card })
    }
    const paid = async () => {
      const { order_id } = await charged(client, 'gopay')
      await simulate(deployment, `transactions/${order_id}/pay`)
      return order_id
    }
    const { order_id } = await charged(client, 'bank_transfer')
    status('pending', await client.getStatus(order_id))
    assert(await client.getStatusB2b(await paid()))
    status('cancel', await client.cancel(order_id))
    status('expire', await client.expire((await charged(client, 'bank_transfer')).order_id))
    const { transaction_id } = await card({ type: 'authorize' })
    status('capture', await client.capture(transaction_id, 150_000))
    status('partial_refund', await client.refund(await paid(), fresh(), 10_000, 'broken'))
    status('refund', await client.directRefund(await paid(), fresh(), 150_000))
    status('capture', await client.approve((await card({}, IN_REVIEW)).order_id))
    status('deny', await client.deny((await card({}, IN_REVIEW)).order_id))
  },
  client_card: async (deployment) => {
    const client = clientOf(deployment)
    const { client_key } = insideOf(deployment).gateway
    const { token_id } = await client.getCardToken(...CARD, '123', client_key)
    assert.match(String((await client.getCardToken(...CARD, '123')).token_id), /./)
    assert.match(String((await client.registerCard(...CARD, client_key)).saved_token_id), /./)
    assert.match(String((await client.pointInquiry(String(token_id))).point_balance), /^\d/)
    assert(await client.getBin('45563300'))
    // A client key of another account is not accepted.
    await assert.rejects(client.getCardToken(...CARD, '123', 'SB-Mid-client-of-another'))
  },
  client_wallet: async (deployment) => {
    const client = clientOf(deployment)
    const { account_id } = await client.createPayAccount({
      payment_type: 'gopay',
      gopay_partner: {
        phone_number: '81212345678',
        country_code: '62',
        redirect_url: 'https://shop.example/linked',
      },
    })
    const id = String(account_id)
    await simulate(deployment, `pay_accounts/${id}/link`)
    assert.equal((await client.getPayAccount(id)).account_status, 'ENABLED')
    assert.equal((await client.unbindPayAccount(id)).account_id, id)
  },
  client_subscription: async (deployment) => {
    const client = clientOf(deployment)
    const token = String((await client.registerCard(...CARD)).saved_token_id)
    const name = fresh()
    const { id } = await client.createSubscription({ ...SUBSCRIPTION, name, token })
    assert.equal((await client.getSubscription(id)).status, 'active')
    await client.disableSubscription(id)
    assert.equal((await client.getSubscription(id)).status, 'inactive')
    await client.enableSubscription(id)
    await client.updateSubscription(id, { name, amount: '15000', currency: 'IDR', token })
    assert.equal((await client.getSubscription(id)).amount, '15000')
    await client.cancelSubscription(id)
    assert.equal((await client.getSubscription(id)).status, 'inactive')
  },
  client_invoice: async (deployment) => {
    const client = clientOf(deployment)
    const numbers = { order_id: fresh(), invoice_number: fresh() }
    const { id } = await client.createInvoice({ ...INVOICE, ...numbers })
    assert.equal((await client.getInvoice(id)).status, 'pending')
    await client.voidInvoice(id, 'ordered twice')
    assert.equal((await client.getInvoice(id)).status, 'voided')
  },
}
