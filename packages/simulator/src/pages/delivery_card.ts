import type { Attempt, Delivery } from '../notify/courier.ts'
import { awayText } from './format.ts'
import { html, type Html } from './html.ts'
import { HOME } from './layout.ts'
import { textOr, type View } from './view.ts'
import { pill } from './words.ts'

/** Notifications, each with what was sent, what came back, and a button to send it again. */
export function deliveryList(view: View, deliveries: readonly Delivery[], back: string): Html {
  if (deliveries.length === 0) return html`<p class="empty">${view.t('no_deliveries')}</p>`
  return html`<ul class="deliveries">
    ${deliveries.map((one) => card(view, one, back))}
  </ul>`
}

function card(view: View, delivery: Delivery, back: string): Html {
  const { t, time } = view
  const { id, state, url, order_id, transaction_id, payload, kind, fault } = delivery
  const word = payload['transaction_status'] ?? payload['status'] ?? payload['account_status']
  const subject =
    transaction_id === undefined
      ? html`${order_id ?? t(`kind_${kind}`)}`
      : html`<a href="${HOME}/transactions/${transaction_id}">${order_id ?? transaction_id}</a>`
  return html`<li class="card">
    <p class="row">
      ${pill(view, state)} ${subject}
      ${typeof word === 'string' && html`<span class="quiet">${word}</span>`}
      ${fault !== undefined && html`<span class="pill warn">${fault}</span>`}
      ${time(delivery.created_at)}
    </p>
    <p class="quiet ${url !== null && 'url'}">${url ?? t('no_url_hint')}</p>
    ${nextTry(view, delivery)} ${delivery.attempts.map((one) => attempt(view, one))}
    <div class="row">
      <details id="payload-${id}">
        <summary>${t('payload')}</summary>
        <pre tabindex="0"><code>${JSON.stringify(payload, null, 2)}</code></pre>
      </details>
      ${
        url !== null &&
        html`<form method="post" action="${HOME}/deliveries/${id}/resend">
          <input type="hidden" name="back" value="${back}" />
          <button>${t('resend')}</button>
        </form>`
      }
    </div>
  </li>`
}

function nextTry(view: View, { next_attempt_at, attempts }: Delivery): Html | undefined {
  if (next_attempt_at === null) return undefined
  const { t, time, language, world } = view
  const away = awayText(language, next_attempt_at, world.clock.now())
  const label = attempts.length === 0 ? t('will_be_sent') : t('next_retry')
  return html`<p class="next">${label} ${time(next_attempt_at)} <b>${away}</b></p>`
}

function attempt(view: View, { at, http_status, error, duration_ms, hops, reply }: Attempt): Html {
  const { t, time } = view
  const good = http_status !== null && http_status < 300
  return html`<div class="attempt ${good ? 'good' : 'bad'}">
    <p class="row">
      <b>${http_status ?? t('no_answer')}</b> ${time(at)}
      <span class="quiet">${duration_ms} ms</span>
      ${hops > 0 && html`<span class="quiet">${t('hops', { hops })}</span>`}
      ${error !== null && html`<span>${textOr(view, `error_${error}`, error)}</span>`}
    </p>
    ${reply !== null && reply !== '' && html`<pre tabindex="0"><code>${pretty(reply)}</code></pre>`}
  </div>`
}

const ONE_LINE_MAX = 60

/** Long JSON gets its line breaks back; whatever else was answered is shown as it came. */
function pretty(text: string): string {
  if (text.length <= ONE_LINE_MAX) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
