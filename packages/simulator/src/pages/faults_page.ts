import { OPERATION_NAMES } from '../http/operation_names.ts'
import { paramOf } from '../http/call.ts'
import type { Fields } from '../wire/fields.ts'
import { CALL_FAULTS, LIST_FAULTS, NOTIFICATION_FAULTS, type FaultEffect } from '../world/faults.ts'
import { isActive, ruleText } from './fault_words.ts'
import { html, type Html } from './html.ts'
import { actionRoute, HOME, pageRoute, refused, type Page } from './layout.ts'
import type { View } from './view.ts'

const PATH = `${HOME}/faults`

/** The numeric option of an effect and its default. */
const OPTIONS: Partial<Record<FaultEffect, { name: string; usual: number | '' }>> = {
  delay: { name: 'ms', usual: 1000 },
  status: { name: 'http_status', usual: 500 },
  html: { name: 'http_status', usual: 502 },
  rate_limited: { name: 'retry_after', usual: '' },
  redirect: { name: 'http_status', usual: 302 },
  over_long: { name: 'bytes', usual: 5_000_000 },
  late: { name: 'seconds', usual: 60 },
}

/** Effects that replace the reply, before or after the work. */
const BEFORE_OR_AFTER = new Set<FaultEffect>([
  'status',
  'html',
  'rate_limited',
  'still_running',
  'redirect',
])

function show(view: View): Page {
  const { t } = view
  return {
    title: t('nav_faults'),
    section: 'faults',
    main: html`<h1>${t('nav_faults')}</h1>
      <p class="lead">${t('faults_lead')}</p>
      <section aria-labelledby="on">
        <h2 id="on">${t('faults_active')}</h2>
        <div id="rules" data-live>${rules(view)}</div>
      </section>
      <section aria-labelledby="calls">
        <h2 id="calls">${t('faults_calls')}</h2>
        ${[...CALL_FAULTS, ...LIST_FAULTS].map((effect) => offer(view, effect, 'call'))}
      </section>
      <section aria-labelledby="news">
        <h2 id="news">${t('faults_notifications')}</h2>
        ${NOTIFICATION_FAULTS.map((effect) => offer(view, effect, 'notification'))}
      </section>`,
  }
}

function rules(view: View): Html {
  const { t, world } = view
  const all = world.faults.list()
  if (all.length === 0) return html`<p class="empty">${t('no_faults')}</p>`
  return html`<ul class="rules">
      ${all.map(
        (rule) =>
          html`<li class="${isActive(rule) ? 'on' : 'over'}">
            <span
              >${ruleText(view, rule)}
              <span class="quiet"
                >${t('struck', { count: rule.struck })}${!isActive(rule) && `, ${t('used_up')}`}</span
              ></span
            >
            <form method="post" action="${PATH}/${rule.id}/off">
              <button>${isActive(rule) ? t('switch_off') : t('remove')}</button>
            </form>
          </li>`,
      )}
    </ul>
    <form method="post" action="${PATH}/clear"><button>${t('all_off')}</button></form>`
}

function offer(view: View, effect: FaultEffect, kind: 'call' | 'notification'): Html {
  const { t } = view
  const option = OPTIONS[effect]
  return html`<details class="fault" id="fault-${effect}">
    <summary><code>${effect}</code> <span>${t(`fault_${effect}`)}</span></summary>
    <form method="post" action="${PATH}">
      <input type="hidden" name="effect" value="${effect}" />
      ${kind === 'call' ? operationField(view) : statusField(view)}
      <label>${t('order_prefix')} <input name="order_id_prefix" autocomplete="off" /></label>
      <label>
        ${t('times')} <input name="times" type="number" min="1" placeholder="${t('for_ever')}" />
      </label>
      <label>
        ${t('rate')}
        <input name="percent" type="number" min="1" max="100" value="100" required />
      </label>
      ${
        option &&
        html`<label>
          <code>${option.name}</code>
          <input type="hidden" name="option" value="${option.name}" />
          <input name="value" type="number" min="0" value="${option.usual}" />
        </label>`
      }
      ${
        BEFORE_OR_AFTER.has(effect) &&
        html`<label class="check">
          <input name="after" type="checkbox" value="true" /> ${t('after_work')}
        </label>`
      }
      <button class="primary">${t('switch_on')}</button>
    </form>
  </details>`
}

const operationField = ({ t }: View): Html =>
  html`<label>
    ${t('operation')}
    <select name="operation">
      <option value="">${t('any')}</option>
      ${OPERATION_NAMES.map((name) => html`<option>${name}</option>`)}
    </select>
  </label>`

const statusField = ({ t }: View): Html =>
  html`<label>
    ${t('of_status')}
    <select name="transaction_status">
      <option value="">${t('any')}</option>
      ${['pending', 'capture', 'settlement', 'deny', 'cancel', 'expire', 'refund'].map(
        (status) => html`<option>${status}</option>`,
      )}
    </select>
  </label>`

function add(view: View, form: URLSearchParams): string | Page {
  const rule = view.world.faults.add(wishOf(form))
  return typeof rule === 'string' ? refused(view, rule, PATH) : `${PATH}?note=fault_on`
}

/** Converts form texts to JSON types; an empty field is left out. */
function wishOf(form: URLSearchParams): Fields {
  const text = (name: string): string | undefined => form.get(name)?.trim() || undefined
  const number = (name: string): number | undefined => {
    const value = text(name)
    return value === undefined ? undefined : Number(value)
  }
  return {
    effect: text('effect'),
    match: {
      operation: text('operation'),
      order_id_prefix: text('order_id_prefix'),
      transaction_status: text('transaction_status'),
    },
    times: number('times'),
    probability: (number('percent') ?? 100) / 100,
    options: {
      ...(text('option') !== undefined && { [text('option') ?? '']: number('value') }),
      ...(text('after') === 'true' && { after: true }),
    },
  }
}

function off({ world, call }: View): string {
  world.faults.remove(paramOf(call, 'id'))
  return `${PATH}?note=fault_off`
}

function clear({ world }: View): string {
  world.faults.clear()
  return `${PATH}?note=faults_cleared`
}

export const FAULTS_PAGE = [
  pageRoute(`GET ${PATH}`, show),
  actionRoute(`POST ${PATH}`, add),
  actionRoute(`POST ${PATH}/clear`, clear),
  actionRoute(`POST ${PATH}/{id}/off`, off),
]
