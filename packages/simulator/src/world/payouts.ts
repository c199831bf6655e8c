import { HOUR_MS, wibTimeOfDay } from '../wire/times.ts'
import { payoutTime } from './business_days.ts'
import type { Payout } from './payout.ts'
import type { World } from './world.ts'

/** The least that is paid out: Rp 50,000. */
const AMOUNT_MIN = 5_000_000

/** Begins a payout, or says why not. It reaches the bank at the next payout time by itself. */
export function requestPayout(world: World, wanted: number | undefined): Payout | string {
  const { clock, balance, payouts, random, settings } = world
  const at = clock.now()
  if (wibTimeOfDay(at) < HOUR_MS) return 'no payout can be asked for between 00:00 and 01:00'
  const { effective } = balance.before(at + 1)
  const amount = wanted ?? effective
  if (amount < AMOUNT_MIN) return 'the least that is paid out is 50000.00'
  if (amount > effective) return `only ${(effective / 100).toFixed(2)} can be withdrawn`
  const payout: Payout = {
    id: random.uuid(),
    bank_reference: `WLST${random.hex(14)}`,
    amount,
    status: 'REQUESTED',
    requested_at: at,
    updated_at: at,
  }
  payouts.set(payout.id, payout)
  balance.add({
    at,
    available_at: at,
    kind: 'withdrawal',
    amount: -amount,
    withdrawal_id: payout.id,
  })
  clock.schedule(payoutTime(at, settings.holidays), () => {
    if (isOpen(payout)) endPayout(world, payout, 'SUCCESS')
  })
  return payout
}

export const isOpen = ({ status }: Payout): boolean =>
  status === 'REQUESTED' || status === 'PROCESSING'

/** Ends a payout. A bank can send the money back after it was paid: FAILED may follow SUCCESS. */
export function endPayout(
  world: World,
  payout: Payout,
  status: 'SUCCESS' | 'FAILED' | 'CANCELLED',
): void {
  const at = world.clock.now()
  payout.status = status
  payout.updated_at = at
  if (status === 'SUCCESS') {
    payout.succeeded_at = at
    return
  }
  if (status === 'FAILED') payout.failed_at = at
  else payout.cancelled_at = at
  const { id: withdrawal_id, amount } = payout
  world.balance.add({ at, available_at: at, kind: 'withdrawal_return', amount, withdrawal_id })
}
