// The gateway's hosted page (Snap): the payer picks a method, pays, tries another, or leaves.
import { route, type ControlRoute } from '../control/reply.ts'
import { headerOf, paramOf, type Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import type { Reply } from '../http/reply.ts'
import { chooseMethod, openPage, refusalOf } from '../operations/checkout_payments.ts'
import { PAGE_PATH, pagePath } from '../operations/checkouts.ts'
import { listAt } from '../wire/fields.ts'
import { checkoutStatus, type Checkout } from '../world/checkout.ts'
import { isPaid, type Transaction } from '../world/transaction.ts'
import { countingOf, finishUrl, leavePage, resultOf } from './checkout_return.ts'
import { ASKING, choiceOf, methodForm, methodList, type Href } from './checkout_ways.ts'
import { awayText, rupiahText } from './format.ts'
import { html, type Html } from './html.ts'
import { itemTable } from './invoice_payer_page.ts'
import { actionRoute, HOME, notFound, pageRoute, render, seeOther, type Page } from './layout.ts'
import { ended, performForm, waiting } from './payer_page.ts'
import { viewOf, type View } from './view.ts'
import { brandOf, methodText, statusPill } from './words.ts'

const find = ({ world, call }: View): Checkout | undefined =>
  world.checkouts.byToken(paramOf(call, 'token'))

/** A frame of another site keeps no cookie, so language and popup go from address to address. */
const KEPT = ['popup', 'client_key', 'lang']

const hrefTo =
  ({ call }: View, path: string): Href =>
  (more = {}) => {
    const query = new URLSearchParams()
    for (const key of KEPT) {
      const value = call.query.get(key)
      if (value !== null) query.set(key, value)
    }
    for (const [key, value] of Object.entries(more)) query.set(key, value)
    return query.size === 0 ? path : `${path}?${query.toString()}`
  }

const hrefOf = (view: View, checkout: Checkout): Href => hrefTo(view, pagePath(checkout))

function show(view: View): Page {
  const checkout = find(view)
  if (!checkout) return { ...notFound(view), section: 'payer' }
  if (isWrongKey(view)) return wrongKey(view)
  // The page refreshes itself and posts to itself; only an arrival from elsewhere opens it.
  if (isArrival(view.call)) openPage(view.world, checkout)
  return pageOf(view, checkout)
}

function isArrival(call: Call): boolean {
  const site = headerOf(call, 'sec-fetch-site')
  return site !== 'same-origin' && headerOf(call, 'sec-fetch-dest') !== 'empty'
}

/** snap.js sends the shop's key along; the gateway refuses the popup of a wrong one. */
const isWrongKey = ({ call, world }: View): boolean =>
  call.query.has('popup') && call.query.get('client_key') !== world.settings.client_key

const wrongKey = ({ t }: View): Page => ({
  title: t('refused'),
  section: 'payer',
  http_status: 401,
  main: html`<h1>${t('refused')}</h1>
    <p class="notice bad">${t('wrong_client_key')}</p>`,
})

function pageOf(view: View, checkout: Checkout, notice?: string): Page {
  const { t, call } = view
  const shown = attemptOf(view, checkout)
  return {
    title: `${t('checkout')} ${checkout.order_id}`,
    section: 'payer',
    ...(notice !== undefined && { http_status: 409 }),
    main: html`<article
        class="ticket brand-${shown ? brandOf(shown) : 'checkout'}"
        id="ticket"
        ${notice === undefined && html`data-live`}
      >
        ${head(view, checkout, shown)}
        <div class="body">
          ${notice !== undefined && html`<p class="notice bad" role="alert">${notice}</p>`}
          ${shown ? attempt(view, checkout, shown) : choosing(view, checkout)}
          ${details(view, checkout)} ${attempts(view, checkout, shown)} ${leaving(view, checkout)}
        </div>
      </article>
      ${!call.query.has('popup') && html`<p class="center"><a href="${HOME}/checkouts">${t('see_in_console')}</a></p>`}`,
  }
}

function head(view: View, checkout: Checkout, shown: Transaction | undefined): Html {
  const { t, world, call, language, time } = view
  const { order_id, gross_amount, expires_at } = checkout
  const now = world.clock.now()
  return html`<header>
    <p class="method">
      <b>${shown ? methodText(view, shown) : t('checkout')}</b>
      ${
        call.query.has('popup') &&
        html`<a class="close" href="${returnHref(view, checkout)}"
          ><span aria-hidden="true">✕</span><span class="sr">${t('close')}</span></a
        >`
      }
    </p>
    <h1>${rupiahText(gross_amount)}</h1>
    <p>${t('to_shop', { shop: world.settings.merchant_id })} · ${order_id}</p>
    ${
      checkoutStatus(checkout, now) === 'live' &&
      html`<p class="until">
        ${t('page_expires')} ${awayText(language, expires_at, now)}
        <span class="sr">${time(expires_at)}</span>
      </p>`
    }
  </header>`
}

const returnHref = (view: View, checkout: Checkout): string =>
  hrefTo(view, `${pagePath(checkout)}/return`)()

/** The transaction to show: the one asked for, a paid one, or the newest while it waits. */
function attemptOf({ call }: View, checkout: Checkout): Transaction | undefined {
  const asked = call.query.get('attempt')
  const named = checkout.transactions.find((one) => one.transaction_id === asked)
  if (named) return named
  if (call.query.has('method') || call.query.has('choose')) return undefined
  const counting = countingOf(checkout)
  return counting && (isPaid(counting) || counting.status === 'pending') ? counting : undefined
}

function attempt(view: View, checkout: Checkout, transaction: Transaction): Html {
  const { t, world } = view
  const href = hrefOf(view, checkout)
  const free = refusalOf(world, checkout) === undefined
  if (transaction.status !== 'pending') return ended(view, transaction)
  return html`${endOf(view, checkout)} ${waiting(view, transaction, href())}
  ${free && html`<p class="center"><a href="${href({ choose: '1' })}">${t('choose_other')}</a></p>`}`
}

/** The methods, the form of one, or why there are none. */
function choosing(view: View, checkout: Checkout): Html {
  const href = hrefOf(view, checkout)
  const end = endOf(view, checkout)
  if (end) return end
  const asked = ASKING.find((name) => name === view.call.query.get('method'))
  const failed = checkout.transactions.at(-1)
  if (asked !== undefined)
    return html`${methodForm(view, checkout, asked, href)}
      <p class="center"><a href="${href({ choose: '1' })}">${view.t('choose_other')}</a></p>`
  return html`${
    failed &&
    failed.status !== 'pending' &&
    html`<p class="notice bad">
      ${view.t('attempt_failed', { method: methodText(view, failed) })}
    </p>`
  }
  ${methodList(view, checkout, href)}`
}

/** Why the page takes no method any more. */
function endOf({ t, world }: View, checkout: Checkout): Html | undefined {
  if (refusalOf(world, checkout) === undefined) return undefined
  const status = checkoutStatus(checkout, world.clock.now())
  const waits = checkout.transactions.some((one) => one.status === 'pending')
  const reason =
    status === 'expired' || status === 'canceled'
      ? (`checkout_is_${status}` as const)
      : 'order_is_paid'
  return html`<div class="ended expired">
    <p class="sign" aria-hidden="true">${status === 'expired' ? '⌛' : '✕'}</p>
    <h2>${t(reason)}</h2>
    <p>${t(`${reason}_hint`)} ${waits && t('still_payable')}</p>
  </div>`
}

function details(view: View, { body }: Checkout): Html | undefined {
  if (listAt(body, 'item_details').length === 0) return undefined
  return html`<details id="order">
    <summary>${view.t('order_details')}</summary>
    ${itemTable(view, body)}
  </details>`
}

/** Every method chosen so far; one that still waits can be paid beside the newest. */
function attempts(
  view: View,
  checkout: Checkout,
  shown: Transaction | undefined,
): Html | undefined {
  const others = checkout.transactions.filter((one) => one !== shown)
  if (others.length === 0) return undefined
  const href = hrefOf(view, checkout)
  return html`<h2>${view.t('your_attempts')}</h2>
    <ul class="attempts">
      ${others.map((one) => {
        const name = methodText(view, one)
        return html`<li>
          <span>${name} ${statusPill(view, one)}</span>
          <a href="${href({ attempt: one.transaction_id })}"
            >${view.t('show_attempt')}<span class="sr"> ${name}</span></a
          >
        </li>`
      })}
    </ul>`
}

function leaving(view: View, checkout: Checkout): Html {
  const { t, world } = view
  const href = returnHref(view, checkout)
  const open = checkoutStatus(checkout, world.clock.now()) === 'live'
  const leaves = open && checkout.transactions.length === 0
  return html`<p class="links">
    <a href="${href}" ${!open && html`class="button primary wide"`}
      >${leaves ? t('leave_page') : t('return_to_shop')}</a
    >
  </p>`
}

function act(view: View, form: URLSearchParams): string | Page {
  const checkout = find(view)
  if (!checkout) return { ...notFound(view), section: 'payer' }
  const { t, world } = view
  const href = hrefOf(view, checkout)
  if (form.has('method')) {
    const made = chooseMethod(world, checkout, choiceOf(form))
    if (typeof made !== 'string') return href()
    view.call.query.set('method', form.get('method') ?? '')
    const refusals: Record<string, string> = {
      credit_card: t('card_invalid'),
      ovo: t('ovo_invalid'),
    }
    return pageOf(view, checkout, refusals[form.get('method') ?? ''] ?? t('method_refused'))
  }
  const id = form.get('transaction_id') ?? ''
  const transaction = checkout.transactions.find((one) => one.transaction_id === id)
  const refusal = transaction ? performForm(world, transaction, form) : t('not_found')
  if (refusal !== undefined) return pageOf(view, checkout, `${t('refused')}: ${refusal}`)
  return href(transaction === checkout.transactions.at(-1) ? {} : { attempt: id })
}

/** Leads to the shop, or reports the result to the page that opened the popup. */
function leave(host: Host, call: Call): Reply {
  const view = viewOf(host, call)
  const checkout = find(view)
  if (!checkout) return render(view, { ...notFound(view), section: 'payer' })
  const { t, world } = view
  leavePage(world, checkout)
  const popup = URL.parse(call.query.get('popup') ?? '')
  const finish = finishUrl(world, checkout)
  if (!popup && finish !== undefined) return seeOther(finish)
  const result = JSON.stringify({ source: 'snap', ...resultOf(world, checkout) })
  return render(view, {
    title: t('returning'),
    section: 'payer',
    main: html`<h1 class="center">${t(popup ? 'returning' : 'may_close')}</h1>
      ${popup !== null && html`<p hidden data-result="${result}" data-origin="${popup.origin}"></p>`}`,
  })
}

export const CHECKOUT_PAGE: ControlRoute[] = [
  pageRoute(`GET ${PAGE_PATH}/{token}`, show),
  actionRoute(`POST ${PAGE_PATH}/{token}`, act),
  route(`GET ${PAGE_PATH}/{token}/return`, leave),
]
