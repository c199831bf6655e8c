// Payments of every type whose notifications are all lost: polling alone must bring each to the
// gateway's status (I-27). Days pass on both clocks in minutes.
import { randomUUID } from 'node:crypto'
import { PAYMENT_TYPES } from '../packages/service/src/domain/payment_type.ts'
import { expireStalePayments } from '../packages/service/src/services/sweeps/check_payments.ts'
import { readBudget } from '../packages/service/src/services/sweeps/sweep_pages.ts'
import { readArguments } from './bench/arguments.ts'
import { AMOUNT, cardToken, chargeInput } from './bench/charge_inputs.ts'
import { Client } from './bench/client.ts'
import { deploy, type Deployment } from './bench/deployment.ts'
import { converge, heal, sweep } from './bench/heal.ts'
import type { CampaignCaller } from './bench/intents.ts'
import { judgeRun } from './bench/judging.ts'
import { seeded, type Random } from './bench/random.ts'
import { figuresOf, progress, report } from './bench/report.ts'

const CONCURRENCY = 8
const REFUND = 50_000
/** Minutes of each round: short while wallets live, then days for accounts, cards and holds. */
const ROUNDS = [1, 2, 3, 5, 7, 20, 40, 120, 240, 480, 720, 720, 1_440, 1_440, 1_440]
/** After the payers' last action: past every expiry and the daily looks at captured cards. */
const LAST_ROUNDS = [720, 1_440, 1_440, 1_440]

interface Charged {
  id: string
  order_id: string
  payment_type: string
  caller: CampaignCaller
}

const given = readArguments({ n: 2_000, quick_n: 66 })
const random = seeded(given.seed)
const { seed, broken } = given
const deployment = await deploy({ seed, broken, apis: 1, workers: 1 })
const { witness, parts, apis, api_key, callers, intents } = deployment
await witness.control('faults', { effect: 'muted', match: { operation: 'notification' } })
const urls = apis.map(({ url }) => url)
const client = new Client({ urls, api_key, random, rate: 500, timeout_ms: 15_000 })
const charged: Charged[] = []

/** Several concurrently, in the order of the list. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const waiting = items.values()
  const runNext = async (): Promise<void> => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runNext))
}

async function charge(at: number): Promise<void> {
  const payment_type = PAYMENT_TYPES[at % PAYMENT_TYPES.length] ?? 'qris'
  const order_id = `l-${randomUUID()}`
  const card = payment_type === 'credit_card' && {
    token_id: await cardToken(parts.ctx.gateway),
    authentication: random.chance(0.5),
    capture: random.chance(0.7),
  }
  const caller = random.pick(callers)
  const answer = await intents.perform(client, {
    kind: 'charge',
    caller,
    path: '/charge/',
    amount: AMOUNT,
    chosen_order_id: order_id,
    body: (intent_id) => chargeInput(payment_type, { order_id, metadata: { intent_id }, ...card }),
  })
  if (answer?.status === 201)
    charged.push({ id: String(answer.body['id']), order_id, payment_type, caller })
}

/** What payer, bank and merchant do to one payment in one round; most do nothing. */
async function actOn(one: Charged, chance: Random): Promise<void> {
  const { order_id, payment_type } = one
  const drawn = chance.fraction()
  const act = async (name: string) => await witness.control(`transactions/${order_id}/${name}`)
  if (drawn < 0.18) await act('pay')
  else if (drawn < 0.2) await act('deny')
  else if (drawn < 0.21) await act('fail')
  else if (drawn < 0.22) await act('expire')
  else if (drawn < 0.24 && payment_type === 'echannel') {
    // The bank needs minutes at most; the sweeps look once after six.
    if ((await act('pay')).ok) await act('reverse')
  } else if (drawn < 0.26) await merchant(one, 'cancel')
  else if (drawn < 0.28 && payment_type === 'credit_card') await merchant(one, 'capture')
  else if (drawn < 0.3) await merchant(one, 'refund')
}

async function merchant(
  { id, order_id, caller }: Charged,
  kind: 'cancel' | 'capture' | 'refund',
): Promise<void> {
  await intents.perform(client, {
    kind,
    caller,
    path: `/payments/${id}/${kind}/`,
    target: order_id,
    ...(kind === 'refund' && {
      amount: REFUND,
      body: (reason: string) => ({ amount: REFUND, reason }),
    }),
  })
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
  await each(charged, async (one) => await actOn(one, random))
  await round(minutes, deployment)
}
for (const minutes of LAST_ROUNDS) await round(minutes, deployment)
// Notifications are still off: all facts came from polling.
const received = await witness.acknowledgedNotifications()
const { first_charge_ms } = await heal(deployment)
await converge(deployment)
const { records, faults, figures } = await judgeRun(deployment, first_charge_ms)
const ends = Map.groupBy(records.payments, ({ transaction_status }) => transaction_status)
report('lost-webhooks', given, {
  figures: [
    ...figuresOf(client),
    { what: 'payments', measured: charged.length },
    ...figures,
    { what: 'types', measured: new Set(charged.map(({ payment_type }) => payment_type)).size },
    {
      what: 'notifications received',
      measured: received.length,
      goal: '0',
      missed: received.length > 0,
    },
    {
      what: 'where they ended',
      measured: [...ends].map(([status, rows]) => `${status} ${rows.length}`).join(', '),
    },
  ],
  faults,
})
await deployment.close()
