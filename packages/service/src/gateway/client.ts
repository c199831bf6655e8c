import { gatewayError } from '../domain/errors.ts'
import { SERVICE_OWNER } from '../domain/fair_queue.ts'
import type { PaymentType } from '../domain/payment_type.ts'
import type { Caller, CallOptions } from './calls.ts'
import * as given from './parameters.ts'
import { needlesOf, secretsIn, withoutSecrets } from './redaction.ts'
import { keyFrom, type GatewaySettings } from './settings.ts'
import { SharedParts } from './shared_parts.ts'
import { verifyingKey, type SignedFields } from './signature.ts'
import * as cards from './wire/cards.ts'
import { isChargeRequest, type ChargeRequest } from './wire/payment_types.ts'
import * as checkouts from './wire/checkouts.ts'
import * as invoices from './wire/invoices.ts'
import * as accounts from './wire/pay_accounts.ts'
import type { Parse } from './wire/shape.ts'
import * as subscriptions from './wire/subscriptions.ts'
import * as transactions from './wire/transactions.ts'

type Transaction = Promise<transactions.TransactionReply>
type Message = Promise<subscriptions.SubscriptionMessage>
type Account = Promise<accounts.PayAccountReply>
type Page = Promise<checkouts.CheckoutPageReply>
type SubscriptionId = given.Id<'subscription_id'>

const { parseTransaction } = transactions
const parseMessage = subscriptions.parseSubscriptionMessage

