import { saveCard } from '../charge/card.ts'
import type { Call } from '../http/call.ts'
import { paramOf } from '../http/call.ts'
import { coreError, coreReply, type Reply } from '../http/reply.ts'
import { rupiah } from '../wire/amounts.ts'
import { wibTime } from '../wire/times.ts'
import { behaviourOf, maskOf, passesLuhn, type Card } from '../world/vault.ts'
import type { World } from '../world/world.ts'

/** GET /v2/token: a one-time token for a card, or for a saved card with its code (two-click). */
export function getCardToken(world: World, call: Call): Reply {
  const saved_token = call.query.get('token_id')
  if (saved_token !== null) {
    const saved = world.vault.findSaved(saved_token)
    if (!saved) return coreError('411', world.random.uuid())
    if (!isCode(call.query.get('card_cvv'))) return invalid(world, ['card_cvv is invalid'])
    return tokenReply(world, saved)
  }
  const card = readFreshCard(world, call.query)
  return Array.isArray(card) ? invalid(world, card) : tokenReply(world, card)
}

/** A card with its code, or what is wrong with it. */
function readFreshCard(world: World, query: URLSearchParams): Card | string[] {
  const card = readCard(world, query)
  return Array.isArray(card) || isCode(query.get('card_cvv')) ? card : ['card_cvv is invalid']
}

/** A one-time token for a card that a payer types on a hosted page, or what is wrong with it. */
export function tokenOfCard(world: World, query: URLSearchParams): string | string[] {
  const card = readFreshCard(world, query)
  return Array.isArray(card) ? card : issueToken(world, card)
}

function issueToken(world: World, card: Card): string {
  const token_id = `${maskOf(card)}-${world.random.uuid()}`
  world.vault.issue(token_id, card)
  return token_id
}

function tokenReply(world: World, card: Card): Reply {
  const token_id = issueToken(world, card)
  return coreReply({
    status_code: '200',
    status_message: 'Credit card token is created as Token ID.',
    token_id,
    hash: `${maskOf(card)}-sim`,
    bank: 'bni',
  })
}

/** GET /v2/card/register: a saved token without a charge. */
export function registerCard(world: World, call: Call): Reply {
  const card = readCard(world, call.query)
  if (Array.isArray(card)) return invalid(world, card)
  return coreReply({
    status_code: '200',
    ...saveCard(world, card),
    transaction_id: world.random.uuid(),
    masked_card: maskOf(card),
  })
}

/**
 * GET /v2/point_inquiry/{token_id}. Known from client code only (gateway-protocol.md#operations).
 */
export function pointInquiry(world: World, call: Call): Reply {
  if (!world.vault.find(paramOf(call, 'token_id'))) return coreError('411', world.random.uuid())
  const { point_balance } = world.settings
  return coreReply({
    status_code: '200',
    status_message: 'Success, Credit Card Point inquiry is successful',
    transaction_time: wibTime(world.clock.now()),
    point_balance,
    point_balance_amount: rupiah(point_balance),
  })
}

const isCode = (code: string | null): boolean => code !== null && /^\d{3,4}$/.test(code)

const invalid = (world: World, validation_messages: string[]): Reply =>
  coreError('400', world.random.uuid(), { validation_messages })

/** The card of a query, reduced at once to what may be kept. */
function readCard(world: World, query: URLSearchParams): Card | string[] {
  const card_number = query.get('card_number') ?? ''
  const month = query.get('card_exp_month') ?? ''
  const year = query.get('card_exp_year') ?? ''
  const messages: string[] = []
  if (card_number === '') messages.push('card_number is required')
  else if (!passesLuhn(card_number)) messages.push('card_number does not match with luhn algorithm')
  if (!/^(?:0?[1-9]|1[0-2])$/.test(month)) messages.push('card_exp_month is invalid')
  if (!/^20\d{2}$/.test(year)) messages.push('card_exp_year is invalid')
  if (messages.length > 0) return messages
  // A card is valid until the end of its month.
  const expires_at = Date.UTC(Number(year), Number(month), 1) - 1
  if (expires_at <= world.clock.now()) return ['card is expired']
  return {
    bin: card_number.slice(0, 8),
    last_four: card_number.slice(-4),
    behaviour: behaviourOf(card_number),
    expires_at,
  }
}
