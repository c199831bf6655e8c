import { pagePath } from '../operations/checkouts.ts'
import { checkoutStatus, type Checkout } from '../world/checkout.ts'
import { rupiahText } from './format.ts'
import { html } from './html.ts'
import { HOME, pageRoute, type Page } from './layout.ts'
import { listTable, type Column } from './tables.ts'
import { transactionPath } from './transaction_page.ts'
import type { View } from './view.ts'
import { pill, statusPill } from './words.ts'

const ROWS_MAX = 100

function show(view: View): Page {
  const { t, world } = view
  const { size } = world.checkouts
  const after = Math.max(0, size - ROWS_MAX)
  const newest = world.checkouts.page({ after, limit: ROWS_MAX }).reverse()
  return {
    title: t('nav_checkouts'),
    section: 'checkouts',
    main: html`<h1>${t('nav_checkouts')}</h1>
      <div id="checkouts" data-live>
        ${size === 0 ? html`<p class="empty">${t('no_checkouts')}</p>` : listTable(columns(view), newest)}
      </div>`,
  }
}

const columns = (view: View): Column<Checkout>[] => {
  const { t, time, world } = view
  return [
    { heading: t('order'), cell: (one) => one.order_id },
    { heading: t('status'), cell: (one) => pill(view, checkoutStatus(one, world.clock.now())) },
    { heading: t('amount'), cell: (one) => rupiahText(one.gross_amount), kind: 'number' },
    {
      heading: t('attempts'),
      cell: ({ transactions }) =>
        transactions.map(
          (one) =>
            html`<a href="${transactionPath(one.transaction_id)}">${statusPill(view, one)}</a> `,
        ),
    },
    { heading: t('page_expires'), cell: (one) => time(one.expires_at) },
    {
      heading: t('payer_view'),
      cell: (one) => html`<a class="button small" href="${pagePath(one)}">${t('payer_view')}</a>`,
      kind: 'end',
    },
  ]
}

/** Every hosted page, newest first. */
export const CHECKOUTS_PAGE = [pageRoute(`GET ${HOME}/checkouts`, show)]
