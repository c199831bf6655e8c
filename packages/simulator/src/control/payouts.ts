import { generateKeyPairSync } from 'node:crypto'
import { paramOf, type Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { integerAt, type Fields } from '../wire/fields.ts'
import { endPayout, isOpen, requestPayout } from '../world/payouts.ts'
import type { Payout } from '../world/payout.ts'
import { pageOf, wholeNumber } from './page.ts'
import { fault, route, type ControlRoute } from './reply.ts'

const time = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString()

const rupiah = (hundredths: number): string => (hundredths / 100).toFixed(2)

const shownPayout = (payout: Payout): Fields => ({
  ...payout,
  amount: rupiah(payout.amount),
  requested_at: time(payout.requested_at),
  updated_at: time(payout.updated_at),
  succeeded_at: time(payout.succeeded_at),
  failed_at: time(payout.failed_at),
  cancelled_at: time(payout.cancelled_at),
})

const listPayouts = (host: Host): Reply =>
  httpReply(200, { payouts: [...host.world().payouts.values()].map(shownPayout) })

function request(host: Host, call: Call): Reply {
  const amount = integerAt(call.body ?? {}, 'amount')
  const payout = requestPayout(host.world(), amount === undefined ? undefined : amount * 100)
  return typeof payout === 'string' ? fault(409, payout) : httpReply(201, shownPayout(payout))
}

const ENDS = { complete: 'SUCCESS', fail: 'FAILED', cancel: 'CANCELLED' } as const

function act(host: Host, call: Call): Reply {
  const payout = host.world().payouts.get(paramOf(call, 'id'))
  if (payout === undefined) return fault(404, 'no such payout')
  const action = paramOf(call, 'action')
  if (action !== 'complete' && action !== 'fail' && action !== 'cancel') {
    return fault(404, 'unknown action; use one of complete, fail, cancel')
  }
  // A bank returns money days after it was paid, so a payout that succeeded can still fail.
  const possible = isOpen(payout) || (action === 'fail' && payout.status === 'SUCCESS')
  if (!possible) return fault(409, `it is ${payout.status}`)
  endPayout(host.world(), payout, ENDS[action])
  return httpReply(200, shownPayout(payout))
}

/** The balance now and its lines: what a reader of the balance and the history must arrive at. */
function showBalance(host: Host, call: Call): Reply {
  const { balance, clock } = host.world()
  const { limit } = pageOf(call.query)
  const since = wholeNumber(call.query.get('since')) ?? 0
  const lines = balance.after(since).slice(0, limit)
  const { effective, pending, overall } = balance.before(clock.now() + 1)
  return httpReply(200, {
    effective: rupiah(effective),
    pending: rupiah(pending),
    overall: rupiah(overall),
    lines: lines.map((line) => ({
      ...line,
      amount: rupiah(line.amount),
      at: time(line.at),
      available_at: time(line.available_at),
    })),
    next_since: lines.at(-1)?.sequence ?? since,
  })
}

const MODULUS_BITS = 2_048

/** What the portal's page of access keys gives: a new pair of keys, of which only one part is kept. */
function makeKeys(host: Host): Reply {
  const { bi_snap } = host.world().settings
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: MODULUS_BITS })
  bi_snap.public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const { client_id, client_secret, partner_id } = bi_snap
  return httpReply(201, { client_id, client_secret, partner_id, private_key })
}

/** Payouts, the balance behind them, and the keys of BI-SNAP. */
export const PAYOUT_ROUTES: ControlRoute[] = [
  route('GET /_sim/balance', showBalance),
  route('GET /_sim/payouts', listPayouts),
  route('POST /_sim/payouts', request),
  route('POST /_sim/payouts/{id}/{action}', act),
  route('POST /_sim/bi_snap/keys', makeKeys),
]