/**
 * The only client of the gateway: the operations of gateway-protocol.md#operations, a method each
 * (`get_status` is `getStatus`). Parameters come in the order of the specification or as one object
 * by name, and amounts in whole rupiah or as decimal strings. Ids may be order ids or transaction ids if the gateway accepts
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
    body: given.Payload<ChargeRequest<T> & { payment_type: T }>,
    options: CallOptions = {},
  ): Promise<transactions.ChargeReply<T>> {
    const payload = given.payloadOf('charge', body)
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

  async getStatus(order_id: given.Id<'order_id'>, options?: CallOptions): Transaction {
    return await this.#ask('get_status', order_id, parseTransaction, options)
  }

  async getStatusB2b(order_id: given.Id<'order_id'>): Promise<transactions.B2bStatusReply> {
    return await this.#ask('get_status_b2b', order_id, transactions.parseB2bStatus)
  }

  async cancel(order_id: given.Id<'order_id'>, options?: CallOptions): Transaction {
    return await this.#ask('cancel', order_id, parseTransaction, options)
  }

  async expire(order_id: given.Id<'order_id'>, options?: CallOptions): Transaction {
    return await this.#ask('expire', order_id, parseTransaction, options)
  }

  async capture(...args: given.CaptureArguments): Transaction {
    const { parameters, options } = given.argumentsOf('capture', args)
    const { transaction_id, gross_amount } = parameters
    const body = { transaction_id, gross_amount: given.wholeRupiah(gross_amount) }
    const parse = parseTransaction
    return await this.#caller.perform({ operation: 'capture', body, parse, options })
  }

  async refund(...args: given.RefundArguments): Transaction {
    return await this.#payBack('refund', args)
  }

  async directRefund(...args: given.RefundArguments): Transaction {
    return await this.#payBack('direct_refund', args)
  }

  async approve(order_id: given.Id<'order_id'>, options?: CallOptions): Transaction {
    return await this.#ask('approve', order_id, parseTransaction, options)
  }

  async deny(order_id: given.Id<'order_id'>, options?: CallOptions): Transaction {
    return await this.#ask('deny', order_id, parseTransaction, options)
  }

  // Card

  async getCardToken(...args: given.CardTokenArguments): Promise<cards.CardTokenReply> {
    return await this.#withCardData('get_card_token', args, cards.parseCardToken)
  }

  async registerCard(...args: given.CardArguments): Promise<cards.CardRegistrationReply> {
    return await this.#withCardData('register_card', args, cards.parseCardRegistration)
  }

  async pointInquiry(token_id: given.Id<'token_id'>): Promise<cards.PointInquiryReply> {
    return await this.#ask('point_inquiry', token_id, cards.parsePointInquiry)
  }

  async getBin(bin_number: given.Id<'bin_number'>): Promise<cards.BinReply> {
    return await this.#ask('get_bin', bin_number, cards.parseBin)
  }

  // Wallet account tokenization

  async createPayAccount(payload: given.Payload<accounts.PayAccountRequest>): Account {
    return await this.#create('create_pay_account', payload, accounts.parsePayAccount)
  }

  async getPayAccount(account_id: given.Id<'account_id'>): Account {
    return await this.#ask('get_pay_account', account_id, accounts.parsePayAccount)
  }

  async unbindPayAccount(account_id: given.Id<'account_id'>): Account {
    return await this.#ask('unbind_pay_account', account_id, accounts.parsePayAccount)
  }

  // Subscription

  async createSubscription(
    payload: given.Payload<subscriptions.SubscriptionRequest>,
    options?: CallOptions,
  ): Promise<subscriptions.SubscriptionReply> {
    const parse = subscriptions.parseSubscription
    return await this.#create('create_subscription', payload, parse, options)
  }

  async getSubscription(id: SubscriptionId): Promise<subscriptions.SubscriptionReply> {
    return await this.#ask('get_subscription', id, subscriptions.parseSubscription)
  }

  async disableSubscription(id: SubscriptionId, options?: CallOptions): Message {
    return await this.#ask('disable_subscription', id, parseMessage, options)
  }

  async enableSubscription(id: SubscriptionId, options?: CallOptions): Message {
    return await this.#ask('enable_subscription', id, parseMessage, options)
  }

  async cancelSubscription(id: SubscriptionId, options?: CallOptions): Message {
    return await this.#ask('cancel_subscription', id, parseMessage, options)
  }

  async updateSubscription(
    ...args: given.UpdateArguments<subscriptions.SubscriptionUpdate>
  ): Message {
    const operation = 'update_subscription'
    const { parameters } = given.argumentsOf(operation, args)
    const { payload: body, ...ids } = parameters
    return await this.#caller.perform({ operation, ids, body, parse: parseMessage })
  }

  // Invoice

  async createInvoice(
    payload: given.Payload<invoices.InvoiceRequest>,
    options?: CallOptions,
  ): Promise<invoices.InvoiceReply> {
    return await this.#create('create_invoice', payload, invoices.parseInvoice, options)
  }

  async getInvoice(invoice_id: given.Id<'invoice_id'>): Promise<invoices.InvoiceReply> {
    return await this.#ask('get_invoice', invoice_id, invoices.parseInvoice)
  }

  /**
   * The gateway has no field for the reason, so it is not sent
   * (gateway-protocol.md#voiding-an-invoice).
   */
  async voidInvoice(...args: given.VoidArguments): Promise<invoices.InvoiceVoidReply> {
    const { parameters } = given.argumentsOf('void_invoice', args)
    const { invoice_id } = parameters
    const parse = invoices.parseInvoiceVoid
    return await this.#caller.perform({ operation: 'void_invoice', ids: { invoice_id }, parse })
  }

  /** The gateway has no idempotency key here, and cannot look a page up. */
  async createCheckout(payload: given.Payload<checkouts.CheckoutRequest>): Page {
    const { notification_urls } = this.#shared.settings
    const { parseCheckoutPage } = checkouts
    return await this.#create('create_checkout', payload, parseCheckoutPage, { notification_urls })
  }

  /** Not every account may: the refusal says so. */
  async cancelCheckout(token: given.Id<'token'>): Promise<object> {
    return await this.#ask('cancel_checkout', token, checkouts.parseCheckoutCancel)
  }

  /** Whether a live key of ours, or the given one, made this signature. Constant time. */
  verifySignature(...args: given.SignatureArguments): boolean {
    const { parameters } = given.argumentsOf('verify_signature', args)
    const { signature_key, server_key, ...fields } = parameters
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
    await this.#shared.close()
  }

  /** For the operations that take one id. */
  async #ask<T>(
    operation: given.SimpleOperation,
    id: given.Id<string>,
    parse: Parse<T>,
    options: CallOptions = {},
  ): Promise<T> {
    const { parameters: ids } = given.argumentsOf(operation, [id])
    return await this.#caller.perform({ operation, ids, parse, options })
  }

  /** For those that take one payload. */
  async #create<T>(
    operation: given.SimpleOperation,
    payload: object,
    parse: Parse<T>,
    options: CallOptions = {},
  ): Promise<T> {
    const body = given.payloadOf(operation, payload)
    return await this.#caller.perform({ operation, body, parse, options })
  }

  async #payBack(operation: 'refund' | 'direct_refund', args: given.RefundArguments): Transaction {
    const { parameters, options } = given.argumentsOf(operation, args)
    const { order_id, refund_key, amount, reason = '' } = parameters
    const body = { refund_key, amount: given.wholeRupiah(amount), reason }
    const parse = parseTransaction
    return await this.#caller.perform({ operation, ids: { order_id }, body, parse, options })
  }

  async #withCardData<T>(
    operation: 'get_card_token' | 'register_card',
    args: given.CardArguments | given.CardTokenArguments,
    parse: Parse<T>,
  ): Promise<T> {
    if (!this.#shared.settings.card_data) throw gatewayError('card_data_disabled', { operation })
    const { parameters } = given.argumentsOf(operation, args)
    const client_key = parameters.client_key ?? this.#shared.settings.client_key
    if (client_key === null) throw given.missing(operation, 'client_key', 'here or in the settings')
    return await this.#caller.perform({ operation, query: { ...parameters, client_key }, parse })
  }
}
