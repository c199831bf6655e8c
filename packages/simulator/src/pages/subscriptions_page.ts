import { paramOf } from '../http/call.ts'
import { mayRunCycle, runCycleNow } from '../operations/subscription_cycles.ts'
import type { Subscription } from '../world/subscription.ts'
import type { Transaction } from '../world/transaction.ts'
import { deliveryList } from './delivery_card.ts'
import { rupiahText } from './format.ts'
import { html, type Html } from './html.ts'
import { actionRoute, HOME, notFound, pageRoute, refused, type Page } from './layout.ts'
import { factList, listTable, type Column } from './tables.ts'
import type { View } from './view.ts'
import { pill, statusPill } from './words.ts'

const PATH = `${HOME}/subscriptions`
const ROWS_MAX = 100

function showList(view: View): Page {
  const { t, world } = view
  const newest = [...world.subscriptions.values()].reverse().slice(0, ROWS_MAX)
  return {
    title: t('nav_subscriptions'),
    section: 'subscriptions',
    main: html`<h1>${t('nav_subscriptions')}</h1>
      <div id="subscriptions" data-live>
        ${newest.length === 0 ? html`<p class="empty">${t('no_subscriptions')}</p>` : listTable(columns(view), newest)}
      </div>`,
  }
}

const columns = (view: View): Column<Subscription>[] => {
  const { t, time } = view
  return [
    { heading: t('name'), cell: (one) => html`<a href="${PATH}/${one.id}">${one.name}</a>` },
    { heading: t('status'), cell: (one) => pill(view, one.status) },
    { heading: t('amount'), cell: (one) => rupiahText(one.amount), kind: 'number' },
    { heading: t('schedule'), cell: (one) => scheduleText(view, one) },
    {
      heading: t('next_cycle'),
      cell: (one) => (mayRunCycle(one) ? time(one.retry_at ?? one.next_execution_at) : '–'),
    },
  ]
}

const scheduleText = (view: View, { interval, interval_unit }: Subscription): string =>
  view.t(interval === 1 ? 'every_one' : 'every_many', {
    interval,
    unit: view.t(`unit_${interval_unit}`),
  })

const find = ({ world, call }: View): Subscription | undefined =>
  world.subscriptions.get(paramOf(call, 'id'))

function showOne(view: View): Page {
  const subscription = find(view)
  if (!subscription) return notFound(view)
  const { t, world } = view
  const { id, name, amount, status } = subscription
  const cycles = [
    ...world.transactions
      .newestFirst()
      .filter((one) => one.subscription_id === id)
      .take(ROWS_MAX),
  ]
  const news = world.courier.newestFirst(
    (one) => one.kind === 'subscription' && one.order_id === name,
  )
  return {
    title: name,
    section: 'subscriptions',
    main: html`<p class="crumb"><a href="${PATH}">${t('nav_subscriptions')}</a></p>
      <h1 class="id">${name}</h1>
      <div id="summary" data-live>
        <p class="headline"><strong>${rupiahText(amount)}</strong> ${pill(view, status)}</p>
        ${facts(view, subscription)} ${buttons(view, subscription)}
      </div>
      <div class="columns">
        <section aria-labelledby="cycles">
          <h2 id="cycles">${t('cycles')}</h2>
          <div id="cycle-list" data-live>
            ${
              cycles.length === 0
                ? html`<p class="empty">${t('no_cycles')}</p>`
                : html`<ul class="rules">
                    ${cycles.map((one) => cycle(view, one))}
                  </ul>`
            }
          </div>
        </section>
        <section aria-labelledby="sent">
          <h2 id="sent">${t('sent_to_merchant')}</h2>
          <div id="deliveries" data-live>
            ${deliveryList(view, news.slice(0, 25), `${PATH}/${id}`)}
          </div>
        </section>
      </div>`,
  }
}

function facts(view: View, one: Subscription): Html {
  const { t, time } = view
  const { previous_execution_at, retry_at, max_interval, current_interval } = one
  return factList([
    [t('schedule'), scheduleText(view, one)],
    [t('cycles_run'), `${current_interval} / ${max_interval ?? '∞'}`],
    [t('method'), one.payment_type === 'gopay' ? 'GoPay' : t('type_credit_card')],
    [t('last_cycle'), previous_execution_at !== undefined && time(previous_execution_at)],
    [
      t('next_cycle'),
      retry_at === undefined && one.status === 'active' && time(one.next_execution_at),
    ],
    [t('retry_at'), retry_at !== undefined && time(retry_at)],
    ['id', html`<code>${one.id}</code>`],
  ])
}

function buttons({ t }: View, subscription: Subscription): Html {
  if (!mayRunCycle(subscription)) return html`<p class="quiet">${t('no_cycle_left')}</p>`
  return html`<form method="post" action="${PATH}/${subscription.id}/cycle" class="actions">
    <button class="primary" name="wish" value="charge">${t('run_cycle')}</button>
    <button class="danger" name="wish" value="fail">${t('fail_cycle')}</button>
  </form>`
}

const cycle = (view: View, one: Transaction): Html =>
  html`<li>
    <a href="${HOME}/transactions/${one.transaction_id}">${rupiahText(one.gross_amount)}</a>
    ${statusPill(view, one)} ${view.time(one.created_at)}
  </li>`

function runCycle(view: View, form: URLSearchParams): string | Page {
  const subscription = find(view)
  if (!subscription) return notFound(view)
  const path = `${PATH}/${subscription.id}`
  if (!mayRunCycle(subscription)) return refused(view, view.t('no_cycle_left'), path)
  const wish = form.get('wish') === 'fail' ? 'fail' : 'charge'
  runCycleNow(view.world, subscription, wish)
  return `${path}?note=${wish === 'fail' ? 'cycle_failed' : 'cycle_run'}`
}

export const SUBSCRIPTIONS_PAGE = [
  pageRoute(`GET ${PATH}`, showList),
  pageRoute(`GET ${PATH}/{id}`, showOne),
  actionRoute(`POST ${PATH}/{id}/cycle`, runCycle),
]
