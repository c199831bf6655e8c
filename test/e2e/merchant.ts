// A merchant with two weeks of trade, statements, payouts, a team and a schedule, for the pictures.
import { SCOPES } from 'gapura'
import { expect } from 'vitest'
import { SHOP, type useDesk } from './desk.ts'

type E2e = ReturnType<typeof useDesk>

const SARI = { owner_id: 'sari', staff: true, scopes: SCOPES }
const RUDI = { owner_id: 'rudi', staff: true, scopes: SCOPES }

const PEOPLE = [
  { first_name: 'Ani', last_name: 'Lestari', email: 'ani@example.com', phone: '081234567890' },
  { first_name: 'Budi', last_name: 'Santoso', email: 'budi@example.com', phone: '081298765432' },
  { first_name: 'Citra', last_name: 'Dewi', email: 'citra@example.com', phone: '081311112222' },
  { first_name: 'Dewi', last_name: 'Anggraini', email: 'dewi@example.com', phone: '081322223333' },
  { first_name: 'Eko', last_name: 'Prasetyo', email: 'eko@example.com', phone: '081333334444' },
]
const TYPES = ['bank_transfer', 'qris', 'gopay', 'cstore', 'shopeepay', 'echannel', 'dana'] as const
const PAYMENTS = 70

/** A day in Jakarta, counted from today. */
const day = (days: number): string =>
  new Date(Date.now() + 7 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)

async function trade(e2e: E2e): Promise<void> {
  for (let n = 0; n < PAYMENTS; n += 1) {
    const type = TYPES[(n * 5 + (n % 3)) % TYPES.length] ?? 'gopay'
    const customer_details = PEOPLE[n % PEOPLE.length]
    const gross_amount = 15_000 * (1 + ((n * 7) % 23))
    const order_id = `toko-${String(4_200 + n)}`
    const more = { gross_amount, customer_details, order_id }
    const open = n % 6 === 0 || n > PAYMENTS - 3
    const payment = open ? await e2e.charge(type, more) : await e2e.paid(type, more)
    if (n % 11 === 3)
      await e2e.desk.gapura.api.cancelPayment(SHOP, payment.id).catch(() => undefined)
  }
}

/** A refund that was made, one that needs approval, and one that was paid by bank transfer. */
async function refunds(e2e: E2e) {
  const last = await e2e.paid('gopay', {
    gross_amount: 245_000,
    customer_details: PEOPLE[1],
    order_id: 'toko-4290',
  })
  await e2e.desk.gapura.api.refundPayment(SHOP, last.id, {
    amount: 45_000,
    reason: 'Satu cangkir pecah',
  })
  const held = await e2e.paid('shopeepay', {
    gross_amount: 375_000,
    customer_details: PEOPLE[0],
    order_id: 'toko-4291',
  })
  // Requested by another staff member, so it needs approval by the signed-in one.
  const order_of_all = { amount: 375_000, reason: 'Set teh datang pecah, foto di tiket 318' }
  await expect(
    e2e.desk.gapura.api.refundPayment(RUDI, held.id, order_of_all),
  ).rejects.toMatchObject({ code: 'refund_held' })
  const by_transfer = await e2e.paid('bank_transfer', {
    gross_amount: 180_000,
    customer_details: PEOPLE[3],
    order_id: 'toko-4292',
  })
  const pending = await e2e.charge('bank_transfer', {
    gross_amount: 95_000,
    customer_details: PEOPLE[4],
    order_id: 'toko-4293',
  })
  return { payment: last.id, held: held.id, by_transfer: by_transfer.id, pending: pending.id }
}

/** Two weeks of payments for the plots. */
const spread = async (e2e: E2e): Promise<unknown> =>
  await e2e.database.sql(
    `update gapura.gateway_payment as payment
     set created_at = created_at - place.days * interval '1 day',
         paid_at = paid_at - place.days * interval '1 day' + place.days * interval '3 minutes'
     from (
       select id, mod(row_number() over (order by id), 14)::integer as days
       from gapura.gateway_payment
       where order_id < 'toko-4262'
     ) as place
     where payment.id = place.id`,
  )

