import { gatewayError } from '../domain/errors.ts'
import { SERVICE_OWNER } from '../domain/fair_queue.ts'
import type { Money } from '../domain/money.ts'
import type { PaymentType } from '../domain/payment_type.ts'
import type { Caller, CallOptions } from './calls.ts'
import type { OperationName } from './operations.ts'
import { wholeRupiah, type CardParameters, type RefundParameters } from './parameters.ts'
import { needlesOf, secretsIn, withoutSecrets } from './redaction.ts'
import { keyFrom, type GatewaySettings } from './settings.ts'
import { SharedParts } from './shared_parts.ts'
import { verifyingKey, type SignedFields } from './signature.ts'
import * as cards from './wire/cards.ts'
import { isChargeRequest, type ChargeRequest } from './wire/charge_requests.ts'
import * as invoices from './wire/invoices.ts'
import * as accounts from './wire/pay_accounts.ts'
import type { Parse } from './wire/shape.ts'
import * as subscriptions from './wire/subscriptions.ts'
import * as transactions from './wire/transactions.ts'

type Transaction = Promise<transactions.TransactionReply>
type Message = Promise<subscriptions.SubscriptionMessage>

const { parseTransaction } = transactions
const parseMessage = subscriptions.parseSubscriptionMessage

/**
 * The only client of the gateway: the operations of gateway-protocol.md#operations, a method each
 * (`get_status` is `getStatus`). Ids may be order ids or transaction ids if the gateway accepts
 * both. Every failure is a GatewayError whose `definite` says whether the gateway may have acted.
 */
export class GatewayClient {
  readonly #shared: SharedParts
  readonly #caller: Caller
  readonly #owner_id: string

  constructor(settings: GatewaySettings | SharedParts, owner_id: string = SERVICE_OWNER) {
    this.#shared = settings instanceof SharedParts ? settings : new SharedParts(settings)
    this.#caller = this.#shared.caller.forOwner(owner_id)
    this.#owner_id = owner_id
  }

  /** The same client, connections and breaker, whose calls wait for slots in this owner's turn. */
  forOwner(owner_id: string): GatewayClient {
    return new GatewayClient(this.#shared, owner_id)
  }

  // Core payment

  async charge<T extends PaymentType>(
    payload: ChargeRequest<T> & { payment_type: T },
    options: CallOptions = {},
  ): Promise<transactions.ChargeReply<T>> {
    if (!isChargeRequest(payload)) {
      throw gatewayError('invalid_request', {
        operation: 'charge',
        message: `The payload must be a charge that the gateway accepts for ${payload.payment_type}`,
      })
    }
    const { order_id } = payload.transaction_details
    return await this.#caller.perform({
      operation: 'charge',
      body: payload,
      parse: transactions.chargeReplyParser(payload.payment_type, order_id),
      options: { notification_urls: this.#shared.settings.notification_urls, ...options },
    })
  }

  async getStatus(order_id: string, options?: CallOptions): Transaction {
    return await this.#ask('get_status', { order_id }, parseTransaction, options)
  }

  async getStatusB2b(order_id: string): Promise<transactions.B2bStatusReply> {
    return await this.#ask('get_status_b2b', { order_id }, transactions.parseB2bStatus)
  }

  async cancel(order_id: string, options?: CallOptions): Transaction {
    return await this.#ask('cancel', { order_id }, parseTransaction, options)
  }

  async expire(order_id: string, options?: CallOptions): Transaction {
    return await this.#ask('expire', { order_id }, parseTransaction, options)
  }

