import { sendTestNotification } from '../control/evidence.ts'
import { wholeNumber } from '../control/page.ts'
import { paramOf } from '../http/call.ts'
import type { Fields } from '../wire/fields.ts'
import { changeSettings, URL_KEYS } from '../world/settings.ts'
import { deliveryList } from './delivery_card.ts'
import { html, type Html } from './html.ts'
import { actionRoute, HOME, notFound, pageRoute, refused, type Page } from './layout.ts'
import type { View } from './view.ts'

const PATH = `${HOME}/deliveries`
const CARDS_MAX = 25
const STATES = ['waiting', 'held', 'delivered', 'given_up', 'lost', 'muted', 'no_url']

function show(view: View): Page {
  const { t, world, call } = view
  const state = call.query.get('state') ?? ''
  const page = Math.max(1, wholeNumber(call.query.get('page')) ?? 1)
  const wanted = world.courier.newestFirst((one) => state === '' || one.state === state)
  const from = (page - 1) * CARDS_MAX
  const shown = wanted.slice(from, from + CARDS_MAX)
  return {
    title: t('nav_deliveries'),
    section: 'deliveries',
    main: html`<h1>${t('nav_deliveries')}</h1>
      <p class="lead">${t('deliveries_lead')}</p>
      ${targets(view)} ${stateFilter(view, state)}
      <div id="deliveries" data-live>
        ${deliveryList(view, shown, PATH)}
        <nav class="pager" aria-label="${t('pages')}">
          ${page > 1 && pageLink(state, page - 1, t('newer'))}
          ${wanted.length > from + CARDS_MAX && pageLink(state, page + 1, t('older'))}
        </nav>
      </div>`,
  }
}

const pageLink = (state: string, page: number, label: string): Html =>
  html`<a class="button" href="?${new URLSearchParams({ state, page: String(page) }).toString()}"
    >${label}</a
  >`

/** Where notifications go, and a way to send one without a payment. */
function targets({ t, world }: View): Html {
  return html`<div class="panel targets">
    <form method="post" action="${PATH}/target">
      ${URL_KEYS.map(
        (key) =>
          html`<label>
            ${t(key)} <input type="url" name="${key}" value="${world.settings[key]}" />
          </label>`,
      )}
      <button>${t('save')}</button>
    </form>
    <form method="post" action="${PATH}/test">
      <button title="${t('test_hint')}">${t('send_test')}</button>
    </form>
  </div>`
}

function stateFilter({ t }: View, chosen: string): Html {
  const link = (state: string, label: string): Html =>
    html`<li>
      <a
        href="${PATH}${state === '' ? '' : `?state=${state}`}"
        ${state === chosen ? html`aria-current="true"` : ''}
        >${label}</a
      >
    </li>`
  return html`<nav class="tabs" aria-label="${t('filter')}">
    <ul>
      ${link('', t('any'))} ${STATES.map((state) => link(state, state))}
    </ul>
  </nav>`
}

function resend(view: View, form: URLSearchParams): string | Page {
  const delivery = view.world.courier.resend(paramOf(view.call, 'id'))
  if (!delivery) return notFound(view)
  const back = form.get('back') ?? ''
  // Only back into the console: a form must not redirect to another site.
  const path = /^\/_sim\/ui\/[\w/-]+$/.test(back) ? back : PATH
  return `${path}?note=resent`
}

function setTarget(view: View, form: URLSearchParams): string | Page {
  const wishes: Fields = {}
  for (const key of URL_KEYS) wishes[key] = form.get(key)?.trim()
  const faults = changeSettings(view.world.settings, wishes)
  return faults.length > 0 ? refused(view, faults.join('; '), PATH) : `${PATH}?note=saved`
}

function sendTest({ world }: View): string {
  sendTestNotification(world)
  return `${PATH}?note=test_sent`
}

export const DELIVERIES_PAGE = [
  pageRoute(`GET ${PATH}`, show),
  actionRoute(`POST ${PATH}/target`, setTarget),
  actionRoute(`POST ${PATH}/test`, sendTest),
  actionRoute(`POST ${PATH}/{id}/resend`, resend),
]
