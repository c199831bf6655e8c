import { paramOf } from '../http/call.ts'
import { payInvoice } from '../operations/invoice_payments.ts'
import { parseAmount } from '../wire/amounts.ts'
import { fieldsAt, isFields, listAt, textAt, type Fields } from '../wire/fields.ts'
import type { Invoice, InvoiceAccount } from '../world/invoice.ts'
import { rupiahText } from './format.ts'
import { html, type Html } from './html.ts'
import { actionRoute, HOME, notFound, pageRoute, refused, type Page } from './layout.ts'
import { numberBlock } from './payer_instrument.ts'
import { textOr, type View } from './view.ts'
import { nameOf, pill } from './words.ts'

const find = ({ world, call }: View): Invoice | undefined => world.invoices.get(paramOf(call, 'id'))

const pathOf = ({ id }: Invoice): string => `/_sim/pages/invoices/${id}`

const isOpen = ({ status }: Invoice): boolean => status === 'pending' || status === 'overdue'

function show(view: View): Page {
  const invoice = find(view)
  if (!invoice) return { ...notFound(view), section: 'payer' }
  const { t, time } = view
  const { sent, gross_amount, due_at } = invoice
  const number = textAt(sent, 'invoice_number') ?? invoice.order_id
  return {
    title: `${t('invoice')} ${number}`,
    section: 'payer',
    main: html`<article class="ticket brand-invoice" id="ticket" data-live>
        <header>
          <p class="method">
            <b>${textAt(sent, 'invoice_title') ?? t('invoice')}</b> <span>${number}</span>
          </p>
          <h1>${rupiahText(gross_amount)}</h1>
          <p>${textAt(fieldsAt(sent, 'customer_details'), 'name')} · ${t('due')} ${time(due_at)}</p>
        </header>
        <div class="body">
          ${itemTable(view, sent)} ${textAt(sent, 'notes') && html`<p>${textAt(sent, 'notes')}</p>`}
          ${isOpen(invoice) ? ways(view, invoice) : ended(view, invoice)}
        </div>
      </article>
      <p class="center"><a href="${HOME}/invoices">${t('see_in_console')}</a></p>`,
  }
}

/** What is bought: each item with its amount. */
export function itemTable({ t }: View, sent: Fields): Html {
  const rows = listAt(sent, 'item_details').filter(isFields)
  return html`<table class="items">
    <caption class="sr">
      ${t('items')}
    </caption>
    <tbody>
      ${rows.map((item) => {
        const price = parseAmount(item['price']) ?? 0
        const quantity = parseAmount(item['quantity']) ?? 0
        const name = textAt(item, 'name') ?? textAt(item, 'description') ?? textAt(item, 'item_id')
        return html`<tr>
          <td>${name} <span class="quiet">× ${quantity}</span></td>
          <td class="number">${rupiahText(price * quantity)}</td>
        </tr>`
      })}
    </tbody>
  </table>`
}

function ways(view: View, invoice: Invoice): Html {
  const { t } = view
  const { virtual_accounts, gross_amount } = invoice
  const amount = rupiahText(gross_amount)
  if (virtual_accounts.length === 0)
    return html`<form method="post" action="${pathOf(invoice)}">
      <button class="primary wide">${t('pay_amount', { amount })}</button>
    </form>`
  return html`<h2>${t('choose_account')}</h2>
    ${virtual_accounts.map((account) => accountForm(view, invoice, account))}`
}

function accountForm(view: View, invoice: Invoice, { bank, number }: InvoiceAccount): Html {
  const { t } = view
  const bill = bank === 'mandiri_bill'
  const name = nameOf(bill ? 'mandiri' : bank.replace(/_va$/, ''))
  return html`<form method="post" action="${pathOf(invoice)}" class="account">
    ${numberBlock(view, `${name} ${bill ? t('bill_key') : t('va_number')}`, number)}
    <button class="primary" name="number" value="${number}">
      ${t('pay_with', { bank: name })}
    </button>
  </form>`
}

const SIGNS: Partial<Record<Invoice['status'], string>> = { paid: '✓', expired: '⌛' }

const ended = (view: View, { status, paid_at }: Invoice): Html =>
  html`<div class="ended ${status}">
    <p class="sign" aria-hidden="true">${SIGNS[status] ?? '✕'}</p>
    <h2>${textOr(view, `payer_${status}`, status)}</h2>
    <p>${pill(view, status)} ${paid_at !== undefined && view.time(paid_at)}</p>
  </div>`

function pay(view: View, form: URLSearchParams): string | Page {
  const invoice = find(view)
  if (!invoice) return { ...notFound(view), section: 'payer' }
  const paid = payInvoice(view.world, invoice, form.get('number') ?? undefined)
  const path = pathOf(invoice)
  return paid ? path : { ...refused(view, `it is ${invoice.status}`, path), section: 'payer' }
}

export const INVOICE_PAYER_PAGE = [
  pageRoute('GET /_sim/pages/invoices/{id}', show),
  actionRoute('POST /_sim/pages/invoices/{id}', pay),
]
