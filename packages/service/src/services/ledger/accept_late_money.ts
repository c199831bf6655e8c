import { accountOf, SUSPENSE_LATE } from '../../domain/ledger.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { readClock } from '../../store/connection/settings.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { lateAmountOf, postBookings } from '../../store/ledger/postings.ts'

/** Books late money of a locked payment as a sale. What was decided before is not booked again. */
export async function acceptLateMoney(tx: Tx, payment: GatewayPayment): Promise<void> {
  const amount = await lateAmountOf(tx, payment.id)
  if (amount <= 0n) return
  const now = await readClock(tx)
  const { id, version, booked_received, booked_refunded, booked_charged_back } = payment
  const posting = {
    kind: 'late_accepted',
    source: accountOf('sales', payment.owner_id),
    destination: SUSPENSE_LATE,
    amount,
    occurred_at: now,
  } as const
  const booked = { booked_received, booked_refunded, booked_charged_back }
  const caused = { payment_id: id, object_kind: 'payment', object_id: id, version } as const
  await postBookings(tx, [{ ...caused, ...booked, postings: [posting] }], now)
}