async function invoicesAndLinks(e2e: E2e) {
  const { api } = e2e.desk.gapura
  const due_date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  const order = {
    customer_name: 'Dewi Anggraini',
    customer_email: 'dewi@example.com',
    due_date,
    items: [{ description: 'Lampu meja', price: 120_000, quantity: 2 }],
  }
  const invoice = await api.createInvoice(SHOP, order)
  await api.createInvoice(SHOP, { ...order, customer_name: 'Eko Prasetyo' })
  const subscription = await e2e.subscribe()
  const description = 'Pesanan lewat telepon: dua set teh'
  const link = await api.createCheckout(SHOP, { amount: 150_000, description })
  const old = await api.createCheckout(SHOP, { amount: 60_000, description: 'Teko keramik' })
  await api.cancelCheckout(SHOP, old.id)
  return { invoice: invoice.id, subscription: subscription.id, link: link.id }
}

async function desk(e2e: E2e) {
  const { api, staff } = e2e.desk.gapura
  await e2e.database.sql(
    `insert into gapura.gateway_notification
       (id, order_id, transaction_status, effect, reason, gross_amount, raw_payload)
     values (gen_random_uuid(), 'toko-lama-77', 'settlement', 'unmatched', null, '85000.00',
       '{"order_id": "toko-lama-77", "transaction_status": "settlement", "gross_amount": "85000.00"}')`,
  )
  await e2e.alarm()
  const webhook = await api.createWebhookEndpoint(SHOP, {
    url: 'https://toko-ani.example/webhooks',
    types: ['payment_settled', 'payment_refunded'],
    description: 'Kasir',
  })
  await api.pauseWebhookEndpoint(SHOP, webhook.id)
  const people = [
    { email: 'dewi@toko-ani.example', name: 'Dewi Anggraini', role: 'finance', staff_id: 'dewi' },
    { email: 'rudi@toko-ani.example', name: 'Rudi Hartono', role: 'support', staff_id: 'rudi' },
  ]
  for (const person of people) await staff.invitePerson(SARI, person)
  const export_of = await staff.createExportSchedule(SARI, {
    name: 'Tutup buku bulanan',
    every: 'month',
    format: 'xlsx',
    status: 'settlement',
    recipients: ['keuangan@toko-ani.example', 'pemilik@toko-ani.example'],
  })
  const { link_token } = await staff.invitePerson(SARI, {
    email: 'putri@toko-ani.example',
    name: 'Putri Maharani',
    role: 'viewer',
    staff_id: 'putri',
  })
  const heard = (await (await e2e.ask('/staff/notifications/?effect=applied')).json()) as {
    results: { id: string }[]
  }
  return {
    webhook: webhook.id,
    export: export_of.id,
    join: link_token,
    notification: heard.results[0]?.id ?? '',
  }
}

const file = (name: string, format: 'bca_csv' | 'portal_csv', lines: readonly string[]) => ({
  file_name: name,
  format,
  content_base64: Buffer.from(lines.join('\n')).toString('base64'),
})

