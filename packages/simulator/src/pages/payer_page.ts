import { performAction, mayDo, type TesterActionName } from '../control/payer.ts'
import { route, type ControlRoute } from '../control/reply.ts'
import { headerOf, paramOf, type Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { pngOf } from '../pictures/png.ts'
import { qrCode } from '../pictures/qr_code.ts'
import type { Fields } from '../wire/fields.ts'
import type { Transaction } from '../world/transaction.ts'
import type { World } from '../world/world.ts'
import { awayText, rupiahText } from './format.ts'
import { html, type Html } from './html.ts'
import { actionRoute, notFound, pageRoute, refused, seeOther, type Page } from './layout.ts'
import { instrument, qrTextOf } from './payer_instrument.ts'
import { transactionPath } from './transaction_page.ts'
import { payerPath } from './transactions_page.ts'
import { textOr, type View } from './view.ts'
import { brandOf, methodText, nameOf, statusPill, typeText } from './words.ts'

/** The sandbox's one-time password; any other fails 3DS. */
const OTP = '112233'

const find = (view: View): Transaction | undefined =>
  view.world.transactions.byId(paramOf(view.call, 'id'))

function show(view: View): Page {
  const transaction = find(view)
  if (!transaction) return { ...notFound(view), section: 'payer' }
  const { t, world } = view
  const { order_id, gross_amount } = transaction
  const brand = brandOf(transaction)
  return {
    title: `${methodText(view, transaction)} ${order_id}`,
    section: 'payer',
    main: html`<article class="ticket brand-${brand}" id="ticket" data-live>
        <header>
          <p class="method">
            <b>${brand === 'credit_card' ? t('your_bank') : nameOf(brand)}</b>
            ${
              brand !== transaction.payment_type &&
              html`<span>${typeText(view, transaction.payment_type)}</span>`
            }
          </p>
          <h1>${rupiahText(gross_amount)}</h1>
          <p>${t('to_shop', { shop: world.settings.merchant_id })} · ${order_id}</p>
        </header>
        <div class="body">
          ${transaction.status === 'pending' ? waiting(view, transaction, payerPath(transaction)) : ended(view, transaction)}
        </div>
      </article>
      <p class="center">
        <a href="${transactionPath(transaction.transaction_id)}">${t('see_in_console')}</a>
      </p>`,
  }
}

/** How to pay a transaction, and the buttons of its result, which post to the given path. */
export function waiting(view: View, transaction: Transaction, path: string): Html {
  const { t, time, language, world } = view
  const { expires_at } = transaction
  return html`${instrument(view, transaction)}
    ${
      expires_at !== undefined &&
      html`<p class="expires">
        ${t('pay_before')} ${time(expires_at)}
        <b>${awayText(language, expires_at, world.clock.now())}</b>
      </p>`
    }
    <form method="post" action="${path}" id="actions">
      <input type="hidden" name="transaction_id" value="${transaction.transaction_id}" />
      <button class="primary wide" name="action" value="pay">${payLabel(view, transaction)}</button>
      <p class="label">${t('or_simulate')}</p>
      <div class="actions">
        ${OTHERS.filter((action) => mayDo(action, transaction)).map(
          (action) =>
            html`<button
              name="action"
              value="${action}"
              formnovalidate
              title="${t(`action_${action}_hint`)}"
            >
              ${t(`action_${action}`)}
            </button>`,
        )}
      </div>
    </form>`
}

const OTHERS = ['deny', 'expire', 'challenge', 'fail'] as const

function payLabel({ t }: View, { payment_type, gross_amount }: Transaction): string {
  if (payment_type === 'credit_card') return t('submit_otp')
  const approves = payment_type === 'akulaku' || payment_type === 'kredivo'
  return t(approves ? 'approve_amount' : 'pay_amount', { amount: rupiahText(gross_amount) })
}

/** Signs beside the status text; the text says the same. */
const SIGNS: Record<string, string> = {
  settlement: '✓',
  capture: '✓',
  authorize: '✓',
  deny: '✕',
  failure: '✕',
  cancel: '✕',
  expire: '⌛',
}

/** How a transaction ended, for the payer. */
export function ended(view: View, transaction: Transaction): Html {
  const { status, fraud_status } = transaction
  const challenged = status === 'capture' && fraud_status === 'challenge'
  const word = challenged ? 'challenge' : status
  return html`<div class="ended ${word}">
    <p class="sign" aria-hidden="true">${challenged ? '?' : (SIGNS[status] ?? '↩')}</p>
    <h2>${textOr(view, `payer_${word}`, word)}</h2>
    <p>${statusPill(view, transaction)}</p>
  </div>`
}

function act(view: View, form: URLSearchParams): string | Page {
  const transaction = find(view)
  if (!transaction) return { ...notFound(view), section: 'payer' }
  const path = payerPath(transaction)
  const refusal = performForm(view.world, transaction, form)
  return refusal === undefined ? path : { ...refused(view, refusal, path), section: 'payer' }
}

/** Performs the button that was pressed, or returns the reason why it is not possible. */
export function performForm(
  world: World,
  transaction: Transaction,
  form: URLSearchParams,
): string | undefined {
  const action = actionOf(form)
  if (action === undefined) return 'action must be one of pay, deny, expire, challenge, fail'
  return action === 'pay' && transaction.payment_type === 'credit_card'
    ? performAction(world, transaction, 'finish_3ds', { result: otpResult(form) })
    : performAction(world, transaction, action, fieldsOf(form, transaction))
}

/** A program may send `result` alone, `ok` or `fail`, as to the bank's 3DS page. */
function actionOf(form: URLSearchParams): TesterActionName | undefined {
  const wanted = form.get('action') ?? form.get('result') ?? 'pay'
  if (wanted === 'pay' || wanted === 'ok') return 'pay'
  if (wanted === 'fail' && form.has('result')) return 'pay'
  return OTHERS.find((action) => action === wanted)
}

function otpResult(form: URLSearchParams): 'ok' | 'fail' {
  const otp = form.get('otp')?.trim() ?? ''
  return form.get('result') === 'fail' || (otp !== '' && otp !== OTP) ? 'fail' : 'ok'
}

function fieldsOf(form: URLSearchParams, { channel }: Transaction): Fields {
  const issuer = form.get('issuer')
  const option = form.get('payment_option_type')
  return {
    ...(issuer !== null && { issuer, transaction_type: issuer === channel ? 'on-us' : 'off-us' }),
    ...(option !== null && { payment_option_type: option }),
  }
}

/** An image for the shop, as at the gateway; a browser that opens the link gets the page. */
function qrImage(host: Host, call: Call): Reply {
  const transaction = host.world().transactions.byId(paramOf(call, 'id'))
  if (!transaction) return httpReply(404, { error: 'no such transaction' })
  if (headerOf(call, 'accept')?.includes('text/html') === true)
    return seeOther(payerPath(transaction))
  const text = qrTextOf(transaction)
  const modules = text === undefined ? undefined : qrCode(text)
  if (!modules) return httpReply(404, { error: 'this transaction has no QR code' })
  return {
    http_status: 200,
    body: '',
    picture: pngOf(modules, { scale: 8, quiet: 4 }),
    headers: { 'content-type': 'image/png' },
  }
}

/** The pages to which the links in charge replies lead. */
export const PAYER_PAGE: ControlRoute[] = [
  pageRoute('GET /_sim/3ds/{id}', show),
  actionRoute('POST /_sim/3ds/{id}', act),
  pageRoute('GET /_sim/pages/pay/{id}', show),
  actionRoute('POST /_sim/pages/pay/{id}', act),
  ...['/v2/gopay', '/v2/qris', '/v4/gopay', '/v4/qris'].map((prefix) =>
    route(`GET ${prefix}/{id}/qr-code`, qrImage),
  ),
]
