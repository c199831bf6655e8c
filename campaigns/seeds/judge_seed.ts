// The verdict over a run of one seed.
import type { Parts } from '../../packages/service/src/main/compose.ts'
import type { Database } from '../../packages/service/src/store/connection/database.ts'
import type { Deployment } from '../bench/deployment.ts'
import { faulty } from '../bench/verdict.ts'
import type { SimulatedWitness } from './gateway.ts'
import { judgeRun } from '../bench/judging.ts'
import type { Receivers } from './receivers.ts'

interface Judged extends Pick<Deployment, 'intents' | 'checkouts'> {
  db: Database
  witness: SimulatedWitness
  receivers: Receivers
  /** Broken promises that the rush provokes on purpose. */
  expected: RegExp | undefined
}

/** Every broken promise, as a sentence. */
export async function judgeSeed(judged: Judged): Promise<string[]> {
  const { db } = judged
  const parts = { ctx: { db } } as unknown as Parts
  const { faults } = await judgeRun({ ...judged, parts, database_url: db.pool }, 0)
  const { expected } = judged
  const { rows } = await db.pool.query<{ detail: string }>(
    "select detail from gapura.gateway_alarm where detail like '%was given up, and the gateway has it%'",
  )
  const heard = [
    ...faulty(
      'charges given up too early',
      rows.map(({ detail }) => detail),
    ),
    ...(await judgeNotifications(db, judged.witness)),
    ...(await judgeConfirmations(db, judged.witness)),
    ...(await judged.receivers.judge(db)),
  ]
  const left_to_staff = await isReservedForStaff(db)
  const shared = await listSharedOrders(db)
  return [...faults, ...heard].filter(
    (fault) =>
      expected?.test(fault) !== true &&
      !(left_to_staff && fault.startsWith('refunds still reserved')) &&
      !isAboutShared(fault, shared),
  )
}

/** What is said of the orders below, because the verdict counts no payment marked refused. */
const SHARED =
  /^(?:charges recorded as refused that were made|I-10 captured amounts other|I-20 acknowledged charges without their payment)/

function isAboutShared(fault: string, shared: readonly string[]): boolean {
  const [, times, examples = ''] = /: (\d+), such as (.+)$/.exec(fault) ?? []
  // An example begins with its order id; what follows may have commas too.
  const begun = examples.split(', ').map((part) => part.split(' ')[0] ?? '')
  const named = begun.filter((order_id) => shared.includes(order_id))
  return SHARED.test(fault) && named.length === Number(times)
}

/**
 * Orders whose given-up charge was made after all while another payment had the order id: it stays
 * marked refused, its money is recorded, and an alarm names both (ADR 0003).
 */
async function listSharedOrders(db: Database): Promise<string[]> {
  const { rows } = await db.pool.query<{ order_id: string }>(
    `select distinct payment.order_id
     from gapura.gateway_payment as payment
     join gapura.gateway_alarm as alarm on alarm.subject_id = payment.id
     where payment.refused
       and payment.captured_amount = payment.gross_amount
       and alarm.kind = 'duplicate_at_gateway'
       and alarm.closed_at is null`,
  )
  return rows.map(({ order_id }) => order_id)
}

/** After six days only staff end an unclear refund: its amount stays reserved, with an open alarm. */
async function isReservedForStaff(db: Database): Promise<boolean> {
  const { rows } = await db.pool.query(
    `select from gapura.gateway_payment as payment
     where refund_reserved_amount > 0
       and not exists (
         select from gapura.gateway_alarm as alarm
         where alarm.subject_id = payment.id
           and alarm.kind in ('refund_overdue', 'outcome_unknown')
           and alarm.closed_at is null
       )`,
  )
  return rows.length === 0
}

/** What is stored unmasked, and differs from one notification to the next. */
const KEPT = [
  'order_id',
  'transaction_id',
  'transaction_status',
  'status_code',
  'gross_amount',
  'refund_amount',
]
const keptOf = (body: Record<string, unknown>): object =>
  Object.fromEntries(KEPT.filter((name) => name in body).map((name) => [name, body[name]]))

/** Each notification that was answered 200 is stored as it came. */
async function judgeNotifications(db: Database, { bodies }: SimulatedWitness): Promise<string[]> {
  const lost: string[] = []
  for (const body of new Set(bodies)) {
    const kept = JSON.stringify(keptOf(JSON.parse(body) as Record<string, unknown>))
    const { rows } = await db.pool.query(
      'select from gapura.gateway_notification where raw_payload @> $1::jsonb limit 1',
      [kept],
    )
    if (rows.length === 0) lost.push(kept)
  }
  return faulty('acknowledged notifications that are not stored as they came', lost)
}

interface ReportedRefund {
  refund_key: string
  bank_confirmed_at?: string
}

/** A refund that an acknowledged notification calls confirmed is confirmed here. */
async function judgeConfirmations(db: Database, { bodies }: SimulatedWitness): Promise<string[]> {
  const reported = bodies.flatMap(
    (body) => (JSON.parse(body) as { refunds?: ReportedRefund[] }).refunds ?? [],
  )
  const confirmed = reported.filter(({ bank_confirmed_at }) => bank_confirmed_at !== undefined)
  const { rows } = await db.pool.query<{ refund_key: string }>(
    `select refund_key from gapura.gateway_refund
     where refund_key = any($1) and confirmed_at is null`,
    [confirmed.map(({ refund_key }) => refund_key)],
  )
  return faulty(
    'refunds confirmed by the gateway and not here',
    rows.map(({ refund_key }) => refund_key),
  )
}
