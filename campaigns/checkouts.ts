// Checkouts of every kind: paid, denied and retried, abandoned, paid late, paid twice, cancelled,
// with answers to their creation lost or late. Every page and transaction must end here as at the
// gateway. `--lost-webhooks`: every notification is lost, and sweeps alone find the payments.
import { randomUUID } from 'node:crypto'
import { verifyDatabase } from '../packages/service/src/main/verify.ts'
import { readArguments } from './bench/arguments.ts'
import { judgeCheckouts, readCheckouts, readPages } from './bench/checkout_verdict.ts'
import { createCheckout, DENIED_CARD, WAITING } from './bench/checkout_stories.ts'
import { Client } from './bench/client.ts'
import { deploy } from './bench/deployment.ts'
import { sweep } from './bench/heal.ts'
import type { CampaignCaller } from './bench/intents.ts'
import { seeded } from './bench/random.ts'
import { figuresOf, progress, report, type Figure } from './bench/report.ts'
import { picked } from './bench/scene.ts'

const CONCURRENCY = 12
const PAGE_MINUTES = 60
const METHODS = [
  'credit_card',
  'gopay',
  'shopeepay',
  'other_qris',
  'ovo',
  'bca_va',
  'bni_va',
  'bri_va',
  'cimb_va',
  'permata_va',
  'echannel',
  'indomaret',
  'alfamart',
  'akulaku',
  'kredivo',
  'dana',
] as const
/** The gateway finds these by order id; DANA only by its own id, which a notification brings. */
const FOUND = METHODS.filter((method) => method !== 'dana')

const STORIES = {
  paid: 0.4,
  retried: 0.14,
  abandoned: 0.12,
  abandoned_later: 0.08,
  paid_twice: 0.08,
  paid_late: 0.08,
  cancelled: 0.06,
  cancelled_and_paid: 0.04,
} as const
type Story = keyof typeof STORIES

interface Opened {
  order_id: string
  story: Story
  id: string
  caller: CampaignCaller
  transactions: string[]
}

const given = readArguments({ n: 10_000, quick_n: 40 }, ['lost-webhooks'])
const lost = given.switches.has('lost-webhooks')
const random = seeded(given.seed)
const { seed, broken } = given
const deployment = await deploy({ seed, broken, apis: 2, workers: 0, timeout_ms_max: 1_500 })
const { witness, parts, apis, api_key, callers, pass, checkouts: log } = deployment
const { shown, acknowledged } = log
const urls = apis.map(({ url }) => url)
const client = new Client({ urls, api_key, random, rate: 1_000, timeout_ms: 20_000 })
const refused = new Map<string, number>()
const opened: Opened[] = []
const refusals: string[] = []
const methods: readonly string[] = lost ? FOUND : METHODS

async function each<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>) {
  const waiting = items[Symbol.iterator]()
  const runNext = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      await work(next.value)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runNext))
}

/** One order in five loses the answers to its creation, or gets them late. */
async function faultOf(order_id: string): Promise<void> {
  const drawn = random.fraction()
  if (drawn >= 0.2) return
  const late = drawn < 0.05
  await witness.control('faults', {
    effect: late ? 'timeout_after' : random.pick(['drop_after', 'drop_before', 'truncated_json']),
    match: { operation: 'create_checkout', order_id_prefix: order_id },
    times: late ? 1 : random.pick([1, 1, 2, 3]),
  })
}

async function create(): Promise<void> {
  const order_id = `c-${randomUUID()}`
  const caller = random.pick(callers)
  await faultOf(order_id)
  const page = { page_expiry_minutes: PAGE_MINUTES }
  const answer = await createCheckout({ client, log, caller }, order_id, page)
  if (answer === undefined) return
  if (answer.status >= 300) {
    const code = String(answer.body['code'])
    refused.set(code, (refused.get(code) ?? 0) + 1)
    return
  }
  const id = String(answer.body['id'])
  const story = picked(random, STORIES) ?? 'paid'
  opened.push({ order_id, story, id, caller, transactions: [] })
  // A shop that repeats without its key gets the same page.
  if (random.chance(0.1))
    await createCheckout({ client, log, caller }, order_id, { ...page, key: `again-${order_id}` })
}

/** What the payer does on the page; a refusal of the simulator is a fault of the campaign. */
async function act(one: Opened, action: string, body: object = {}): Promise<string | undefined> {
  const reply = await witness.control(`checkouts/${one.order_id}/${action}`, body)
  const answer = (await reply.json()) as { transaction_id?: string; error?: string }
  if (!reply.ok) {
    refusals.push(`${one.story} ${action} ${JSON.stringify(body)}: ${answer.error ?? reply.status}`)
    return undefined
  }
  const { transaction_id } = answer
  if (transaction_id !== undefined) one.transactions.push(transaction_id)
  return transaction_id
}

const cancel = async ({ id, caller }: Opened): Promise<void> => {
  const path = `/checkouts/${id}/cancel/`
  await client.wish({ method: 'POST', path, key: `cancel-${id}`, api_key: caller.api_key })
}

