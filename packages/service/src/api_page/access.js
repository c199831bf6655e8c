// Who is trying: a key, or whatever headers the host's own authentication reads. A session of the
// host needs neither, because its cookies go along. It stays in this tab.
import { el, fill } from './dom.js'
import { headersIn } from './request.js'

const KEPT = 'gapura_docs_access'

/** @typedef {{ key: string, more: string }} Given */

/** Emits `change` when the entered credentials change. */
class Access extends EventTarget {
  /** @type {Given} */
  #given = kept() ?? { key: '', more: '' }

  get given() {
    return this.#given
  }

  /** @returns {Record<string, string>} */
  get headers() {
    const { key, more } = this.#given
    return { ...(key !== '' && { authorization: `Bearer ${key}` }), ...headersIn(more) }
  }

  /** Enough of the key to know it again. */
  get label() {
    const { key, more } = this.#given
    if (key !== '') return `Key ${key.slice(0, 4)}…${key.slice(-4)}`
    return more.trim() === '' ? 'Enter a key' : 'Own headers'
  }

  /**
   * @param {Given} given
   * @param {boolean} keep
   */
  enter(given, keep) {
    this.#given = given
    if (keep) sessionStorage.setItem(KEPT, JSON.stringify(given))
    else sessionStorage.removeItem(KEPT)
    this.dispatchEvent(new Event('change'))
  }
}

/** @returns {Given | undefined} */
function kept() {
  /** @type {unknown} */
  const value = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null')
  if (typeof value !== 'object' || value === null || !('key' in value && 'more' in value)) return
  return { key: String(value.key), more: String(value.more) }
}

export const access = new Access()

/**
 * The form to enter it in.
 * @param {() => void} [done]
 */
export function accessForm(done) {
  const key = el('input', {
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'gpk_… or a JWT',
    'aria-label': 'API key or token',
  })
  const more = el('textarea', { rows: 2, placeholder: 'X-Name: value', spellcheck: 'false' })
  const keep = el('input', { type: 'checkbox' })
  key.value = access.given.key
  more.value = access.given.more
  keep.checked = sessionStorage.getItem(KEPT) !== null
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault()
    access.enter({ key: key.value.trim(), more: more.value }, keep.checked)
    done?.()
  }
  return el(
    'form',
    { class: 'access', onsubmit: enter },
    el('label', {}, 'API key or token', key),
    el(
      'details',
      { open: access.given.more !== '' },
      el('summary', {}, 'Other headers'),
      el('p', { class: 'faint' }, 'For a host that knows its callers in its own way. One a line.'),
      more,
    ),
    el('label', { class: 'row' }, keep, 'Keep it until this tab is closed'),
    el('button', { type: 'submit', class: 'primary' }, 'Use it'),
  )
}

/** The same in a window of its own, from anywhere on the page. */
export function askForAccess() {
  const dialog = el('dialog', { 'aria-label': 'Who is calling', onclose: () => dialog.remove() })
  fill(
    dialog,
    el('h2', {}, 'Who is calling?'),
    el('p', { class: 'faint' }, 'Sent only with the requests that you make on this page.'),
    accessForm(() => dialog.close()),
  )
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  document.body.append(dialog)
  dialog.showModal()
}
