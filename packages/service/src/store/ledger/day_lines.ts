import type { LedgerObject, Posting } from '../../domain/ledger.ts'
import type { Money } from '../../domain/money.ts'
import type { GatewayPayment, GatewayRefund } from '../../domain/payment.ts'
import type { Tx } from '../connection/transaction.ts'

/** A posting with what it is about. */
export interface DayLine extends Posting {
  object_kind: LedgerObject
  object_id: string
  version: number
  line: number
  booked_on: string
  payment_id: string | null
  order_id: GatewayPayment['order_id'] | null
  transaction_id: string | null
  owner_id: string | null
  payment_type: GatewayPayment['payment_type'] | null
  bank: string | null
  store: string | null
  refund_source: GatewayRefund['source'] | null
  reference: string | null
  evidence: string | null
  reason: string | null
  requested_by: string | null
  approved_by: string | null
  /** What the gateway stated; null while only the rate card says it. */
  stated_fee: Money | null
  stated_vat: Money | null
  /** The payout that a report of the gateway names. */
  payout_id: string | null
}

/** Behind this posting of the day, in the order of the key. */
export type DayPlace = Pick<DayLine, 'object_id' | 'version' | 'kind' | 'line'>

const KEY = 'posting.object_id, posting.version, posting.kind, posting.line'

/** The fee that the ledger has of a payment: as it was compared, or as staff booked it, then whole. */
const STATED = `
  left join lateral (
    select
      (case when decided.id is null then item.booked_fee + item.booked_adjustment
        else item.fee end)::numeric(15, 2) as fee,
      (case when decided.id is null then item.booked_vat else 0 end)::numeric(15, 2) as vat
    from gapura.reconciliation_item as item
    left join gapura.reconciliation_action as decided
      on decided.id = item.action_id
      and decided.action = 'post_fee'
      and decided.state = 'done'
    where item.id = posting.payment_id
      and item.kind = 'payment'
      and posting.kind in ('received', 'received_late')
      and (decided.id is not null or item.booked_fee + item.booked_vat <> 0)
  ) as stated on true`

/** The payout that a line of the gateway's report about the same thing names. */
const PAYOUT = `
  left join lateral (
    select line.reference
    from gapura.statement_line as line
    where line.order_id = payment.order_id
      and line.side = 'gateway'
      and line.kind = case
        when posting.kind like 'refund%' then 'refund'
        when posting.kind like 'charge%' then 'chargeback'
        else 'payment' end
      and exists (
        select from gapura.reconciliation_item as paid_out
        where paid_out.kind = 'payout'
          and upper(paid_out.reference) = upper(line.reference)
      )
    order by line.created_at desc, line.id
    limit 1
  ) as payout on true`

/**
 * The postings of one day in the order of their key, with payment and refund. The day is found by
 * the blocks that hold it and then sorted: in the order of the key's index every posting there is
 * would be read.
 */
export const listDayLines = async (
  tx: Tx,
  day: string,
  { after, limit }: { after: DayPlace | null; limit: number },
): Promise<DayLine[]> =>
  await tx.query<DayLine>(
    `with posting as materialized (
       select *
       from gapura.ledger_posting as posting
       where booked_on = $1::date
         and ($2::uuid is null or (${KEY}) > ($2::uuid, $3::integer, $4::text, $5::integer))
     ), page as materialized (
       select * from posting order by ${KEY} limit $6
     )
     select
       ${KEY}, posting.object_kind, posting.booked_on, posting.occurred_at, posting.source,
       posting.destination, posting.amount, posting.payment_id, payment.order_id,
       payment.transaction_id, payment.owner_id, payment.payment_type, payment.bank, payment.store,
       refund.source as refund_source, refund.reference, refund.evidence, refund.reason,
       refund.requested_by, refund.approved_by,
       stated.fee as stated_fee, stated.vat as stated_vat,
       payout.reference as payout_id
     from page as posting
     left join gapura.gateway_payment as payment on payment.id = posting.payment_id
     left join gapura.gateway_refund as refund
       on refund.id = posting.object_id and posting.object_kind = 'refund'
     ${STATED}
     ${PAYOUT}
     order by ${KEY}`,
    [
      day,
      after?.object_id ?? null,
      after?.version ?? null,
      after?.kind ?? null,
      after?.line ?? null,
      limit,
    ],
    { prepare: false },
  )