  async capture(
    { transaction_id, gross_amount }: { transaction_id: string; gross_amount: Money },
    options: CallOptions = {},
  ): Transaction {
    return await this.#caller.perform({
      operation: 'capture',
      body: { transaction_id, gross_amount: wholeRupiah(gross_amount, 'capture') },
      parse: parseTransaction,
      options,
    })
  }

  async refund(parameters: RefundParameters, options?: CallOptions): Transaction {
    return await this.#payBack('refund', parameters, options)
  }

  async directRefund(parameters: RefundParameters, options?: CallOptions): Transaction {
    return await this.#payBack('direct_refund', parameters, options)
  }

  async approve(order_id: string, options?: CallOptions): Transaction {
    return await this.#ask('approve', { order_id }, parseTransaction, options)
  }

  async deny(order_id: string, options?: CallOptions): Transaction {
    return await this.#ask('deny', { order_id }, parseTransaction, options)
  }

  // Card

  async getCardToken(card: CardParameters & { card_cvv: string }): Promise<cards.CardTokenReply> {
    return await this.#withCardData('get_card_token', card, cards.parseCardToken)
  }

  async registerCard(card: CardParameters): Promise<cards.CardRegistrationReply> {
    return await this.#withCardData('register_card', card, cards.parseCardRegistration)
  }

  async pointInquiry(token_id: string): Promise<cards.PointInquiryReply> {
    return await this.#ask('point_inquiry', { token_id }, cards.parsePointInquiry)
  }

  async getBin(bin_number: string): Promise<cards.BinReply> {
    return await this.#ask('get_bin', { bin_number }, cards.parseBin)
  }

  // Wallet account tokenization

  async createPayAccount(payload: accounts.PayAccountRequest): Promise<accounts.PayAccountReply> {
    return await this.#send('create_pay_account', payload, accounts.parsePayAccount)
  }

  async getPayAccount(account_id: string): Promise<accounts.PayAccountReply> {
    return await this.#ask('get_pay_account', { account_id }, accounts.parsePayAccount)
  }

  async unbindPayAccount(account_id: string): Promise<accounts.PayAccountReply> {
    return await this.#ask('unbind_pay_account', { account_id }, accounts.parsePayAccount)
  }

  // Subscription

  async createSubscription(
    payload: subscriptions.SubscriptionRequest,
    options: CallOptions = {},
  ): Promise<subscriptions.SubscriptionReply> {
    return await this.#send(
      'create_subscription',
      payload,
      subscriptions.parseSubscription,
      options,
    )
  }

  async getSubscription(subscription_id: string): Promise<subscriptions.SubscriptionReply> {
    return await this.#ask('get_subscription', { subscription_id }, subscriptions.parseSubscription)
  }

  async disableSubscription(subscription_id: string, options?: CallOptions): Message {
    return await this.#ask('disable_subscription', { subscription_id }, parseMessage, options)
  }

  async enableSubscription(subscription_id: string, options?: CallOptions): Message {
    return await this.#ask('enable_subscription', { subscription_id }, parseMessage, options)
  }

  async cancelSubscription(subscription_id: string, options?: CallOptions): Message {
    return await this.#ask('cancel_subscription', { subscription_id }, parseMessage, options)
  }

  async updateSubscription(
    subscription_id: string,
    payload: subscriptions.SubscriptionUpdate,
  ): Message {
    return await this.#caller.perform({
      operation: 'update_subscription',
      ids: { subscription_id },
      body: payload,
      parse: parseMessage,
    })
  }

  // Invoice

  async createInvoice(
    payload: invoices.InvoiceRequest,
    options: CallOptions = {},
  ): Promise<invoices.InvoiceReply> {
    return await this.#send('create_invoice', payload, invoices.parseInvoice, options)
  }

  async getInvoice(invoice_id: string): Promise<invoices.InvoiceReply> {
    return await this.#ask('get_invoice', { invoice_id }, invoices.parseInvoice)
  }

  /**
   * The gateway has no field for a reason; the second parameter is only stored here
   * (gateway-protocol.md#voiding-an-invoice).
   */
  async voidInvoice(invoice_id: string, _void_reason = ''): Promise<invoices.InvoiceVoidReply> {
    return await this.#ask('void_invoice', { invoice_id }, invoices.parseInvoiceVoid)
  }

  // Signature

  /** Whether a live key of ours, or the given one, made this signature. Constant time. */
  verifySignature({
    signature_key,
    server_key,
    ...fields
  }: SignedFields & { signature_key: string; server_key?: string }): boolean {
    const keys =
      server_key === undefined
        ? this.#shared.settings.server_keys
        : [keyFrom(server_key, 'server_key')]
    return verifyingKey(fields, signature_key, keys) >= 0
  }

  /** Which of our keys made it, for the stored notification (I-34). */
  verifiedWith(fields: SignedFields, signature_key: string): 'current' | 'previous' | null {
    const index = verifyingKey(fields, signature_key, this.#shared.settings.server_keys)
    if (index < 0) return null
    return index === 0 ? 'current' : 'previous'
  }

  /** A copy that may be stored or returned: without secret fields, their values, or our keys. */
  redact(value: unknown): unknown {
    return withoutSecrets(value, [...this.#shared.keys, ...needlesOf(secretsIn(value))])
  }

  // Capacity

  /** False while the breaker is open: nothing should be stored that cannot be sent. */
  get available(): boolean {
    return this.#shared.resilience.available
  }

  get breaker(): { open: boolean; openings: number } {
    return this.#shared.resilience.breaker
  }

  /** Runs with one of the gateway's slots held; calls inside it take no second one. */
  async withSlot<T>(work: () => Promise<T>): Promise<T> {
    return await this.#shared.resilience.withSlot(work, this.#owner_id)
  }

  /** Lets running calls end, then closes the connections. */
  async close(): Promise<void> {
    await this.#shared.transport.close()
  }

  async #ask<T>(
    operation: OperationName,
    ids: Readonly<Record<string, string>>,
    parse: Parse<T>,
    options: CallOptions = {},
  ): Promise<T> {
    return await this.#caller.perform({ operation, ids, parse, options })
  }

  async #send<T>(
    operation: OperationName,
    body: object,
    parse: Parse<T>,
    options: CallOptions = {},
  ): Promise<T> {
    return await this.#caller.perform({ operation, body, parse, options })
  }

  async #payBack(
    operation: OperationName,
    { order_id, refund_key, amount, reason = '' }: RefundParameters,
    options: CallOptions = {},
  ): Transaction {
    const body = { refund_key, amount: wholeRupiah(amount, operation), reason }
    const parse = parseTransaction
    return await this.#caller.perform({ operation, ids: { order_id }, body, parse, options })
  }

  async #withCardData<T>(
    operation: OperationName,
    card: CardParameters & { card_cvv?: string },
    parse: Parse<T>,
  ): Promise<T> {
    if (!this.#shared.settings.card_data) throw gatewayError('card_data_disabled', { operation })
    const client_key = card.client_key ?? this.#shared.settings.client_key
    if (client_key === null) throw new TypeError(`${operation} needs a client_key`)
    return await this.#caller.perform({ operation, query: { ...card, client_key }, parse })
  }
}
