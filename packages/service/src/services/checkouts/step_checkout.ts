// Creation, cancellation, sweeps and payments all change a checkout here. The caller has locked the
// row; everything is written in the caller's transaction.
import { nextCheckoutCheckAt, type GatewayCheckout } from '../../domain/checkout.ts'
import {
  representCheckout,
  type CheckoutRepresentation,
} from '../../domain/checkout_representation.ts'
import {
  decideCheckoutTransition,
  type NextCheckoutStatus,
} from '../../domain/checkout_transitions.ts'
import { listPaymentIdsOfCheckout } from '../../store/checkouts/checks.ts'
import { changeCheckout, type CheckoutChange } from '../../store/checkouts/rows.ts'
import { readClock } from '../../store/connection/settings.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { alarmAboutObject, recordObjectStep, type StepRecord } from '../object_step.ts'

/** The full form of a checkout as it stands in this transaction, without its page. */
export const representCheckoutWithin = async (
  tx: Tx,
  checkout: GatewayCheckout,
): Promise<CheckoutRepresentation> =>
  representCheckout({ checkout, payment_ids: await listPaymentIdsOfCheckout(tx, checkout.id) })

interface CheckoutStep {
  to: NextCheckoutStatus
  change?: CheckoutChange
  because: Pick<StepRecord, 'source'> &
    Partial<Pick<StepRecord, 'evidence_id' | 'notification_id' | 'reason'>>
}

/** Takes a locked checkout to a status, if its table allows that, and returns it after that. */
export async function stepCheckout(
  tx: Tx,
  checkout: GatewayCheckout,
  { to, change = {}, because }: CheckoutStep,
): Promise<GatewayCheckout> {
  const move = decideCheckoutTransition(checkout.status, to)
  if (move.kind !== 'move') return checkout
  const now = await readClock(tx)
  const changed = await changeCheckout(tx, checkout, {
    ...change,
    status: to,
    // Only an open page has an address to be given to anyone.
    ...(to !== 'open' && { token: null, redirect_url: null }),
    next_check_at: nextCheckoutCheckAt({ ...checkout, ...change, status: to }, now),
  })
  if (changed === undefined) throw new Error(`checkout ${checkout.id} changed while locked`)
  await recordObjectStep(
    tx,
    {
      object_kind: 'checkout',
      object: changed,
      from_status: checkout.status,
      to_status: changed.status,
      show: async () => ({ object: await representCheckoutWithin(tx, changed) }),
    },
    {
      evidence_id: null,
      notification_id: null,
      ...because,
      signal: move.signal,
      reason: move.surprise ?? because.reason ?? null,
    },
  )
  if (move.surprise !== null) {
    const about = { subject_kind: 'checkout', id: changed.id, owner_id: changed.owner_id } as const
    const detail = `${checkout.status} became ${changed.status}`
    await alarmAboutObject(tx, about, move.surprise, detail)
  }
  return changed
}
