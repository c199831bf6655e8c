import type { Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import type { Reply } from '../http/reply.ts'
import { route, type ControlRoute } from '../control/reply.ts'
import { activeFaults } from './fault_words.ts'
import { html, type Html } from './html.ts'
import { keepLanguage } from './language.ts'
import { LOGO } from './logo.ts'
import type { TextKey } from './texts.ts'
import { isTextKey, viewOf, type View } from './view.ts'

/** Where the console begins. */
export const HOME = '/_sim/ui'

/** One page: what is in it; `render` puts the frame round it. */
export interface Page {
  title: string
  main: Html
  http_status?: number
  /** Which entry of the menu it belongs to; a payer's page has no menu. */
  section: Section | 'payer'
}

const SECTIONS = {
  transactions: HOME,
  deliveries: `${HOME}/deliveries`,
  subscriptions: `${HOME}/subscriptions`,
  invoices: `${HOME}/invoices`,
  checkouts: `${HOME}/checkouts`,
  faults: `${HOME}/faults`,
  clock: `${HOME}/clock`,
} as const

type Section = keyof typeof SECTIONS

// Nothing external, nothing inline: a script injected through an order id cannot run.
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ')

/** A page of the console, or the payer's. */
export const pageRoute = (
  pattern: string,
  show: (view: View, call: Call) => Page | Promise<Page>,
): ControlRoute =>
  route(pattern, async (host: Host, call: Call) => {
    const view = viewOf(host, call)
    return render(view, await show(view, call))
  })

/** The action of a button: the next address, or a page that shows the refusal. */
export const actionRoute = (
  pattern: string,
  act: (view: View, form: URLSearchParams) => string | Page | Promise<string | Page>,
): ControlRoute =>
  route(pattern, async (host: Host, call: Call) => {
    const view = viewOf(host, call)
    const next = await act(view, new URLSearchParams(call.body_text))
    return typeof next === 'string' ? seeOther(next) : render(view, next)
  })

/** Redirects with GET, so that a reload does not repeat the action. */
export const seeOther = (location: string): Reply => ({
  http_status: 303,
  body: '',
  headers: { location },
})

export const notFound = (view: View): Page => ({
  title: view.t('not_found'),
  section: 'transactions',
  http_status: 404,
  main: html`<h1>${view.t('not_found')}</h1>
    <p>${view.t('not_found_hint')} <a href="${HOME}">${view.t('back_to_list')}</a></p>`,
})

export const refused = (view: View, why: string, back: string): Page => ({
  title: view.t('refused'),
  section: 'transactions',
  http_status: 409,
  main: html`<h1>${view.t('refused')}</h1>
    <p class="notice bad">${why}</p>
    <p><a href="${back}">${view.t('back')}</a></p>`,
})

export function render(view: View, page: Page): Reply {
  const payer = page.section === 'payer'
  return {
    http_status: page.http_status ?? 200,
    body: frame(view, page).markup,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // A shop may show the bank's page in a frame; the console refuses to be framed.
      'content-security-policy': payer ? POLICY : `${POLICY}; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      // Without an origin header the check would refuse our own posts.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      vary: 'accept-language, cookie',
      ...keepLanguage(view.call),
    },
  }
}

function frame(view: View, page: Page): Html {
  const { t, language } = view
  return html`<!DOCTYPE html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title} · Gapura ${t('simulator')}</title>
        <link rel="stylesheet" href="/_sim/assets/style.css" />
        <link rel="icon" href="/_sim/assets/icon.svg" type="image/svg+xml" />
        <script src="/_sim/assets/live.js" defer></script>
      </head>
      <body class="${page.section === 'payer' ? 'payer' : 'console'}">
        <a class="skip" href="#main">${t('skip')}</a>
        ${header(view, page.section)} ${faultBanner(view)}
        <main id="main">${note(view)}${page.main}</main>
      </body>
    </html>`
}

function header(view: View, section: Page['section']): Html {
  const { t } = view
  const links = Object.entries(SECTIONS).map(([name, path]) => {
    const key = `nav_${name}`
    const label = isTextKey(key) ? t(key) : name
    return html`<li>
      <a href="${path}" ${name === section ? html`aria-current="page"` : ''}>${label}</a>
    </li>`
  })
  // In a shop's popup every link stays in the frame, where the console refuses to open.
  if (view.call.query.has('popup'))
    return html`<header class="top">
      <span class="brand"
        >${LOGO}<span>Gapura <b>${t('simulator')}</b></span></span
      >
      <div class="corner">${languageSwitch(view)}</div>
    </header>`
  return html`<header class="top">
    <a class="brand" href="${HOME}"
      >${LOGO}<span>Gapura <b>${t('simulator')}</b></span></a
    >
    ${
      section !== 'payer' &&
      html`<nav aria-label="${t('menu')}">
        <ul>
          ${links}
        </ul>
      </nav>`
    }
    <div class="corner">${clockChip(view)}${languageSwitch(view)}</div>
  </header>`
}

/** Virtual time is on every page, because it often explains a status. */
function clockChip({ t, time, world: { clock } }: View): Html {
  return html`<a class="clock" id="clock-chip" data-live href="${SECTIONS.clock}"
    ><span aria-hidden="true">${clock.frozen ? '❄' : '●'}</span> ${time(clock.now())}
    <span class="${clock.frozen ? 'quiet' : 'quiet usual'}"
      >${clock.frozen ? t('clock_frozen') : t('clock_running')}</span
    ></a
  >`
}

function languageSwitch({ t, language, call }: View): Html {
  const other = language === 'en' ? 'id' : 'en'
  const query = new URLSearchParams(call.query)
  query.set('lang', other)
  return html`<a
    class="switch"
    href="?${query.toString()}"
    hreflang="${other}"
    lang="${other}"
    title="${t('switch_language')}"
    >${other === 'id' ? 'Bahasa Indonesia' : 'English'}</a
  >`
}

function faultBanner(view: View): Html {
  const active = activeFaults(view)
  if (active.length === 0) return html`<div id="faults-on" data-live></div>`
  return html`<div id="faults-on" data-live>
    <p class="banner">
      <strong>${view.t('faults_on', { count: active.length })}</strong>
      ${active.slice(0, 3).join(' · ')}${active.length > 3 ? ' …' : ''}
      <a href="${SECTIONS.faults}">${view.t('faults_manage')}</a>
    </p>
  </div>`
}

/** The result of the last action. Only known names are shown, so a link cannot inject text. */
function note({ t, call }: View): Html | undefined {
  const name = `note_${call.query.get('note') ?? ''}`
  if (!isTextKey(name)) return undefined
  return html`<p class="notice good" role="status">${t(name satisfies TextKey)}</p>`
}
