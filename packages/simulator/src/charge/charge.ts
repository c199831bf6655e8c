import { headerOf, type Call } from '../http/call.ts'
import { coreError, coreReply, type Reply } from '../http/reply.ts'
import { fieldsAt, has } from '../wire/fields.ts'
import { codeFor, transactionFields } from '../wire/representation.ts'
import { freesOrder, type Transaction } from '../world/transaction.ts'
import type { World } from '../world/world.ts'
import { openBankTransfer, openCstore, openEchannel } from './bank.ts'
import { openCard } from './card.ts'
import { openTokenizedGopay } from './gopay_tokenized.ts'
import { openTransaction, type Origin } from './open_transaction.ts'
import type { Opening, Outcome } from './opening.ts'
import { parseChargeRequest, typeOf, type ChargeRequest } from './request.ts'
import { openDana, openGopay, openOvo, openPaylater, openQris, openShopeepay } from './wallets.ts'

type Method = (world: World, request: ChargeRequest) => Outcome

/** Eleven payment types, and the older spelling of a Permata VA. */
const METHODS: Record<string, Method> = {
  credit_card: openCard,
  gopay: (world, request) =>
    has(fieldsAt(request.body, 'gopay'), 'account_id')
      ? openTokenizedGopay(world, request)
      : openGopay(world, request),
  shopeepay: openShopeepay,
  qris: openQris,
  ovo: openOvo,
  dana: openDana,
  bank_transfer: openBankTransfer,
  permata: openBankTransfer,
  echannel: openEchannel,
  cstore: openCstore,
  akulaku: openPaylater,
  kredivo: openPaylater,
}

/** POST /v2/charge. */
export function charge(world: World, call: Call): Reply {
  if (!call.body) return coreError('413', world.random.uuid())
  const request = parseChargeRequest(call.body)
  if (Array.isArray(request)) return invalid(world, request)
  // An order id is taken while its newest transaction is active or paid
  // (gateway-protocol.md#status-codes).
  const newest = world.transactions.newestOf(request.order_id)
  const taken = newest !== undefined && !freesOrder(newest)
  const opened = openCharge(world, request, {
    origin: { origin: 'charge', ...urlsOf(call) },
    taken,
  })
  return 'http_status' in opened
    ? opened
    : coreReply(chargeFields(world, opened.transaction, opened.opening))
}

/** Opens a transaction by its payment method, or refuses as the core API does. */
export function openCharge(
  world: World,
  request: ChargeRequest,
  { origin, taken }: { origin: Origin; taken: boolean },
): Reply | { transaction: Transaction; opening: Opening } {
  const method = METHODS[request.payment_type]
  if (!method) return invalid(world, [`payment_type ${request.payment_type} is not supported`])
  const payment_type = typeOf(request)
  if (isOff(world, payment_type)) return coreError('402', world.random.uuid())
  if (taken) return coreError('406', world.random.uuid())
  // The order id first: a duplicate must not spend a card token or take a VA number.
  const outcome = method(world, request)
  if ('messages' in outcome) return invalid(world, outcome.messages)
  if ('refusal' in outcome) return outcome.refusal
  if (isOff(world, `${payment_type}:${outcome.channel}`))
    return coreError('402', world.random.uuid())
  return { transaction: openTransaction(world, request, outcome, origin), opening: outcome }
}

const isOff = (world: World, channel: string): boolean => world.settings.channels_off.has(channel)

const invalid = (world: World, validation_messages: string[]): Reply =>
  coreError('400', world.random.uuid(), { validation_messages })

function chargeFields(world: World, transaction: Transaction, { status_message }: Opening) {
  const { payment_amounts: _none_yet, ...fields } = transactionFields(world, transaction)
  const { installment_term: term } = fields
  return {
    status_code: codeFor(transaction),
    status_message,
    ...fields,
    // A string here and a number in notifications, as published.
    ...(typeof term === 'number' && { installment_term: String(term) }),
    ...transaction.instructions,
  }
}

/** With both headers only the override counts (gateway-protocol.md#request-headers). */
export function urlsOf(call: Call): Pick<Transaction, 'override_urls' | 'append_urls'> {
  const urlsIn = (name: string): string[] =>
    (headerOf(call, name) ?? '')
      .split(',')
      .map((url) => url.trim())
      .filter((url) => URL.canParse(url))
  const override_urls = urlsIn('x-override-notification')
  return {
    override_urls: override_urls.length > 0 ? override_urls : undefined,
    append_urls: urlsIn('x-append-notification'),
  }
}
