import { access, accessForm } from './access.js'
import { el, prose } from './dom.js'
import { methodBadge, pathView } from './operation.js'
import { adviceOf } from './reply_view.js'

/** @typedef {import('./page.js').Shown} Shown */

/**
 * The first page: what this is, how to call it, every route.
 * @param {Shown} shown
 */
export function overview({ document, operations, base }) {
  const { info } = document
  return el(
    'article',
    { class: 'overview' },
    el('h1', {}, `${info.title} `, el('small', {}, info.version)),
    el('p', {}, info.description ?? ''),
    howTo(base),
    routesTable(operations),
    el(
      'p',
      { class: 'row' },
      el('button', { type: 'button', onclick: () => save(document) }, 'Download openapi.json'),
      el('span', { class: 'faint' }, 'for generators and other tools'),
    ),
  )
}

/** @param {string} base */
const howTo = (base) =>
  el(
    'div',
    { class: 'notes' },
    note(
      'Where',
      'The routes are below ',
      el('code', {}, base),
      '; with and without the last slash.',
    ),
    note(
      'Who',
      ...prose('`Authorization: Bearer` with an API key or token, or the session of the host.'),
    ),
    note(
      'Once',
      ...prose(
        'Send an `Idempotency-Key` with every POST: the same key and body give the same answer.',
      ),
    ),
    note(
      'Failures',
      ...prose('`application/problem+json`: `code` is stable, `detail` says what to do next.'),
    ),
  )

/** @param {import('./schema.js').Operation[]} operations */
const routesTable = (operations) =>
  el(
    'table',
    {},
    el(
      'tbody',
      {},
      ...operations.map(({ id, method, path, summary }) =>
        el(
          'tr',
          {},
          el('td', {}, methodBadge(method)),
          el('td', {}, el('a', { href: `#/${id}` }, pathView(path))),
          el('td', {}, summary),
        ),
      ),
    ),
  )

/**
 * From what the page has: a plain link would go without the key.
 * @param {import('./schema.js').ApiDocument} document
 */
function save(document) {
  const blob = new Blob([JSON.stringify(document, null, 2)], { type: 'application/json' })
  const href = URL.createObjectURL(blob)
  el('a', { href, download: 'openapi.json' }).click()
  setTimeout(() => URL.revokeObjectURL(href), 1_000)
}

/**
 * @param {string} title
 * @param {...import('./dom.js').Child} text
 */
const note = (title, ...text) => el('p', {}, el('b', {}, title), ...text)

/** Shown when only callers may read the document and the caller is not authenticated yet. */
export const gate = () =>
  el(
    'article',
    { class: 'gate' },
    el('h1', {}, 'Who is calling?'),
    Object.keys(access.headers).length === 0
      ? el('p', { class: 'faint' }, 'The description of this interface is shown to its callers.')
      : el(
          'p',
          { class: 'advice' },
          'No caller has this key or token. Check it for a typing mistake, and check that the key was not revoked.',
        ),
    accessForm(),
  )

/**
 * Shown where the document could not be had for another reason.
 * @param {number} status
 * @param {unknown} json
 */
export const trouble = (status, json) =>
  el(
    'article',
    { class: 'gate' },
    el('h1', {}, 'The document did not come'),
    adviceOf(json) ??
      el(
        'p',
        {},
        status === 0
          ? 'No answer came. Reload the page to ask again.'
          : `The answer was ${status}. Reload the page to ask again.`,
      ),
  )
