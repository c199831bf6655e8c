import { performAction, isTesterAction, mayDo, type TesterActionName } from '../control/payer.ts'
import { paramOf } from '../http/call.ts'
import type { Fields } from '../wire/fields.ts'
import type { Transaction } from '../world/transaction.ts'
import { deliveryList } from './delivery_card.ts'
import { rupiahText } from './format.ts'
import { html, type Html } from './html.ts'
import { actionRoute, HOME, notFound, pageRoute, refused, type Page } from './layout.ts'
import { factList } from './tables.ts'
import { timeline } from './timeline.ts'
import { payerPath } from './transactions_page.ts'
import type { View } from './view.ts'
import { methodText, statusPill } from './words.ts'

const DELIVERIES_MAX = 50

export const transactionPath = (id: string): string => `${HOME}/transactions/${id}`

const find = ({ world, call }: View): Transaction | undefined =>
  world.transactions.find(paramOf(call, 'id'))

function show(view: View): Page {
  const transaction = find(view)
  if (!transaction) return notFound(view)
  const { t, world } = view
  const { order_id, transaction_id } = transaction
  const deliveries = world.courier
    .newestFirst((one) => one.transaction_id === transaction_id)
    .slice(0, DELIVERIES_MAX)
  return {
    title: order_id,
    section: 'transactions',
    main: html`<p class="crumb"><a href="${HOME}">${t('nav_transactions')}</a></p>
      <h1 class="id">${order_id}</h1>
      <div id="summary" data-live>
        <p class="headline">
          <strong>${rupiahText(transaction.gross_amount)}</strong> ${statusPill(view, transaction)}
          <a class="button" href="${payerPath(transaction)}">${t('payer_view')}</a>
        </p>
        ${facts(view, transaction)}
      </div>
      <section aria-labelledby="do">
        <h2 id="do">${t('actions')}</h2>
        <div id="actions" data-live>${actionButtons(view, transaction)}</div>
      </section>
      <div class="columns">
        <section aria-labelledby="happened">
          <h2 id="happened">${t('history')}</h2>
          <div id="history" data-live>${timeline(view, transaction)}</div>
        </section>
        <section aria-labelledby="sent">
          <h2 id="sent">${t('sent_to_merchant')}</h2>
          <div id="deliveries" data-live>
            ${deliveryList(view, deliveries, transactionPath(transaction_id))}
          </div>
        </section>
      </div>`,
  }
}

function facts(view: View, transaction: Transaction): Html {
  const { t, time } = view
  const { expires_at, settled_at, purse, charged_amount, gross_amount } = transaction
  const { subscription_id, invoice_id, fraud_status } = transaction
  return factList([
    [t('method'), methodText(view, transaction)],
    [t('transaction_id'), html`<code>${transaction.transaction_id}</code>`],
    [t('created'), time(transaction.created_at)],
    [t('expires'), expires_at !== undefined && time(expires_at)],
    [t('settled'), settled_at !== undefined && time(settled_at)],
    [t('charged'), charged_amount !== gross_amount && rupiahText(charged_amount)],
    [t('refunded'), purse.refunded > 0 && rupiahText(purse.refunded)],
    [t('fraud'), fraud_status ?? false],
    [
      t('nav_subscriptions'),
      subscription_id !== undefined &&
        html`<a href="${HOME}/subscriptions/${subscription_id}">${subscription_id}</a>`,
    ],
    [
      t('nav_invoices'),
      invoice_id !== undefined &&
        html`<a href="/_sim/pages/invoices/${invoice_id}">${invoice_id}</a>`,
    ],
  ])
}

/** The other actions are offered on the payer's page or through the control API only. */
type OfferedAction = Exclude<TesterActionName, 'finish_3ds' | 'refuse_next' | 'cancel'>

/** In the order in which a tester needs them; the most frequent is first. */
const BUTTONS: readonly { action: OfferedAction; style: string; amount?: true }[] = [
  { action: 'pay', style: 'primary' },
  { action: 'deny', style: 'danger' },
  { action: 'expire', style: '' },
  { action: 'challenge', style: '' },
  { action: 'fail', style: 'danger' },
  { action: 'settle', style: 'primary' },
  { action: 'refund', style: '', amount: true },
  { action: 'chargeback', style: 'danger', amount: true },
  { action: 'reverse', style: 'danger' },
]

function actionButtons(view: View, transaction: Transaction): Html {
  const possible = BUTTONS.filter(({ action }) => mayDo(action, transaction))
  const { t } = view
  const challenged = transaction.status === 'capture' && transaction.fraud_status === 'challenge'
  if (possible.length === 0)
    return html`<p class="quiet">${challenged ? t('challenge_hint') : t('nothing_to_do')}</p>`
  const path = transactionPath(transaction.transaction_id)
  return html`<div class="actions">
    ${possible.map(
      ({ action, style, amount }) =>
        html`<form method="post" action="${path}/${action}">
          ${
            amount &&
            html`<label class="inline"
              ><span class="sr">${t('amount')}</span>
              <input name="amount" inputmode="numeric" pattern="[0-9]+" placeholder="${t('all')}" />
            </label>`
          }
          <button class="${style}" title="${t(`action_${action}_hint`)}">
            ${t(`action_${action}`)}
          </button>
        </form>`,
    )}
  </div>`
}

function act(view: View, form: URLSearchParams): string | Page {
  const transaction = find(view)
  const action = paramOf(view.call, 'action')
  if (!transaction || !isTesterAction(action)) return notFound(view)
  const path = transactionPath(transaction.transaction_id)
  const refusal = performAction(view.world, transaction, action, fieldsOf(form))
  return refusal === undefined ? `${path}?note=done` : refused(view, refusal, path)
}

/** The form's fields as the control API expects them; without an amount the action is in full. */
function fieldsOf(form: URLSearchParams): Fields {
  const amount = form.get('amount') ?? ''
  return /^\d{1,15}$/.test(amount) ? { amount: Number(amount) } : {}
}

export const TRANSACTION_PAGE = [
  pageRoute(`GET ${HOME}/transactions/{id}`, show),
  actionRoute(`POST ${HOME}/transactions/{id}/{action}`, act),
]
