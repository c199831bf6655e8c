// Calls every route with secrets. A route without a walk fails the suite.
import { PAYMENT_TYPES } from '../../src/domain/payment_type.ts'
import { ALL_ROUTES } from '../../src/main/routes.ts'
import { CVV, type CanaryBench } from './canary_bench.ts'
import { CHECKOUT_WALKS } from './checkout_walks.ts'
import { INVOICE_WALKS, type Walk } from './invoice_walks.ts'
import { MOODS, type Mood } from './hostile_gateway.ts'
import { SUBSCRIPTION_WALKS } from './subscription_walks.ts'
import { WEBHOOK_WALKS } from './webhook_walks.ts'
import { withCvvIn, withSecretBeside, withSecretIn } from './misplaced.ts'

/** Of HTTP and of the in-process API alone; staff send no secrets of payers. */
export const ROUTE_NAMES: string[] = [
  ...new Set(
    ALL_ROUTES.filter(({ path }) => !path.startsWith('/staff/')).map(
      ({ method, path }) => `${method} ${path}`,
    ),
  ),
].sort()

/** A payment, whatever the gateway answers in the meantime. */
async function charged(bench: CanaryBench, payment_type: string, more: object = {}) {
  const body = await bench.inputOf(payment_type, more)
  return (await bench.ask('POST', '/charge/', { body })).body
}

async function settled(bench: CanaryBench) {
  const payment = await charged(bench, 'gopay')
  await bench.control(`transactions/${String(payment['order_id'])}/pay`)
  await bench.ask('GET', `/payments/${payment.id}/check_status/`)
  return payment
}

const challenged = async (bench: CanaryBench) => {
  const card = { card_number: '4511111111111117', card_exp_month: '12', card_exp_year: '2035' }
  const { token_id } = await bench.parts.cards.getCardToken({ ...card, card_cvv: CVV })
  return await charged(bench, 'credit_card', {
    token_id: bench.canaries.watch('card token', String(token_id)),
  })
}

/** An action on a new payment in each mode of the gateway, twice under one key. */
const eachMood =
  (action: string, fresh: (bench: CanaryBench) => Promise<{ id: string }>, body?: object): Walk =>
  async (bench) => {
    for (const mood of MOODS) {
      const { id } = await fresh(bench)
      const key = bench.fresh(action)
      const sent = { key, ...(body && { body }) }
      const act = async () => await bench.ask('POST', `/payments/${id}/${action}/`, sent)
      await bench.gateway.as(mood, act)
      await bench.gateway.as(mood, act)
      await act()
    }
  }

/** The same for functions of the in-process API only. */
const eachMoodInProcess =
  (action: 'approvePayment' | 'denyPayment'): Walk =>
  async (bench) => {
    const { api } = bench.parts.gapura
    for (const mood of MOODS) {
      const { id } = await challenged(bench)
      const act = async () =>
        await api[action](bench.owner, id, { idempotencyKey: `${action}-${id}` })
      await bench.gateway.as(mood, async () => await bench.call(action, act))
      await bench.call(action, act)
    }
  }

const hostilePaths: Walk = async (bench) => {
  for (const secret of Object.values(await bench.secrets())) {
    const text = encodeURIComponent(secret)
    await bench.ask('GET', `/payments/${text}/`)
    await bench.ask('GET', `/payments/${text}/check_status/?${text}=${text}`)
    await bench.ask('POST', `/payments/${text}/cancel/`, { key: secret })
    await bench.ask('PUT', `/payments/${text}/`, { headers: { 'x-request-id': secret } })
    await bench.ask('GET', `/${text}`)
  }
}

async function chargeInMood(bench: CanaryBench, payment_type: string, mood: Mood): Promise<void> {
  const body = await bench.inputOf(payment_type)
  const charge = async () =>
    await bench.ask('POST', '/charge/', { body, key: `k-${body.order_id}` })
  await bench.gateway.as(mood, charge)
  await bench.gateway.as(mood, charge)
  await charge()
}

const charge: Walk = async (bench) => {
  for (const payment_type of PAYMENT_TYPES) {
    for (const mood of MOODS) await chargeInMood(bench, payment_type, mood)
  }
  const account = bench.canaries.watch('payment option token', 'kanari-option-8c1d77aa')
  const gopay = { account_id: 'account-1', payment_option_token: account }
  for (const mood of MOODS) {
    await bench.gateway.as(mood, async () => await charged(bench, 'gopay', { gopay }))
  }
  await charged(bench, 'gopay', { gopay, metadata: { note: `option ${account}` } })
  const saved = await bench.savedToken()
  await charged(bench, 'credit_card', { token_id: saved })
  await charged(bench, 'credit_card', { token_id: saved, order_id: saved })
}

/** Every secret in every field of a charge: refused, so that nothing of it is stored. */
const misplaced: Walk = async (bench) => {
  const good = await bench.inputOf('bank_transfer', {
    metadata: { note: 'n' },
    custom_fields: ['c'],
    customer_details: { first_name: 'Ani', phone: '0811', billing_address: { city: 'Jakarta' } },
  })
  const { order_id: _, ...rest } = good
  const bodies: unknown[] = [...withCvvIn(rest, CVV)]
  for (const secret of Object.values(await bench.secrets())) {
    bodies.push(...withSecretIn(good, secret), ...withSecretBeside(rest, secret))
  }
  for (const body of bodies) {
    const { status, text } = await bench.ask('POST', '/charge/', { body })
    if (status !== 400) throw new Error(`taken: ${JSON.stringify(body)} ${text}`)
    await bench.call('createCharge', () =>
      bench.parts.gapura.api.createCharge(bench.owner, body as never),
    )
  }
}

