import { wholeNumber } from '../control/page.ts'
import type { Transaction } from '../world/transaction.ts'
import { rupiahText } from './format.ts'
import { html, type Html } from './html.ts'
import { HOME, pageRoute, type Page } from './layout.ts'
import { listTable, type Column } from './tables.ts'
import { methodText, PAYMENT_TYPES, statusPill, typeText } from './words.ts'
import type { View } from './view.ts'

const ROWS_MAX = 25

const STATUSES = [
  'pending',
  'authorize',
  'capture',
  'settlement',
  'deny',
  'cancel',
  'expire',
  'failure',
  'refund',
  'partial_refund',
  'chargeback',
  'partial_chargeback',
]

interface Filter {
  search: string
  status: string
  type: string
  page: number
}

const filterOf = ({ call: { query } }: View): Filter => ({
  search: query.get('q')?.trim() ?? '',
  status: query.get('status') ?? '',
  type: query.get('type') ?? '',
  page: Math.max(1, wholeNumber(query.get('page')) ?? 1),
})

const fits = ({ search, status, type }: Filter, one: Transaction): boolean =>
  (status === '' || one.status === status) &&
  (type === '' || one.payment_type === type) &&
  (one.order_id.toLowerCase().includes(search.toLowerCase()) || one.transaction_id === search)

function show(view: View): Page {
  const { t, world } = view
  const filter = filterOf(view)
  const main =
    world.transactions.size === 0
      ? welcome(view)
      : html`${filterForm(view, filter)}
          <div id="transactions" data-live>${table(view, filter)}</div>`
  return {
    title: t('nav_transactions'),
    section: 'transactions',
    main: html`<h1>${t('nav_transactions')}</h1>
      ${main}`,
  }
}

function table(view: View, filter: Filter): Html {
  const { t, world } = view
  const from = (filter.page - 1) * ROWS_MAX
  // One row more than is shown: it proves a next page without counting all rows.
  const found = [
    ...world.transactions
      .newestFirst()
      .filter((one) => fits(filter, one))
      .drop(from)
      .take(ROWS_MAX + 1),
  ]
  if (found.length === 0) return html`<p class="empty">${t('none_found')}</p>`
  return html`${listTable(columns(view), found.slice(0, ROWS_MAX))}
  ${pager(view, filter, found.length > ROWS_MAX)}`
}

const columns = (view: View): Column<Transaction>[] => {
  const { t, time } = view
  return [
    {
      heading: t('order'),
      cell: (one) => html`<a href="${HOME}/transactions/${one.transaction_id}">${one.order_id}</a>`,
    },
    { heading: t('status'), cell: (one) => statusPill(view, one) },
    { heading: t('amount'), cell: (one) => rupiahText(one.gross_amount), kind: 'number' },
    { heading: t('method'), cell: (one) => methodText(view, one) },
    { heading: t('created'), cell: (one) => time(one.created_at) },
    {
      heading: t('payer_view'),
      cell: (one) => html`<a class="button small" href="${payerPath(one)}">${t('payer_view')}</a>`,
      kind: 'end',
    },
  ]
}

/** Where the payer of a transaction is sent: a card's page is the bank's. */
export const payerPath = ({ payment_type, transaction_id }: Transaction): string =>
  payment_type === 'credit_card'
    ? `/_sim/3ds/${transaction_id}`
    : `/_sim/pages/pay/${transaction_id}`

function pager({ t, call }: View, { page }: Filter, more: boolean): Html | undefined {
  if (page === 1 && !more) return undefined
  const link = (to: number, label: string): Html => {
    const query = new URLSearchParams(call.query)
    query.set('page', String(to))
    return html`<a class="button" href="?${query.toString()}">${label}</a>`
  }
  return html`<nav class="pager" aria-label="${t('pages')}">
    ${page > 1 && link(page - 1, t('newer'))} <span>${t('page_number', { page })}</span>
    ${more && link(page + 1, t('older'))}
  </nav>`
}

function filterForm(view: View, { search, status, type }: Filter): Html {
  const { t } = view
  const option = (value: string, label: string, chosen: string): Html =>
    html`<option value="${value}" ${value === chosen ? html`selected` : ''}>${label}</option>`
  return html`<form class="filter" method="get" role="search">
    <label>
      ${t('search_order')}
      <input type="search" name="q" value="${search}" autocomplete="off" spellcheck="false" />
    </label>
    <label>
      ${t('status')}
      <select name="status">
        ${option('', t('any'), status)} ${STATUSES.map((one) => option(one, one, status))}
      </select>
    </label>
    <label>
      ${t('method')}
      <select name="type">
        ${option('', t('any'), type)}
        ${PAYMENT_TYPES.map((one) => option(one, typeText(view, one), type))}
      </select>
    </label>
    <button>${t('filter')}</button>
  </form>`
}

/** Shown while there is no transaction: the first steps. */
function welcome({ t, world }: View): Html {
  const { base_url, settings } = world
  const charge = `curl -s -u ${settings.server_key}: ${base_url}/v2/charge \\
  -H 'content-type: application/json' \\
  -d '{"payment_type":"bank_transfer","bank_transfer":{"bank":"bca"},
       "transaction_details":{"order_id":"order-1","gross_amount":44000}}'`
  return html`<section class="welcome" id="welcome" data-live>
    <h2>${t('welcome_title')}</h2>
    <p>${t('welcome_text')}</p>
    <div class="code">
      <pre tabindex="0"><code>${charge}</code></pre>
      <button type="button" class="copy" data-copy="${charge}" data-done="${t('copied')}" hidden>
        ${t('copy')}
      </button>
    </div>
    <p>${t('welcome_next')}</p>
    <dl class="facts">
      <dt>${t('address')}</dt>
      <dd><code>${base_url}</code></dd>
      <dt>${t('server_key')}</dt>
      <dd><code>${settings.server_key}</code></dd>
      <dt>${t('client_key')}</dt>
      <dd><code>${settings.client_key}</code></dd>
    </dl>
  </section>`
}

export const TRANSACTIONS_PAGE = [pageRoute(`GET ${HOME}`, show)]
