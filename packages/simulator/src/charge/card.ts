import { coreError } from '../http/reply.ts'
import type { Fields } from '../wire/fields.ts'
import { fieldsAt, flagAt, has, integerAt, isFields, textAt } from '../wire/fields.ts'
import { rupiah } from '../wire/amounts.ts'
import { DAY_MS, MINUTE_MS, wibTime } from '../wire/times.ts'
import { HOLD_LIFE_MS } from '../world/transitions.ts'
import type { CardBehaviour } from '../world/transaction.ts'
import { maskOf, type Card } from '../world/vault.ts'
import type { World } from '../world/world.ts'
import type { Opening, Outcome } from './opening.ts'
import type { ChargeRequest } from './request.ts'

const THREE_DS_LIFE_MS = 10 * MINUTE_MS
const SHOWN_LIFE_MS = 8 * DAY_MS
const SUCCESS = 'Success, Credit Card transaction is successful'

interface CardCharge {
  card: Card
  object: Fields
  behaviour: CardBehaviour
  bank: string
}

/** A card charge: at once, or pending until the cardholder has been through 3DS. */
export function openCard(world: World, request: ChargeRequest): Outcome {
  const messages = cardFaults(request.body)
  if (messages.length > 0) return { messages }
  const object = fieldsAt(request.body, 'credit_card')
  const token_id = textAt(object, 'token_id') ?? ''
  const card = world.vault.find(token_id)
  if (!card) return { refusal: coreError('411', world.random.uuid()) }
  // The token is used before the bank decides: a denied card needs a new token too.
  world.vault.spend(token_id)
  const charge: CardCharge = {
    card,
    object,
    behaviour: card.behaviour,
    bank: textAt(object, 'bank') ?? 'bni',
  }
  const secured = flagAt(object, 'authentication') === true && card.behaviour !== 'not_enrolled'
  const opening = secured ? openThreeDs(world, charge) : openAtOnce(world, charge)
  const saves = flagAt(object, 'save_token_id') === true
  const saved = saves && !secured && opening.status !== 'deny' ? saveCard(world, card) : {}
  return {
    channel: charge.bank,
    card: card.behaviour,
    ...(saves && secured && { afterApproval: () => saveCard(world, card) }),
    authorize_only: textAt(object, 'type') === 'authorize',
    ...opening,
    details: { ...cardDetails(world, charge), ...saved, ...opening.details },
  }
}

function cardFaults(body: Fields): string[] {
  if (!isFields(body['credit_card'])) return ['credit_card is required']
  const object = fieldsAt(body, 'credit_card')
  const messages: string[] = []
  if (!has(object, 'token_id')) messages.push('credit_card.token_id is required')
  if (has(body, 'custom_expiry')) messages.push('custom_expiry is not supported for credit_card')
  if (has(object, 'type') && textAt(object, 'type') !== 'authorize')
    messages.push('credit_card.type must be authorize')
  return messages
}

function openThreeDs(world: World, { object }: CardCharge): Opening {
  return {
    status: 'pending',
    status_message: SUCCESS,
    fraud_status: 'accept',
    // The field says whether 3DS is needed, not whether the cardholder has passed it.
    details: { three_ds_version: '2', challenge_completion: flagAt(object, 'authentication') },
    instructions: (id) => ({ redirect_url: `${world.base_url}/_sim/3ds/${id}` }),
    expires_at: world.clock.now() + THREE_DS_LIFE_MS,
  }
}

/** The verdict of the bank and the fraud system without 3DS. */
function openAtOnce(world: World, charge: CardCharge): Opening {
  const verdict = verdictOf(charge.behaviour)
  const now = world.clock.now()
  if (!verdict.approved) {
    return {
      status: 'deny',
      status_message: verdict.status_message,
      fraud_status: verdict.fraud_status,
      details: { ...verdict.details, approval_code: String(now) },
      expires_at: undefined,
    }
  }
  const details = { ...verdict.details, approval_code: String(now) }
  if (textAt(charge.object, 'type') === 'authorize') {
    return {
      status: 'authorize',
      status_message: SUCCESS,
      fraud_status: 'accept',
      details,
      expires_at: now + HOLD_LIFE_MS,
    }
  }
  return {
    status: 'capture',
    status_message: SUCCESS,
    fraud_status: verdict.fraud_status,
    details,
    expires_at: now + SHOWN_LIFE_MS,
  }
}

interface Verdict {
  approved: boolean
  status_message: string
  fraud_status: 'accept' | 'challenge' | 'deny'
  details: Fields
}

const channelSays = (code: string, message: string): Fields => ({
  channel_response_code: code,
  channel_response_message: message,
})

const approves = (fraud_status: 'accept' | 'challenge'): Verdict => ({
  approved: true,
  status_message: SUCCESS,
  fraud_status,
  details: channelSays('00', 'Approved'),
})

const bankDenies = (code: string, message: string): Verdict => ({
  approved: false,
  status_message: `Deny by Bank [BNI] with code [${code}] and message [${message}]`,
  fraud_status: 'accept',
  details: channelSays(code, message),
})

/** The fixed verdict of a sandbox card (gateway-protocol.md#sandbox-data). */
const VERDICTS: Record<CardBehaviour, Verdict> = {
  accept: approves('accept'),
  not_enrolled: approves('accept'),
  late_accept: approves('accept'),
  challenge: approves('challenge'),
  bank_deny: bankDenies('05', 'Do not honor'),
  insufficient_funds: bankDenies('51', 'Insufficient funds'),
  fraud_deny: {
    approved: false,
    status_message: 'Denied by the fraud detection system',
    fraud_status: 'deny',
    details: channelSays('00', 'Approved'),
  },
}

/** The verdict on a card that needs no 3DS or has passed it. */
export const verdictOf = (behaviour: CardBehaviour): Verdict => VERDICTS[behaviour]

/** Fields of the card and of the request, independent of the verdict. */
function cardDetails(world: World, { card, object, bank }: CardCharge): Fields {
  const details: Fields = {
    masked_card: maskOf(card),
    bank,
    card_type: 'credit',
    on_us: false,
    channel: textAt(object, 'channel') ?? 'dragon',
    eci: card.behaviour === 'not_enrolled' ? '06' : '05',
  }
  const term = integerAt(object, 'installment_term')
  if (term !== undefined) details['installment_term'] = term
  const redeem = integerAt(object, 'point_redeem_amount')
  if (redeem !== undefined) {
    details['point_redeem_amount'] = redeem
    details['point_redeem_quantity'] = Math.ceil(redeem / 3)
    details['point_balance_amount'] = rupiah(Math.max(0, world.settings.point_balance - redeem))
  }
  return details
}

/** Saves the card for later charges and returns its token. */
export function saveCard(world: World, card: Card): Fields {
  const saved_token_id = `${card.bin}${world.random.letters(20)}${card.last_four}`
  world.vault.save(saved_token_id, card)
  return { saved_token_id, saved_token_id_expired_at: wibTime(card.expires_at) }
}