const notification: Walk = async (bench) => {
  const post = async (body: object) => await bench.ask('POST', '/notification/', { body })
  for (const payment_type of PAYMENT_TYPES) {
    const { order_id, transaction_id } = await charged(bench, payment_type)
    const fields = {
      order_id: String(order_id),
      status_code: '200',
      gross_amount: '150000.00',
    }
    const signature_key = bench.sign(fields)
    const { server_key, card_number, token_id, saved_token_id } = await bench.secrets()
    const genuine = {
      ...fields,
      signature_key,
      transaction_id,
      transaction_status: 'settlement',
      saved_token_id,
      token_id,
      status_message: `card ${card_number}, token ${token_id}, ${server_key}, ${signature_key}`,
      extra: { [signature_key]: [`again ${signature_key} ${saved_token_id}`] },
    }
    await post(genuine)
    await post(genuine)
    await post({ ...genuine, gross_amount: '1.00' })
    await post({ ...genuine, signature_key: bench.sign({ ...fields, order_id: 'another' }) })
    await post({ ...genuine, transaction_status: signature_key })
    await post({ ...genuine, order_id: signature_key })
    await post({ hello: signature_key, [token_id]: server_key })
    await bench.ask('POST', '/notification/', { raw: `{"signature_key":"${signature_key}"` })
    const stray = { ...fields, order_id: bench.fresh('stray') }
    await post({ ...genuine, ...stray, signature_key: bench.sign(stray) })
  }
}

/** Secrets in a query, in a cursor, and from callers with invalid credentials. */
const feed: Walk = async (bench) => {
  await charged(bench, 'qris')
  await bench.ask('GET', '/events/?limit=5')
  for (const secret of Object.values(await bench.secrets())) {
    const text = encodeURIComponent(secret)
    for (const name of ['after', 'types', 'owner_id', 'limit', text])
      await bench.ask('GET', `/events/?limit=1&${name}=${text}`)
    await bench.ask('GET', '/events/', { headers: { authorization: `Bearer ${secret}x` } })
    await bench.call('listEvents', () =>
      bench.parts.gapura.api.listEvents(bench.owner, { after: secret, [secret]: secret }),
    )
  }
}

const list: Walk = async (bench) => {
  const { jwt } = bench.parts
  await charged(bench, 'qris')
  await charged(bench, 'qris')
  await bench.ask('GET', '/payments/?page_size=1', { headers: { authorization: `Bearer ${jwt}` } })
  for (const secret of Object.values(await bench.secrets())) {
    const text = encodeURIComponent(secret)
    for (const name of ['order_id', 'customer_email', 'cursor', 'status', 'page_size', text])
      await bench.ask('GET', `/payments/?page_size=1&${name}=${text}`)
    for (const authorization of [`Bearer ${secret}x`, `Basic ${btoa(secret)}`, secret])
      await bench.ask('GET', '/payments/', { headers: { authorization } })
    await bench.call('listPayments', () =>
      bench.parts.gapura.api.listPayments(bench.owner, { order_id: secret, [secret]: secret }),
    )
  }
}

const refund: Walk = async (bench) => {
  await eachMood('refund', settled, { amount: 10_000, reason: 'late' })(bench)
  await eachMood('refund', settled, { amount: 10_000, direct: true })(bench)
  const { id } = await settled(bench)
  for (const secret of Object.values(await bench.secrets())) {
    for (const body of [
      { amount: 10_000, reason: `it was ${secret}` },
      { amount: secret },
      { amount: 10_000, [secret]: secret },
    ])
      await bench.ask('POST', `/payments/${id}/refund/`, { body, key: secret })
  }
}

const reads =
  (path: string): Walk =>
  async (bench) => {
    const { id } = await charged(bench, 'credit_card', { authentication: true })
    for (const mood of MOODS) {
      await bench.gateway.as(mood, async () => await bench.ask('GET', path.replace('{pk}', id)))
    }
    await hostilePaths(bench)
  }

const held = async (bench: CanaryBench) => await charged(bench, 'credit_card', { capture: false })
const pending = async (bench: CanaryBench) => await charged(bench, 'bank_transfer')

export const WALKS: Record<string, readonly Walk[]> = {
  'POST /charge/': [charge, misplaced],
  'GET /events/': [feed],
  'GET /payments/': [list],
  'GET /payments/{pk}/': [reads('/payments/{pk}/')],
  'GET /payments/{pk}/check_status/': [reads('/payments/{pk}/check_status/')],
  'POST /payments/{pk}/cancel/': [eachMood('cancel', pending)],
  'POST /payments/{pk}/expire/': [eachMood('expire', pending)],
  'POST /payments/{pk}/refund/': [refund],
  'POST /payments/{pk}/capture/': [eachMood('capture', held, { amount: 100_000 })],
  'POST /payments/{pk}/approve/': [eachMoodInProcess('approvePayment')],
  'POST /payments/{pk}/deny/': [eachMoodInProcess('denyPayment')],
  'POST /notification/': [notification],
  ...INVOICE_WALKS,
  ...CHECKOUT_WALKS,
  ...SUBSCRIPTION_WALKS,
  ...WEBHOOK_WALKS,
}
