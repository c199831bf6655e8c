// What happens inside the service: signals, models and the kinds of errors. Their names are compared
// with the specification's own text, and each is seen at work.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import {
  GatewayAPIError,
  GatewayAuthenticationError,
  GatewayClient,
  GatewayDuplicateOrderError,
  GatewayError,
  GatewayRateLimitError,
  GatewaySignatureError,
  GatewayValidationError,
  PAYMENT_STATUSES,
  SCOPES,
  signNotification,
  type Caller,
  type GatewayInvoice,
  type GatewayInvoiceItem,
  type GatewayNotification,
  type GatewayPayment,
  type GatewayPaymentItem,
  type GatewayRefund,
  type GatewaySubscription,
} from 'gapura'
import { SimulatorControl } from '../../packages/cli/src/simulator_control.ts'
import { isSignal, SCENARIOS } from '../../packages/cli/src/trigger/scenarios.ts'
import { insideOf, simulate, until, type Deployment } from './deployment.ts'
import { UUID, type Check } from './payment_checks.ts'
import { sectionText, specSentences } from './spec.ts'

export const textOf = (section: string): string[] =>
  specSentences()
    .filter((line) => line.section === section)
    .map(({ text }) => text)

export const CALLER: Caller = { owner_id: 'ani', staff: true, scopes: [...SCOPES] }
export const ORDER = { payment_type: 'bank_transfer', bank: 'bca', gross_amount: 50_000 } as const

/** One event of each signal the specification names, each about an object of its own. */
async function provokeAll(deployment: Deployment): Promise<Map<string, string>> {
  const { gapura, gateway } = insideOf(deployment)
  const simulator = new SimulatorControl(gateway.base_url)
  const named = textOf('6.2').flatMap((row) => row.match(/\b[a-z]+_[a-z]+\b/g) ?? [])
  assert.equal(named.length, 14)
  const subjects = new Map<string, string>()
  for (const name of named) {
    assert(isSignal(name), name)
    const scene = await SCENARIOS[name].begin(
      { gapura, caller: CALLER, simulator, gateway },
      undefined,
    )
    await scene.provoke()
    subjects.set(name, scene.id)
  }
  return subjects
}

const SOURCES = ['charge', 'notification', 'check_status', 'action', 'sweep', 'resolver', 'staff']

