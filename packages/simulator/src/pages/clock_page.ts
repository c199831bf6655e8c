import { DAY_MS, HOUR_MS, MINUTE_MS } from '../wire/times.ts'
import type { World } from '../world/world.ts'
import { awayText } from './format.ts'
import { happenedBetween, upcoming, type ClockEvent } from './clock_events.ts'
import { html, type Html } from './html.ts'
import { actionRoute, HOME, pageRoute, refused, type Page } from './layout.ts'
import type { TextKey } from './texts.ts'
import type { View } from './view.ts'

const PATH = `${HOME}/clock`
const SHOWN_MAX = 50
const UPCOMING_MAX = 12
// Events without effect, such as the expiry of a paid order, are skipped.
const STEPS_MAX = 50

const STEPS: readonly { name: string; ms: number; label: TextKey }[] = [
  { name: '1m', ms: MINUTE_MS, label: 'advance_minute' },
  { name: '15m', ms: 15 * MINUTE_MS, label: 'advance_quarter' },
  { name: '1h', ms: HOUR_MS, label: 'advance_hour' },
  { name: '1d', ms: DAY_MS, label: 'advance_day' },
]

function show(view: View): Page {
  const { t, time, world } = view
  const { clock } = world
  return {
    title: t('nav_clock'),
    section: 'clock',
    main: html`<h1>${t('nav_clock')}</h1>
      <p class="lead">${t('clock_lead')}</p>
      <div class="panel">
        <p class="bigtime" id="now" data-live>
          ${time(clock.now())}
          <span class="pill ${clock.frozen ? 'back' : 'good'}"
            >${clock.frozen ? t('clock_frozen') : t('clock_running')}</span
          >
        </p>
        <div class="actions">
          <form method="post" action="${PATH}/advance" class="actions">
            ${STEPS.map(
              ({ name, label }) => html`<button name="by" value="${name}">+ ${t(label)}</button>`,
            )}
            <button class="primary" name="by" value="next">${t('advance_next')}</button>
          </form>
          <form method="post" action="${PATH}/${clock.frozen ? 'run' : 'freeze'}">
            <button>${clock.frozen ? t('clock_run') : t('clock_freeze')}</button>
          </form>
        </div>
      </div>
      ${report(view)}
      <section aria-labelledby="soon">
        <h2 id="soon">${t('upcoming')}</h2>
        <div id="upcoming" data-live>
          ${list(view, upcoming(world, UPCOMING_MAX), 'nothing_due')}
        </div>
      </section>`,
  }
}

/** The events of the last advance; its span is in the address, so the report can be reloaded. */
function report(view: View): Html | undefined {
  const { t, time, world, call } = view
  const from = momentOf(call.query.get('from'))
  const to = momentOf(call.query.get('to'))
  if (from === undefined || to === undefined) return undefined
  const found = happenedBetween(world, from, to)
  return html`<section aria-labelledby="due" class="report">
    <h2 id="due">${t('became_due')}</h2>
    <p class="quiet">${time(from)} → ${time(to)}</p>
    ${list(view, found.slice(0, SHOWN_MAX), 'nothing_became_due')}
    ${found.length > SHOWN_MAX && html`<p>${t('and_more', { count: found.length - SHOWN_MAX })}</p>`}
  </section>`
}

const momentOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined

function list(view: View, events: readonly ClockEvent[], none: TextKey): Html {
  const { t, time, language, world } = view
  if (events.length === 0) return html`<p class="empty">${t(none)}</p>`
  return html`<ol class="events">
    ${events.map((one) => {
      const { kind, at, subject, result = '' } = one
      const ahead =
        at > world.clock.now() && html`<b>${awayText(language, at, world.clock.now())}</b>`
      const path = pathOf(one)
      return html`<li>
        ${time(at)} ${ahead}
        <span
          >${path === undefined ? subject : html`<a href="${path}">${subject}</a>`}
          ${t(`event_${kind}`, { result })}</span
        >
      </li>`
    })}
  </ol>`
}

function pathOf({ kind, id }: ClockEvent): string | undefined {
  if (id === undefined) return undefined
  if (kind === 'cycle' || kind === 'retry') return `${HOME}/subscriptions/${id}`
  if (kind === 'invoice_due' || kind === 'invoice_expiry' || kind === 'overdue')
    return `/_sim/pages/invoices/${id}`
  return `${HOME}/transactions/${id}`
}

async function advance(view: View, form: URLSearchParams): Promise<string | Page> {
  const { clock } = view.world
  const by = form.get('by') ?? ''
  const step = STEPS.find(({ name }) => name === by)
  if (!step && by !== 'next')
    return refused(view, `by: ${STEPS.map(({ name }) => name).join(', ')}, next`, PATH)
  const from = clock.now()
  if (step) await clock.advance(step.ms)
  else await advanceToNext(view.world, from)
  return `${PATH}?${new URLSearchParams({ from: String(from), to: String(clock.now()) }).toString()}`
}

async function advanceToNext(world: World, from: number): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const next = world.clock.nextAt()
    if (next === undefined) return
    await world.clock.moveTo(Math.max(next, world.clock.now()))
    if (happenedBetween(world, from, world.clock.now()).length > 0) return
  }
}

const setFrozen =
  (frozen: boolean) =>
  async ({ world }: View): Promise<string> => {
    await world.clock.setFrozen(frozen)
    return `${PATH}?note=${frozen ? 'frozen' : 'running'}`
  }

export const CLOCK_PAGE = [
  pageRoute(`GET ${PATH}`, show),
  actionRoute(`POST ${PATH}/advance`, advance),
  actionRoute(`POST ${PATH}/freeze`, setFrozen(true)),
  actionRoute(`POST ${PATH}/run`, setFrozen(false)),
]