/** The first visit of the payer. */
const FIRST: Readonly<Record<Story, (one: Opened) => Promise<unknown>>> = {
  paid: async (one) => await act(one, 'pay', { method: random.pick(methods) }),
  retried: async (one) => {
    await act(one, 'choose', { method: 'credit_card', card_number: DENIED_CARD })
    await act(one, 'abandon')
  },
  abandoned: async (one) => await act(one, 'open'),
  abandoned_later: async (one) => await act(one, 'choose', { method: random.pick(WAITING) }),
  paid_twice: async (one) => await act(one, 'choose', { method: random.pick(WAITING) }),
  paid_late: async (one) => await act(one, 'choose', { method: 'bca_va' }),
  cancelled: async (one) => {
    if (random.chance(0.5)) await act(one, 'choose', { method: random.pick(WAITING) })
  },
  cancelled_and_paid: async (one) => await act(one, 'open'),
}

/** The second visit, minutes later. */
const SECOND: Readonly<Partial<Record<Story, (one: Opened) => Promise<unknown>>>> = {
  retried: async (one) => await act(one, 'pay', { method: random.pick(WAITING) }),
  paid_twice: async (one) => await act(one, 'choose', { method: random.pick(WAITING) }),
  cancelled: cancel,
  cancelled_and_paid: cancel,
}

/** The third, after that; the page of a late payer is over by then. */
const THIRD: Readonly<Partial<Record<Story, (one: Opened) => Promise<unknown>>>> = {
  paid_twice: async (one) => {
    for (const transaction_id of one.transactions.slice()) {
      await witness.control(`transactions/${transaction_id}/pay`)
    }
  },
  cancelled_and_paid: async (one) => await act(one, 'pay', { method: random.pick(WAITING) }),
}

const LATE: Readonly<Partial<Record<Story, (one: Opened) => Promise<unknown>>>> = {
  paid_late: async ({ transactions: [first = ''] }) =>
    await witness.control(`transactions/${first}/pay`),
}

type Visit = Readonly<Partial<Record<Story, (one: Opened) => Promise<unknown>>>>

async function visit(name: string, stories: Visit, minutes: readonly number[]): Promise<void> {
  progress(`${name}: ${opened.length} checkouts`)
  await each(opened, async (one) => void (await stories[one.story]?.(one)))
  for (const step of minutes) {
    await pass(step)
    await sweep({ parts })
  }
}

if (lost) await witness.control('faults', { effect: 'muted', match: { operation: 'notification' } })
const third = Math.ceil(given.n / 3)
for (const checkout_repeat of ['new', 'same', 'refused']) {
  progress(`creating ${third} pages; a repeat gets: ${checkout_repeat}`)
  await witness.settings({ checkout_repeat })
  await each(Array.from({ length: third }).keys(), create)
}
// The resolver ends what is unclear: at most four minutes of sends, then it is a failure.
for (const minutes of [1, 1, 1, 2]) {
  await pass(minutes)
  await sweep({ parts })
}
await visit('first visit', FIRST, [1, 2, 4])
await visit('second visit', SECOND, [1, 2, 8])
await visit('third visit', THIRD, [1, 5, 20])
await visit('pages end', {}, [30, 5, 10])
await visit('late payers', LATE, [1, 15, 60])
for (const minutes of [240, 720, 720, 1_440, 1_440]) await visit('time passes', {}, [minutes])

const received = await witness.acknowledgedNotifications()
const pages = await readPages(witness.url)
const ours = await readCheckouts(parts.ctx.db)
const { broken: violated } = await verifyDatabase(deployment.database_url, {
  schema: parts.ctx.db.schema,
})
const faults = [
  ...judgeCheckouts({ pages, ...ours, shown, acknowledged }),
  ...violated.map(({ id, promise, violations }) => `${id} broken by ${violations}: ${promise}`),
]
const counted = (values: Iterable<string>): string =>
  [...Map.groupBy(values, (value) => value)].map(([name, of]) => `${name} ${of.length}`).join(', ')
const faulted = (await witness.calls()).filter(
  ({ operation, fault }) => operation === 'create_checkout' && fault !== undefined,
)
const transactions = pages.flatMap((page) => page.transactions)
const figures: Figure[] = [
  ...figuresOf(client),
  { what: 'checkouts', measured: ours.checkouts.length },
  { what: 'ended as', measured: counted(ours.checkouts.map(({ status }) => status)) },
  { what: 'stories', measured: counted(opened.map(({ story }) => story)) },
  {
    what: 'refused creations',
    measured: [...refused].map(([code, times]) => `${code} ${times}`).join(', '),
  },
  {
    what: 'answers to creations lost or late',
    measured: `${faulted.length}: ${counted(faulted.map(({ fault }) => fault ?? ''))}`,
  },
  { what: 'pages at the gateway', measured: pages.length },
  { what: 'transactions at the gateway', measured: transactions.length },
  {
    what: 'orders paid twice, each with its alarm',
    measured: ours.checkouts.filter(({ paid }) => paid > 1).length,
  },
  {
    what: 'actions of payers that the simulator refused',
    measured: refusals.length === 0 ? 0 : `${refusals.length}, such as ${refusals[0] ?? ''}`,
  },
  ...(lost
    ? [
        {
          what: 'notifications received',
          measured: received.length,
          goal: '0',
          missed: received.length > 0,
        },
      ]
    : []),
]
report(lost ? 'checkouts --lost-webhooks' : 'checkouts', given, { figures, faults })
await deployment.close()
