// What can differ between the gateway's payouts and the bank.
import type { Line } from './world.ts'
import type { Scene } from './scene.ts'

type Kind = (scene: Scene) => void

/** A payout of 700,000 with these lines at the bank: amounts. */
const paidOut =
  (at_bank: readonly number[], found: readonly [string, string], line: Partial<Line> = {}): Kind =>
  (scene) => {
    const amount = 700_000 + scene.serial
    const id = scene.payout(amount, line)
    for (const [index, part] of at_bank.entries()) {
      const given = { day: `2026-09-${16 + index}` }
      const sum = part > 10_000 ? part + scene.serial : part < -10_000 ? part - scene.serial : part
      const bank = scene.bank(sum, `DOMPET ANAK BANGSA ${scene.wlst}`, given)
      scene.finds(bank, 'matched')
    }
    scene.finds(id, ...found)
  }

/** A day of October for each copy: payouts of one day differ by nothing but their day. */
const ownDay = (serial: number): string =>
  new Date(Date.UTC(2026, 9, 1) + serial * 86_400_000).toISOString().slice(0, 10)

export const PAYOUT_KINDS: Readonly<Record<string, Kind>> = {
  payout_at_bank: paidOut([700_000], ['matched', '']),
  payout_not_at_bank: paidOut([], ['missing_there', 'payout_missing_at_bank']),
  payout_less_transfer_fee: paidOut([697_500], ['mismatched', 'payout_amount_differs']),
  payout_twice_at_bank: paidOut([700_000, 700_000], ['duplicate', 'payout_twice_at_bank']),
  payout_sent_back: paidOut([700_000, -700_000], ['mismatched', 'payout_returned']),
  payout_in_two_parts: paidOut([400_000, 300_000 - 0], ['mismatched', 'payout_amount_differs']),
  payout_failed: paidOut([], ['matched', ''], { status: 'FAILED' }),
  payout_failed_and_received: paidOut([700_000], ['mismatched', 'payout_failed_but_received'], {
    status: 'FAILED',
  }),
  payout_never_completed: paidOut([], ['late', 'payout_not_completed'], { status: 'PROCESSING' }),
  payout_without_statement: paidOut([], ['late', 'bank_statement_missing'], { day: '2026-11-05' }),
  payout_unknown_at_gateway: (scene) => {
    const id = scene.bank(555_000, `DARI DOMPET ANAK BANGSA ${scene.wlst}`)
    scene.finds(id, 'missing_here', 'payout_unknown_at_gateway')
  },
  payout_by_sender_and_amount: (scene) => {
    const amount = 811_000 + scene.serial
    scene.finds(scene.payout(amount, { day: ownDay(scene.serial) }), 'matched', '', {
      matched_by: 'sender_amount',
    })
    const id = scene.bank(amount, 'DARI DOMPET ANAK BANGSA', { day: ownDay(scene.serial) })
    scene.finds(id, 'matched')
  },
  payouts_that_look_alike: (scene) => {
    const day = ownDay(scene.serial)
    for (const part of ['A', 'B']) {
      const reference = `${scene.wlst}${part}`
      const id = scene.payout(912_000 + scene.serial, { day, reference })
      scene.finds(id, 'missing_there', 'payout_missing_at_bank')
    }
    const id = scene.bank(912_000 + scene.serial, 'DARI DOMPET ANAK BANGSA', { day })
    scene.finds(id, 'missing_here', 'payout_unknown_at_gateway')
  },
  bank_batch: (scene) => {
    // A weekend day, on which no other payout of these records is.
    const day = new Date(Date.UTC(2026, 5, 6) + scene.serial * 7 * 86_400_000)
    const text = day.toISOString().slice(0, 10)
    for (const [index, part] of ['A', 'B', 'C'].entries()) {
      const reference = `${scene.wlst}${part}`
      const id = scene.payout(100_000 * (index + 1), { day: text, reference })
      scene.finds(id, 'matched', '', { matched_by: 'batch' })
    }
    const id = scene.bank(600_000, 'MIDTRANS', { day: text })
    scene.finds(id, 'matched', '', { matched_by: 'batch' })
  },
  payout_of_other_sum: (scene) => {
    const { name, amount, method } = scene.pay()
    scene.portal(name, method, amount, { reference: scene.wlst })
    scene.payment('matched')
    const id = scene.payout(amount, {})
    scene.finds(scene.bank(amount, scene.wlst), 'matched')
    scene.finds(id, 'mismatched', 'payout_sum_differs')
  },
}
