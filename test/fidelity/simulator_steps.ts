// Steps that bring the simulator to the case of a published sample.
import { BODIES, idOf, textOf, type Body, type Rig } from '../../packages/simulator/test/rig.ts'
import { Subscriber, requestFor } from '../../packages/simulator/test/subscriber.ts'

export type Scenario = (rig: Rig) => Promise<unknown>

export const STRANGER = { authorization: 'Basic eDo=' }
export const CHALLENGED = '4511111111111117'
export const DAILY = { schedule: { interval: 1, interval_unit: 'day', max_interval: 12 } }

export const body = async (answer: Promise<{ body: Body }>): Promise<Body> => (await answer).body

export const opened =
  (name: string, more: Body = {}): Scenario =>
  (rig) =>
    rig.charge('order-1', { ...BODIES[name], ...more })

export const post =
  (path: string, request?: Body, headers?: Record<string, string>): Scenario =>
  (rig) =>
    body(rig.wire(`POST ${path}`, request, headers))

/** First this, then that; the last answer counts. */
export const after =
  (...steps: Scenario[]): Scenario =>
  async (rig) => {
    let last: unknown
    for (const step of steps) last = await step(rig)
    return last
  }

export const card =
  (options: Body = {}, number?: string): Scenario =>
  (rig) =>
    rig.card('order-1', options, number)

export const act =
  (what: string, request?: Body): Scenario =>
  (rig) =>
    rig.act('order-1', what, request)

export const status: Scenario = (rig) => rig.status('order-1')
export const settledCard = after(card(), act('settle'))
export const secured = { authentication: true, save_token_id: true, installment_term: 6 }
export const resultOf3ds = after(card(secured), act('finish_3ds'), status)
export const hold = card({ type: 'authorize' })

export const broken =
  (operation: string, step: Scenario): Scenario =>
  async (rig) => {
    await rig.fault({ effect: 'status', match: { operation }, options: { http_status: 500 } })
    return await step(rig)
  }

export const capture: Scenario = async (rig) =>
  await body(rig.wire('POST /v2/capture', { transaction_id: idOf(await rig.status('order-1')) }))

export const subscriptions =
  (work: (merchant: Subscriber) => Promise<unknown>): Scenario =>
  (rig) =>
    work(new Subscriber(rig))

export const changed = (what: string): Scenario =>
  subscriptions(async (merchant) => {
    return (await merchant.change(await merchant.subscribed(), what)).body
  })
export const unknownSubscription = (what: string): Scenario =>
  post(`/v1/subscriptions/unknown/${what}`)

export const patched =
  (id?: string): Scenario =>
  async (rig) => {
    const merchant = new Subscriber(rig)
    const { name, amount, currency, token } = requestFor(await merchant.savedCard())
    const target = id ?? (await merchant.subscribed())
    const request = { name, amount, currency, token, schedule: { interval: 1 } }
    return await body(rig.wire(`PATCH /v1/subscriptions/${target}`, request))
  }

export const subscribed = subscriptions(async (merchant) => {
  const request = requestFor(await merchant.savedCard(), DAILY)
  return (await merchant.create(request)).body
})

export const executed: Scenario = async (rig) => {
  const merchant = new Subscriber(rig)
  const id = await merchant.subscribed(DAILY)
  await rig.advance({ days: 1 })
  return await merchant.get(id)
}

/** A linked account, its wallet token and the account's own id. */
export async function link(rig: Rig): Promise<{ account_id: string; token: string }> {
  const account_id = textOf((await account(rig)) as Body, 'account_id')
  const { options } = await rig.sim(`POST /_sim/pay_accounts/${account_id}/link`)
  return { account_id, token: textOf((options as Body[])[0] ?? {}, 'token') }
}

export const gopay_partner = { phone_number: '81212345678', country_code: '62' }
export const partner = (more: Body): Scenario =>
  post('/v2/pay/account', { payment_type: 'gopay', gopay_partner: { ...gopay_partner, ...more } })
export const account = partner({ redirect_url: 'https://shop.example/' })

export const linked =
  (work: (rig: Rig, account_id: string) => Promise<unknown>): Scenario =>
  async (rig) =>
    await work(rig, (await link(rig)).account_id)

