// Payments whose ledger lags: those of before the ledger, and those that a process of the previous
// release changed. Both have other amounts than what is booked of them.
import { BOOKED_COLUMNS } from '../../domain/ledger.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { Tx } from '../connection/transaction.ts'
import { PAYMENT_COLUMNS } from './rows.ts'

const HELD = `(
  payment.transaction_status in
    ('capture', 'settlement', 'partial_refund', 'partial_chargeback', 'refund', 'chargeback')
  and coalesce(payment.fraud_status, 'accept') = 'accept'
)`

/** What must be booked, as `bookable` of the domain has it: received, refunded, charged back. */
const BOOKABLE = `
  case when ${HELD} then payment.captured_amount else 0 end,
  case
    when not ${HELD} then 0
    when payment.transaction_status = 'refund' then payment.captured_amount
    else payment.refunded_amount
  end,
  case
    when ${HELD} and payment.transaction_status = 'chargeback'
      then payment.captured_amount - payment.refunded_amount
    else 0
  end`

/** Whether something of `payment` is not booked yet. */
export const IS_UNBOOKED = `(${BOOKABLE}) <> (${BOOKED_COLUMNS.map((column) => `payment.${column}`).join(', ')})`

/** A payment to be booked, and what its history says about the times. */
export interface UnbookedPayment extends GatewayPayment {
  charged_back_at: Date | null
  is_late: boolean
}

/** Locks a page of them, after this id, in the order of their ids. */
export const lockUnbooked = async (
  tx: Tx,
  { after, limit }: { after: string; limit: number },
): Promise<UnbookedPayment[]> =>
  await tx.query<UnbookedPayment>(
    `select ${PAYMENT_COLUMNS.split(',')
      .map((column) => `payment.${column.trim()}`)
      .join(', ')},
       (
         select max(step.occurred_at)
         from gapura.gateway_transition as step
         where step.object_id = payment.id
           and step.to_status = 'chargeback'
       ) as charged_back_at,
       exists (
         select
         from gapura.gateway_alarm as alarm
         where alarm.subject_id = payment.id
           and alarm.kind = 'late_money'
           and alarm.closed_at is null
       ) as is_late
     from gapura.gateway_payment as payment
     where payment.id > $1
       and ${IS_UNBOOKED}
     order by payment.id
     limit $2
     for no key update of payment`,
    [after, limit],
  )

/** How many there are. Reads every payment. */
export async function countUnbooked(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::integer as count
     from gapura.gateway_payment as payment
     where ${IS_UNBOOKED}`,
    [],
    { prepare: false },
  )
  return row?.count ?? 0
}

/** Since when every payment must be in the ledger; null while some may be missing. */
export async function ledgerCompleteAt(tx: Tx): Promise<Date | null> {
  const [row] = await tx.query<{ ledger_complete_at: Date | null }>(
    'select ledger_complete_at from gapura.setting',
  )
  return row?.ledger_complete_at ?? null
}

/** From now on a payment that is not booked is a fault. The first time counts. */
export async function completeLedger(tx: Tx): Promise<void> {
  await tx.query(
    'update gapura.setting set ledger_complete_at = coalesce(ledger_complete_at, gapura.now())',
  )
}