/** Statements of gateway and bank: one payout that agrees, one short by a fee, and refused lines. */
async function finance(e2e: E2e) {
  const { staff } = e2e.desk.gapura
  const reported = ['toko-4264', 'toko-4265', 'toko-4290', 'toko-4292']
  const paid = (await e2e.database.sql(
    `select order_id, gross_amount::bigint::text as amount from gapura.gateway_payment
     where order_id = any('{${reported.join()}}') and paid_at is not null order by order_id`,
  )) as { order_id: string; amount: string }[]
  const line = (order: string, amount: number, fee: number) =>
    `${day(0)} 00:10:00,${order},${amount},${fee},Payment,settlement,WLST2026000117`
  const sums = paid.map(({ order_id, amount }, at) => {
    const fee = at === 0 ? 9_000 : Math.round(Number(amount) * 0.02)
    return { order_id, amount: Number(amount), fee }
  })
  const payout = sums.reduce((sum, { amount, fee }) => sum + amount - fee, 0)
  const gateway = file('laporan-midtrans.csv', 'portal_csv', [
    'Date & Time,Order ID,Amount,Fee,Transaction Type,Status,Withdrawal ID',
    ...sums.map(({ order_id, amount, fee }) => line(order_id, amount, fee)),
    `${day(0)} 00:12:00,toko-lama-78,65000,1300,Payment,settlement,`,
    `${day(0)} 00:20:00,,${payout},0,Withdrawal,completed,WLST2026000117`,
  ])
  await staff.importStatement(SARI, gateway)
  const [year, month, date] = day(0).split('-')
  const bank = file('mutasi-bca.csv', 'bca_csv', [
    'Tanggal Transaksi,Keterangan,Cabang,Jumlah',
    `${date}/${month}/${year},MIDTRANS WLST2026000117,0000,"${payout.toLocaleString('en')}.00 CR"`,
    `${date}/${month}/${year},BIAYA ADM,0000,"15,000.00 DB"`,
    `32/${month}/${year},TRSF E-BANKING,0000,"1,000.00 CR"`,
  ])
  const imported = await staff.importStatement(SARI, bank)
  await staff.setStatementMapping(SARI, {
    name: 'ekspor harian',
    columns: { time: 'Kapan', order_id: 'Nomor', amount: 'Total' },
  })
  await staff.setFeeRate(SARI, {
    payment_type: 'bank_transfer',
    channel: 'bca',
    valid_from: day(-30),
    percent: '0',
    fixed_amount: '3500',
    vat_percent: '11',
    borne_by: 'merchant',
    reason: 'Kontrak 2026, lampiran B',
  })
  await staff.closeLedgerDay(SARI, { day: day(-3) })
  await staff.runReconciliation(SARI)
  const { results: payouts } = await staff.listPayouts(SARI)
  const { results: exceptions } = await staff.listExceptions(SARI)
  const about_fee = exceptions.find(({ cause }) => cause === 'fee_differs') ?? exceptions[0]
  return {
    statement: imported.id,
    payout: payouts[0]?.id ?? '',
    exception: about_fee?.id ?? '',
  }
}

/** Fills the installation and returns the ids of what the pictures show. */
export async function openMerchant(e2e: E2e) {
  await trade(e2e)
  const some = await refunds(e2e)
  await spread(e2e)
  return {
    ...some,
    ...(await invoicesAndLinks(e2e)),
    ...(await desk(e2e)),
    ...(await finance(e2e)),
  }
}

export type Shown = Awaited<ReturnType<typeof openMerchant>>

/** Pages that the documentation has pictures of. */
export const keptPages = (shown: Shown): Record<string, string> => ({
  payments: '/payments',
  payment: `/payments/${shown.payment}`,
  held: `/payments/${shown.held}`,
  search: '/search?q=toko-9999',
  overview: `/overview?from=${day(-13)}&until=${day(0)}`,
  notifications: '/notifications',
  notification: `/notifications/${shown.notification}`,
  invoices: '/invoices',
  invoice: `/invoices/${shown.invoice}`,
  subscriptions: '/subscriptions',
  subscription: `/subscriptions/${shown.subscription}`,
  webhooks: '/webhooks',
  webhook: `/webhooks/${shown.webhook}`,
  health: '/health',
})

/** Every other page. */
export const otherPages = (shown: Shown): Record<string, string> => ({
  filtered: '/payments?status=settlement&payment_type=qris&sort=highest',
  nothing: '/payments?status=chargeback',
  pending: `/payments/${shown.pending}`,
  transfer: `/payments/${shown.by_transfer}`,
  found: '/search?q=ani',
  customer: '/customer?email=budi%40example.com',
  refunds: '/refunds',
  links: '/links',
  link: `/links/${shown.link}`,
  ledger: '/finance/ledger',
  account: '/finance/account?account=gateway%3Apending',
  journal: '/finance/journal',
  statements: '/finance/statements',
  statement: `/finance/statements/${shown.statement}`,
  mappings: '/finance/mappings',
  payouts: '/finance/payouts',
  payout: `/finance/payouts/${shown.payout}`,
  exceptions: '/finance/exceptions',
  exception: `/finance/exceptions/${shown.exception}`,
  proof: '/finance/proof',
  rates: '/finance/rates',
  month: '/finance/month',
  exports: '/exports',
  export: `/exports/${shown.export}?from=${day(-40).slice(0, 7)}-01`,
  team: '/team',
  audit: '/audit',
})