export const accountOf = async (rig: Rig, id: string): Promise<Body> =>
  await body(rig.wire(`GET /v2/pay/account/${id}`))
export const unbind = async (rig: Rig, id: string): Promise<Body> =>
  await body(rig.wire(`POST /v2/pay/account/${id}/unbind`))

/** A charge to a linked GoPay account. */
export const tokenized =
  (gopay: Body = {}, settings: Body = {}, gross_amount = 44_000): Scenario =>
  async (rig) => {
    const { account_id, token } = await link(rig)
    await rig.sim(`PATCH /_sim/pay_accounts/${account_id}`, settings)
    const object = { account_id, payment_option_token: token, ...gopay }
    const metadata = { description: 'Tea', acquired_by: 'GOPAY' }
    const fields = { payment_type: 'gopay', gopay: object, gross_amount, metadata }
    return await rig.charge('order-1', fields)
  }

export const subscribedByGopay: Scenario = async (rig) => {
  const { account_id, token } = await link(rig)
  const request = requestFor(token, { payment_type: 'gopay', gopay: { account_id }, ...DAILY })
  return await body(rig.wire('POST /v1/subscriptions', request))
}

export const executedByGopay: Scenario = async (rig) => {
  const { id } = (await subscribedByGopay(rig)) as { id: string }
  await rig.advance({ days: 1 })
  return await new Subscriber(rig).get(id)
}

export const INVOICE = {
  order_id: 'invoice-1',
  invoice_number: 'INV-1',
  invoice_title: 'INVOICE',
  invoice_paid_title: 'INVOICE',
  due_date: '2026-02-01 12:00:00 +0700',
  invoice_date: '2026-01-01 12:00:00 +0700',
  reference: 'reference',
  customer_details: { id: 'c', name: 'Budi', email: 'b@example.com', phone: '82313123123' },
  item_details: [{ item_id: 'SKU1', description: 'pillow', quantity: 1, price: 2000 }],
  payment_type: 'payment_link',
  tax_mode: 'exclusive',
  taxes: [{ name: 'PPN', type: 'percentage', value: 10 }],
}
export const invoice = post('/v1/invoices', INVOICE)
export const invoiceAfter =
  (method: string, path = ''): Scenario =>
  async (rig) => {
    const { id } = (await invoice(rig)) as { id: string }
    return await body(rig.wire(`${method} /v1/invoices/${id}${path}`))
  }
export const onInvoice =
  (method: string, id: string, path = ''): Scenario =>
  (rig) =>
    body(rig.wire(`${method} /v1/invoices/${id}${path}`))

export const refund = (request: Body = {}): Scenario => post('/v2/order-1/refund', request)
export const direct = (request: Body = {}): Scenario =>
  post('/v2/order-1/refund/online/direct', request)
export const part = { amount: 5000, refund_key: 'key-1', reason: 'some reason' }
export const notAlways412 = (path: string): Scenario => after(opened('bca'), act('pay'), post(path))

export const cardQuery = (
  number: string,
  rest = 'card_exp_month=12&card_exp_year=2030&card_cvv=123',
) => `client_key=SB-Mid-client-simulator&card_number=${number}&${rest}`
export const get =
  (path: string, headers?: Record<string, string>): Scenario =>
  (rig) =>
    body(rig.wire(`GET ${path}`, undefined, headers))
export const token = (number: string): Scenario => get(`/v2/token?${cardQuery(number)}`)

export const byId =
  (work: (id: string) => string): Scenario =>
  async (rig) => {
    const { transaction_id } = (await opened('dana')(rig)) as { transaction_id: string }
    return await body(rig.wire(work(transaction_id)))
  }
export const paidDana =
  (work: (id: string) => string): Scenario =>
  async (rig) => {
    const { transaction_id } = (await opened('dana')(rig)) as { transaction_id: string }
    await rig.act(transaction_id, 'pay')
    return await body(rig.wire(work(transaction_id)))
  }

export const off =
  (channel: string): Scenario =>
  (rig) =>
    rig.sim('PATCH /_sim/settings', { channels: { [channel]: false } })