export const INSIDE_CHECKS: Record<string, Check> = {
  signals_delivered: async (deployment) => {
    const { delivered } = insideOf(deployment)
    const subjects = await provokeAll(deployment)
    const about = (name: string, id: string) =>
      delivered.filter(({ type, object }) => type === name && object.id === id)
    for (const [name, id] of subjects) {
      const event = await until(name, () => about(name, id)[0])
      assert.match(event.id, UUID)
      assert(Number.isInteger(event.sequence) && event.sequence >= 1, name)
      assert(event.occurred_at instanceof Date, name)
      assert(SOURCES.includes(event.source), name)
      assert('previous_status' in event, name)
      assert.equal(event.notification_id !== undefined, event.source === 'notification', name)
      const status = 'transaction_status' in event.object ? 'transaction_status' : 'status'
      const moved = Reflect.get(event.object, status) !== event.previous_status
      // A cycle that is charged leaves an active subscription active.
      assert.equal(moved, name !== 'subscription_charged', name)
      assert(JSON.stringify(event).includes(id), name)
    }
    for (const [name, id] of subjects) assert.equal(about(name, id).length, 1, `${name} once`)
  },
  error_kinds: async (deployment) => {
    const { gapura, gateway } = insideOf(deployment)
    const client = new GatewayClient(gateway)
    const stranger = new GatewayClient({ ...gateway, server_key: 'SB-Mid-server-of-another' })
    const { order_id } = await gapura.api.createCharge(CALLER, ORDER)
    const examples: [Function, () => Promise<unknown>][] = [
      [GatewayAPIError, async () => await client.getStatus('order-that-does-not-exist')],
      [GatewayAuthenticationError, async () => await stranger.getStatus(order_id)],
      [
        GatewayValidationError,
        async () => await gapura.api.createCharge(CALLER, { ...ORDER, gross_amount: 0.5 }),
      ],
      [
        GatewayDuplicateOrderError,
        async () => await gapura.api.createCharge(CALLER, { ...ORDER, order_id }),
      ],
      [
        GatewayRateLimitError,
        async () => {
          const match = { operation: 'cancel', order_id_prefix: order_id }
          await simulate(deployment, 'faults', { effect: 'rate_limited', match, times: 1 })
          return await client.cancel(order_id)
        },
      ],
    ]
    for (const [kind, raise] of examples) {
      await assert.rejects(raise(), (error) => {
        assert(error instanceof kind, `${String(error)} is not a ${kind.name}`)
        assert(error instanceof GatewayError)
        return true
      })
    }
    const named = sectionText('7').match(/\bGateway\w+Error\b|\bGatewayError\b/g) ?? []
    const raised = [GatewayError, GatewaySignatureError, ...examples.map(([kind]) => kind)]
    assert.deepEqual(named.toSorted(), raised.map(({ name }) => name).toSorted())
  },
  models_named: async (deployment) => {
    // The compiler checks that the seven names are types of the package; each resource is read here.
    const names: Model[] = [
      'GatewayPayment',
      'GatewayPaymentItem',
      'GatewayNotification',
      'GatewayInvoice',
      'GatewayInvoiceItem',
      'GatewaySubscription',
      'GatewayRefund',
    ]
    const text = sectionText('2').match(/\bGateway\w+\b/g) ?? []
    assert.deepEqual(text.toSorted(), names.toSorted())
    const { api } = insideOf(deployment).gapura
    const { items, refunds, id } = await api.createCharge(CALLER, {
      ...ORDER,
      item_details: [{ name: 'Tea', price: 50_000, quantity: 1 }],
    })
    assert.match(id, UUID)
    assert.deepEqual(
      items.map(({ name, price, quantity }) => ({ name, price, quantity })),
      [{ name: 'Tea', price: '50000.00', quantity: 1 }],
    )
    assert.deepEqual(refunds, [])
  },
  payment_status_list: () => {
    const doc = readFileSync(
      new URL('../../docs/reference/gateway-protocol.md', import.meta.url),
      'utf8',
    )
    for (const status of ['pending', 'settlement']) {
      assert((PAYMENT_STATUSES as readonly string[]).includes(status))
    }
    for (const status of PAYMENT_STATUSES) assert(doc.includes(`\`${status}\``), status)
    return Promise.resolve()
  },
  client_signature: () => {
    const client = new GatewayClient({ server_key: 'SB-Mid-server-ours' })
    const fields = { order_id: 'order-1', status_code: '200', gross_amount: '10000.00' }
    const ours = signNotification(fields, 'SB-Mid-server-ours')
    const theirs = signNotification(fields, 'SB-Mid-server-theirs')
    assert(client.verifySignature({ ...fields, signature_key: ours }))
    assert(!client.verifySignature({ ...fields, signature_key: theirs }))
    const server_key = 'SB-Mid-server-theirs'
    assert(client.verifySignature({ ...fields, signature_key: theirs, server_key }))
    for (const field of ['order_id', 'status_code', 'gross_amount'] as const) {
      const changed = { ...fields, [field]: `${fields[field]}0` }
      assert(!client.verifySignature({ ...changed, signature_key: ours }), field)
    }
    return Promise.resolve()
  },
  release: () => {
    const file = new URL('../../packages/service/package.json', import.meta.url)
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
    const [line = ''] = textOf('9')
    assert.equal(/\d+\.\d+\.\d+/.exec(line)?.[0], version)
    return Promise.resolve()
  },
}

/** The names of the specification's models, as types of the package. */
type Models = {
  GatewayPayment: GatewayPayment
  GatewayPaymentItem: GatewayPaymentItem
  GatewayNotification: GatewayNotification
  GatewayInvoice: GatewayInvoice
  GatewayInvoiceItem: GatewayInvoiceItem
  GatewaySubscription: GatewaySubscription
  GatewayRefund: GatewayRefund
}
type Model = keyof Models
