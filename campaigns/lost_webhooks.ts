// Payments of every type whose every notification is lost: polling alone must bring each to where
// the gateway has it (I-27). Days go by on both clocks in minutes.
import { randomUUID } from 'node:crypto'
import { PAYMENT_TYPES } from '../packages/service/src/domain/payment_type.ts'
import { expireStalePayments } from '../packages/service/src/services/sweeps/expire_stale_payments.ts'
import { readBudget } from '../packages/service/src/services/sweeps/read_budget.ts'
import { readArguments } from './bench/arguments.ts'
import { cardToken, chargeInput } from './bench/charge_inputs.ts'
import { Client } from './bench/client.ts'
import { deploy, type Deployment } from './bench/deployment.ts'
import { converge, heal, sweep } from './bench/heal.ts'
import { readBooks } from './bench/our_books.ts'
import { seeded, type Random } from './bench/random.ts'
import { figuresOf, progress, report } from './bench/report.ts'
import { judge } from './bench/verdict.ts'

const LANES = 8
/** Minutes of each round: dense while wallets live, then days for accounts, cards and holds. */
const ROUNDS = [1, 2, 3, 5, 7, 20, 40, 120, 240, 480, 720, 720, 1_440, 1_440, 1_440]
/** After the payers' last deed: past every expiry and the daily looks at captured cards. */
const LAST_ROUNDS = [720, 1_440, 1_440, 1_440]

interface Charged {
  id: string
  order_id: string
  payment_type: string
}

const given = readArguments({ n: 2_000, quick_n: 66 })
const random = seeded(given.seed)
const deployment = await deploy({ seed: given.seed, apis: 1, workers: 1 })
const { witness, parts, apis, api_key } = deployment
await witness.control('faults', { effect: 'muted', match: { operation: 'notification' } })
const urls = apis.map(({ url }) => url)
const client = new Client({ urls, api_key, random, rate: 500, timeout_ms: 15_000 })
const charged: Charged[] = []
const refunds: { payment_id: string; refund_id: string }[] = []
const refused_orders: string[] = []

/** Several at once, in the order of the list. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const waiting = items.values()
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function charge(at: number): Promise<void> {
  const payment_type = PAYMENT_TYPES[at % PAYMENT_TYPES.length] ?? 'qris'
  const order_id = `l-${randomUUID()}`
  const card = payment_type === 'credit_card' && {
    token_id: await cardToken(parts.ctx.gateway),
    authentication: random.chance(0.5),
    capture: random.chance(0.7),
  }
  const body = chargeInput(payment_type, { order_id, ...card })
  const wish = { method: 'POST', path: '/charge/', body, key: randomUUID() } as const
  const answer = await client.wish(wish)
  if (answer?.status === 201)
    charged.push({ id: String(answer.body['id']), order_id, payment_type })
  else refused_orders.push(order_id)
}

/** What payer, bank and merchant do to one payment in one round; most do nothing. */
async function deed({ id, order_id, payment_type }: Charged, chance: Random): Promise<void> {
  const fate = chance.fraction()
  const act = async (name: string) => await witness.control(`transactions/${order_id}/${name}`)
  if (fate < 0.18) await act('pay')
  else if (fate < 0.2) await act('deny')
  else if (fate < 0.21) await act('fail')
  else if (fate < 0.22) await act('expire')
  else if (fate < 0.24 && payment_type === 'echannel') {
    // Minutes later at the latest, as the bank does it; the sweeps look once after six.
    if ((await act('pay')).ok) await act('reverse')
  } else if (fate < 0.26) await merchant(id, 'cancel')
  else if (fate < 0.28 && payment_type === 'credit_card') await merchant(id, 'capture')
  else if (fate < 0.3) await merchant(id, 'refund', { amount: 50_000, reason: 'returned' })
}

async function merchant(id: string, action: string, body?: object): Promise<void> {
  const wish = { method: 'POST', path: `/payments/${id}/${action}/`, key: randomUUID() } as const
  const answer = await client.wish({ ...wish, ...(body && { body }) })
  const refund = answer?.body['refund'] as { id: string } | undefined
  if (answer?.status === 200 && refund !== undefined)
    refunds.push({ payment_id: id, refund_id: refund.id })
}

async function round(minutes: number, { parts: own, pass }: Deployment): Promise<void> {
  progress(`${minutes} minutes pass`)
  await pass(minutes)
  await expireStalePayments(own.ctx, { budget: readBudget(100_000) })
  await sweep({ parts: own })
}

await each(
  Array.from({ length: given.n }, (_, at) => at),
  charge,
)
for (const minutes of ROUNDS) {
  await each(charged, async (one) => await deed(one, random))
  await round(minutes, deployment)
}
for (const minutes of LAST_ROUNDS) await round(minutes, deployment)
// The mute stays on: nothing but the polling has told us anything.
const books_before = await witness.acknowledgedNotifications()
const { first_charge_ms } = await heal(deployment)
await converge(deployment)
const charges = charged.map(({ id, order_id }) => ({ id, order_id }))
const acknowledged = { charges, refunds, refused_orders, queued_orders: [] }
const read = { db: parts.ctx.db, database_url: deployment.database_url, witness }
const books = await readBooks({ ...read, acknowledged, first_charge_ms })
const faults = judge(books)
const ends = Map.groupBy(books.payments, ({ transaction_status }) => transaction_status)
report('lost-webhooks', given, {
  figures: [
    ...figuresOf(client),
    { what: 'payments', measured: charged.length },
    { what: 'types', measured: new Set(charged.map(({ payment_type }) => payment_type)).size },
    {
      what: 'notifications received',
      measured: books_before.length,
      goal: '0',
      missed: books_before.length > 0,
    },
    {
      what: 'where they ended',
      measured: [...ends].map(([status, rows]) => `${status} ${rows.length}`).join(', '),
    },
  ],
  faults,
})
await deployment.close()
