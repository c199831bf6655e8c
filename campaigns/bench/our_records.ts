// Our side of the comparison, read from the database without the service.
import type { Pool } from 'pg'
import { verifyDatabase } from '../../packages/service/src/main/verify.ts'
import { jobsSchema } from '../../packages/service/src/store/maintenance/jobs.ts'
import {
  withTransaction,
  type Tx,
} from '../../packages/service/src/store/connection/transaction.ts'
import type { Database } from '../../packages/service/src/store/connection/database.ts'
import type { GatewayWitness } from './gateway_witness.ts'
import type { PaymentTotals } from '../../packages/service/src/services/verify/compare_ledger.ts'
import type { Acknowledged, BookedOrder, Records } from './verdict.ts'

export interface OpenWork {
  operations: number
  jobs: number
  /** Events that have no effect yet. */
  events: number
}

/** Operations, jobs and events that are not done yet. */
export const readOpenWork = async (db: Database): Promise<OpenWork> =>
  await withTransaction(db, async (tx) => {
    const [row] = await tx.query<{ operations: number; jobs: number; events: number }>(
      `select
         (select count(*)::int from gapura.gateway_operation as operation
          where state in ('started', 'unknown')
            -- What only staff can end stays open, and its alarm says so.
            and not exists (
              select from gapura.gateway_alarm as alarm
              where alarm.subject_id = operation.subject_id
                and alarm.kind in ('outcome_unknown', 'refund_overdue')
                and alarm.closed_at is null
            )) as operations,
         (select count(*)::int from ${jobsSchema(db)}.jobs
          where key is distinct from task_identifier and attempts < max_attempts) as jobs,
         (select count(*)::int from gapura.gateway_event as event
          where object_kind <> 'operator' and not exists (
            select from gapura.campaign_effect as effect where effect.event_id = event.id
          )) as events`,
    )
    return row ?? { operations: 0, jobs: 0, events: 0 }
  })

interface Read {
  db: Database
  database_url: string | Pool
  witness: GatewayWitness
  acknowledged: Omit<Acknowledged, 'notifications'>
  first_charge_ms: number | null
}

/** All three records, once nothing changes any more. */
export async function readRecords(read: Read): Promise<Records> {
  const { db, database_url, witness, acknowledged, first_charge_ms } = read
  const { broken } = await verifyDatabase(database_url, { schema: db.schema })
  const notifications = await witness.acknowledgedNotifications()
  const theirs = await witness.orders()
  const ours = await withTransaction(db, async (tx) => ({
    payments: await readPayments(tx),
    booked: await readBooked(tx),
    refunds: await readRefunds(tx),
    notifications: await readIds(tx, 'select id from gapura.gateway_notification'),
    events: {
      events: await tx.query<{ id: string; object_id: string; sequence: number }>(
        "select id, object_id, sequence from gapura.gateway_event where object_kind <> 'operator'",
      ),
      effects: await tx.query<{ event_id: string; object_id: string; sequence: number }>(
        'select event_id, object_id, sequence from gapura.campaign_effect order by place',
      ),
    },
  }))
  const open = await readOpenWork(db)
  return {
    ...ours,
    open,
    theirs,
    acknowledged: { ...acknowledged, notifications },
    broken,
    first_charge_ms,
  }
}

/** Amounts arrive as text; whole rupiah fit a number. */
async function readPayments(tx: Tx): Promise<PaymentTotals[]> {
  const rows = await tx.query<
    Omit<PaymentTotals, 'captured' | 'refunded' | 'reserved'> &
      Record<'captured' | 'refunded' | 'reserved', string>
  >(
    // The gateway records the money of a card in fraud review only when it is approved.
    `select id, order_id, transaction_status, refused, checkout_id,
       case
         when transaction_status = 'capture' and fraud_status = 'challenge' then '0'
         else captured_amount::text
       end as captured,
       refunded_amount::text as refunded, refund_reserved_amount::text as reserved
     from gapura.gateway_payment`,
  )
  return rows.map((row) => ({
    ...row,
    captured: Number(row.captured),
    refunded: Number(row.refunded),
    reserved: Number(row.reserved),
  }))
}

/** By order, because the payments of a checkout are one order there. */
async function readBooked(tx: Tx): Promise<BookedOrder[]> {
  const rows = await tx.query<{
    order_id: string
    in_review: boolean
    received: string
    refunded: string
  }>(
    `select payment.order_id,
       bool_or(coalesce(payment.fraud_status, 'accept') <> 'accept') as in_review,
       coalesce(sum(case
         when posting.source ~ '^(sales|suspense):' and posting.destination = 'gateway:pending'
           then posting.amount
         when posting.destination ~ '^(sales|suspense):' and posting.source = 'gateway:pending'
           then -posting.amount
         else 0
       end), 0)::text as received,
       coalesce(sum(case
         when posting.destination like 'refunds:%' then posting.amount
         when posting.source like 'refunds:%' then -posting.amount
         else 0
       end), 0)::text as refunded
     from gapura.gateway_payment as payment
     left join gapura.ledger_posting as posting on posting.payment_id = payment.id
     group by payment.order_id`,
  )
  return rows.map(({ received, refunded, ...row }) => ({
    ...row,
    received: Number(received),
    refunded: Number(refunded),
  }))
}

async function readRefunds(tx: Tx): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; status: string }>(
    'select id, status from gapura.gateway_refund',
  )
  return new Map(rows.map(({ id, status }) => [id, status]))
}

async function readIds(tx: Tx, text: string): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(text)
  return new Set(rows.map(({ id }) => id))
}
