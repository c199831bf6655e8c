// The payer's instructions: a number, a code, an image or a request in an app. Each shows only what
// the gateway gave the merchant, as a customer would see it.
import { isFields, listAt, textAt } from '../wire/fields.ts'
import type { Transaction } from '../world/transaction.ts'
import { barcodeDrawing, qrDrawing } from './drawings.ts'
import { grouped } from './format.ts'
import { html, type Html } from './html.ts'
import type { View } from './view.ts'
import { nameOf } from './words.ts'

type Instrument = (view: View, transaction: Transaction) => Html

/** A number with its name above it and a button that copies it without the gaps. */
export const numberBlock = ({ t }: View, label: string, number: string): Html =>
  html`<div class="numberblock">
    <span class="label">${label}</span>
    <button type="button" class="copy" data-copy="${number}" data-done="${t('copied')}" hidden>
      ${t('copy')}<span class="sr"> ${label}</span>
    </button>
    <output>${grouped(number)}</output>
  </div>`

const steps = (...texts: string[]): Html =>
  html`<ol class="steps">
    ${texts.map((text) => html`<li>${text}</li>`)}
  </ol>`

/** The number a payer types in, wherever the bank keeps it. */
export function vaNumberOf({ details }: Transaction): string {
  const first = listAt(details, 'va_numbers').find(isFields)
  return textAt(details, 'permata_va_number') ?? textAt(first ?? {}, 'va_number') ?? ''
}

function virtualAccount(view: View, transaction: Transaction): Html {
  const { t } = view
  const bank = nameOf(transaction.channel ?? '')
  return html`${numberBlock(view, t('va_number'), vaNumberOf(transaction))}
  ${steps(t('va_step_1', { bank }), t('va_step_2'), t('va_step_3'))}`
}

function mandiriBill(view: View, { details }: Transaction): Html {
  const { t } = view
  return html`${numberBlock(view, t('biller_code'), textAt(details, 'biller_code') ?? '')}
  ${numberBlock(view, t('bill_key'), textAt(details, 'bill_key') ?? '')}
  ${steps(t('bill_step_1'), t('bill_step_2'), t('va_step_3'))}`
}

function storeCode(view: View, { details, channel }: Transaction): Html {
  const { t } = view
  const code = textAt(details, 'payment_code') ?? ''
  const store = nameOf(channel ?? '')
  return html`${barcodeDrawing(code, t('barcode_of', { code }))}
  ${numberBlock(view, t('payment_code'), code)}
  ${steps(t('store_step_1', { store }), t('store_step_2'), t('store_step_3'))}`
}

/** The address an action of the reply has. */
export function actionUrl({ instructions }: Transaction, name: string): string | undefined {
  const found = listAt(instructions, 'actions')
    .filter(isFields)
    .find((action) => textAt(action, 'name') === name)
  return found && textAt(found, 'url')
}

/** What a transaction's QR code says; a GoPay code leads a phone to the payer's page. */
export const qrTextOf = (transaction: Transaction): string | undefined =>
  textAt(transaction.instructions, 'qr_string') ??
  (actionUrl(transaction, 'generate-qr-code') && actionUrl(transaction, 'deeplink-redirect'))

function qris(view: View, transaction: Transaction): Html {
  const { t } = view
  const acquirer = transaction.channel ?? 'gopay'
  const issuers = [acquirer, 'dana', 'ovo', 'bca', 'linkaja']
  return html`${qrDrawing(qrTextOf(transaction) ?? '', t('qr_label'))}
    <p class="center">${t('qris_hint')}</p>
    ${
      transaction.status === 'pending' &&
      html`<label class="choice">
        ${t('scanned_with')}
        <select name="issuer" form="actions">
          ${issuers.map((one) => html`<option value="${one}">${nameOf(one)}</option>`)}
        </select>
      </label>`
    }`
}

function gopay(view: View, transaction: Transaction): Html {
  const { t } = view
  const text = qrTextOf(transaction)
  if (text === undefined) return html`<p class="ask">${t('gopay_linked')}</p>`
  return html`${qrDrawing(text, t('qr_label'))}
    <p class="center">${t('gopay_hint')}</p>
    ${deepLink(view, text)}
    ${
      transaction.status === 'pending' &&
      html`<label class="choice">
        ${t('pay_from')}
        <select name="payment_option_type" form="actions">
          <option value="GOPAY_WALLET">GoPay</option>
          <option value="PAY_LATER">GoPay Later</option>
        </select>
      </label>`
    }`
}

const deepLink = ({ t }: View, url: string): Html =>
  html`<p class="deeplink">
    <span class="label">${t('deep_link')}</span> <code>${url}</code>
    <button type="button" class="copy" data-copy="${url}" data-done="${t('copied')}" hidden>
      ${t('copy')}
    </button>
  </p>`

/** Wallets that are opened by a link: the app asks, the payer confirms. */
function wallet(view: View, transaction: Transaction): Html {
  const app = nameOf(transaction.payment_type)
  const url = actionUrl(transaction, 'deeplink-redirect')
  return html`<p class="ask">${view.t('wallet_ask', { app })}</p>
    ${url !== undefined && deepLink(view, url)}`
}

function ovo({ t }: View, { details }: Transaction): Html {
  const phone = textAt(details, 'payer_phone_number') ?? ''
  return html`<p class="ask">${t('ovo_ask', { phone: grouped(phone) })}</p>`
}

const paylater: Instrument = ({ t }, { payment_type }) =>
  html`<p class="ask">${t('paylater_ask', { lender: nameOf(payment_type) })}</p>`

function card(view: View, transaction: Transaction): Html {
  const { t } = view
  const { details, card: behaviour = 'accept', status } = transaction
  const masked = grouped((textAt(details, 'masked_card') ?? '').replace('-', '••••'))
  return html`<div class="numberblock">
      <span class="label">${t('type_credit_card')}</span>
      <output>${masked}</output>
    </div>
    ${
      status === 'pending' &&
      html`<label class="otp">
          ${t('otp')}
          <input
            name="otp"
            form="actions"
            inputmode="numeric"
            autocomplete="one-time-code"
            maxlength="6"
            placeholder="••••••"
            aria-describedby="otp-hint"
          />
        </label>
        <p class="quiet" id="otp-hint">${t('otp_hint')} ${t(`card_${behaviour}`)}</p>`
    }`
}

const INSTRUMENTS: Record<string, Instrument> = {
  bank_transfer: virtualAccount,
  echannel: mandiriBill,
  cstore: storeCode,
  qris,
  gopay,
  shopeepay: wallet,
  dana: wallet,
  ovo,
  akulaku: paylater,
  kredivo: paylater,
  credit_card: card,
}

export const instrument: Instrument = (view, transaction) =>
  INSTRUMENTS[transaction.payment_type]?.(view, transaction) ?? html``
