// Which cell a notification belongs to. The proxy routes most of them; the rest, with an order id
// that a caller chose, arrive at any cell and are offered to each in turn (ADR 0039).
import { setTimeout as sleep } from 'node:timers/promises'
import { gatewayError } from '../../domain/errors.ts'
import { cellOfOrderId } from '../../domain/order_id.ts'
import type { CellOffer, Offered } from '../../gateway/peer_cell.ts'
import type { PaymentNotification } from '../../gateway/wire/notifications.ts'
import type { Whereabouts } from '../../store/cells/moved_owners.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { findPaymentByOrderId } from '../../store/payments/rows.ts'
import type { CellContext, Context } from '../context.ts'
import { linkedTo } from '../linked_payments/link_payment.ts'
import { RequestProblem } from '../problem.ts'

const RETRY_AFTER_S = 5
/** Longer than the pause of a move, shorter than the gateway waits. */
const PAUSE_MS_MAX = 4_000
const PAUSE_POLL_MS = 50

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
  const minted_here = minted_by === cell.name
  if (offer?.keep === true || (minted_here && !(await cell.moves.hasLeft()))) return 'ours'
  const owner = await findOwner(ctx, payload)
  const where = owner === undefined ? 'unknown' : await settledPlace(cell, owner)
  if (where === 'here') return 'ours'
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
  const unclear = answers.some(({ kind }) => kind === 'unclear')
  if (unclear || where !== 'unknown') throw unavailable()
  const [first] = cell.peers
  if (minted_here || first === undefined || cell.name < first.name) return 'ours'
  const offered = await first.offer({ ...offering, keep: true })
  if (offered.kind === 'stored') return offered
  throw unavailable()
}

/** In the pause of a move neither cell may store it: the notification waits, or the gateway repeats it. */
async function settledPlace({ moves }: CellContext, owner_id: string): Promise<Whereabouts> {
  const end = performance.now() + PAUSE_MS_MAX
  for (;;) {
    const where = await moves.whereabouts(owner_id)
    if (where !== 'leaving') return where
    if (performance.now() > end) throw unavailable('The owner is being moved to another cell')
    await sleep(PAUSE_POLL_MS)
  }
}

const notOurs = ({ name }: CellContext): string => `The cell ${name} does not know this order.`

const unavailable = (message = 'Another cell that may know the order does not answer') =>
  gatewayError('store_unavailable', { retry_after_s: RETRY_AFTER_S, message })

/**
 * The owner of the payment, or of the object of this cell that the order pays; empty if only the
 * gateway can say which object that is.
 */
const findOwner = async (
  { db }: Context,
  payload: PaymentNotification,
): Promise<string | undefined> =>
  await withReadTransaction(db, async (tx) => {
    const payment = await findPaymentByOrderId(tx, payload.order_id ?? '')
    if (payment !== undefined) return payment.owner_id
    const linked = await linkedTo(tx, payload, 'report')
    return linked === 'ask' ? '' : linked?.owner_id
  })
