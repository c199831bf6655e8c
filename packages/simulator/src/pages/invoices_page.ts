import { fieldsAt, textAt } from '../wire/fields.ts'
import type { Invoice } from '../world/invoice.ts'
import { rupiahText } from './format.ts'
import { html } from './html.ts'
import { HOME, pageRoute, type Page } from './layout.ts'
import { listTable, type Column } from './tables.ts'
import type { View } from './view.ts'
import { pill } from './words.ts'

const ROWS_MAX = 100

function show(view: View): Page {
  const { t, world } = view
  const newest = [...world.invoices.values()].reverse().slice(0, ROWS_MAX)
  return {
    title: t('nav_invoices'),
    section: 'invoices',
    main: html`<h1>${t('nav_invoices')}</h1>
      <div id="invoices" data-live>
        ${newest.length === 0 ? html`<p class="empty">${t('no_invoices')}</p>` : listTable(columns(view), newest)}
      </div>`,
  }
}

const columns = (view: View): Column<Invoice>[] => {
  const { t, time } = view
  return [
    { heading: t('order'), cell: (one) => one.order_id },
    { heading: t('status'), cell: (one) => pill(view, one.status) },
    { heading: t('amount'), cell: (one) => rupiahText(one.gross_amount), kind: 'number' },
    {
      heading: t('customer'),
      cell: (one) => textAt(fieldsAt(one.sent, 'customer_details'), 'name'),
    },
    { heading: t('due'), cell: (one) => time(one.due_at) },
    {
      heading: t('payer_view'),
      cell: (one) =>
        html`<a class="button small" href="/_sim/pages/invoices/${one.id}">${t('payer_view')}</a>`,
      kind: 'end',
    },
  ]
}

export const INVOICES_PAGE = [pageRoute(`GET ${HOME}/invoices`, show)]
