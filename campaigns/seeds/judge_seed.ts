// The verdict over a run of one seed.
import type { Parts } from '../../packages/service/src/main/compose.ts'
import {
  openDatabase,
  type Database,
} from '../../packages/service/src/store/connection/database.ts'
import type { Deployment } from '../bench/deployment.ts'
import { faulty } from '../bench/verdict.ts'
import type { SimulatedWitness } from './gateway.ts'
import { judgeRun } from '../bench/judging.ts'

interface Judged extends Pick<Deployment, 'intents' | 'checkouts' | 'database_url'> {
  witness: SimulatedWitness
  /** Broken promises that the rush provokes on purpose. */
  expected: RegExp | undefined
}

/** Every broken promise, as a sentence. */
export async function judgeSeed(judged: Judged): Promise<string[]> {
  const db = openDatabase(judged.database_url)
  try {
    const parts = { ctx: { db } } as unknown as Parts
    const { faults } = await judgeRun({ ...judged, parts }, 0)
    const { expected } = judged
    const { rows } = await db.pool.query<{ detail: string }>(
      "select detail from gapura.gateway_alarm where detail like '%was given up, and the gateway has it'",
    )
    const heard = [
      ...faulty(
        'charges given up too early',
        rows.map(({ detail }) => detail),
      ),
      ...(await judgeNotifications(db, judged.witness)),
      ...(await judgeConfirmations(db, judged.witness)),
    ]
    return [...faults, ...heard].filter((fault) => expected?.test(fault) !== true)
  } finally {
    await db.close()
  }
}

/** What is stored unmasked, and differs from one notification to the next. */
const KEPT = ['order_id', 'transaction_id', 'transaction_status', 'status_code', 'refund_amount']
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
