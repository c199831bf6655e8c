// Which cell a notification belongs to. The proxy routes most of them; the rest, with an order id
// that a caller chose, arrive at any cell and are offered to each in turn (ADR 0039).
import { gatewayError } from '../../domain/errors.ts'
import { cellOfOrderId } from '../../domain/order_id.ts'
import type { CellOffer, Offered } from '../../gateway/peer_cell.ts'
import type { PaymentNotification } from '../../gateway/wire/notifications.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { findPaymentByOrderId } from '../../store/payments/rows.ts'
import type { CellContext, Context } from '../context.ts'
import { linkedTo } from '../linked_payments/link_payment.ts'
import { RequestProblem } from '../problem.ts'

const RETRY_AFTER_S = 5

/** Another cell has it on disk. */
export type StoredElsewhere = Extract<Offered, { kind: 'stored' }>

/** The row of the cell that stored it, or `ours`: this cell stores it. Its signature is good. */
export async function cellOfNotification(
  ctx: Context,
  cell: CellContext,
  payload: PaymentNotification,
  { body, offer }: { body: unknown; offer: CellOffer | undefined },
): Promise<'ours' | StoredElsewhere> {
  const minted_by = cellOfOrderId(payload.order_id ?? '')
  if (minted_by === cell.name || offer?.keep === true || (await knows(ctx, payload))) return 'ours'
  if (offer !== undefined) throw new RequestProblem('wrong_cell', notOurs(cell))
  // The cell that minted the order id is the likeliest.
  const sorted = cell.peers.toSorted(
    (one, other) => Number(other.name === minted_by) - Number(one.name === minted_by),
  )
  const offering = { offered_by: cell.name, notification: body }
  const answers: Offered[] = []
  for (const peer of sorted) {
    const offered = await peer.offer({ ...offering, keep: false })
    if (offered.kind === 'stored') return offered
    answers.push(offered)
  }
  // A cell that did not answer may be the one that knows the order: the gateway repeats it.
  if (answers.some(({ kind }) => kind === 'unclear')) throw unavailable()
  const [first] = cell.peers
  if (first === undefined || cell.name < first.name) return 'ours'
  const offered = await first.offer({ ...offering, keep: true })
  if (offered.kind === 'stored') return offered
  throw unavailable()
}

const notOurs = ({ name }: CellContext): string => `The cell ${name} does not know this order.`

const unavailable = () =>
  gatewayError('store_unavailable', {
    retry_after_s: RETRY_AFTER_S,
    message: 'Another cell that may know the order does not answer',
  })

/** Whether the order is that of a payment of ours, or pays an object of ours. */
const knows = async ({ db }: Context, payload: PaymentNotification): Promise<boolean> =>
  await withReadTransaction(
    db,
    async (tx) =>
      (await findPaymentByOrderId(tx, payload.order_id ?? '')) !== undefined ||
      (await linkedTo(tx, payload, 'report')) !== undefined,
  )
