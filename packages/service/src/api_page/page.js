// The page: fetches the document, shows the operation the address names, and knows no route itself.
import { access, askForAccess } from './access.js'
import { byId, el, fill } from './dom.js'
import { operationView } from './operation.js'
import { gate, overview, trouble } from './overview.js'
import { operationsOf } from './schema.js'
import { sidebar } from './sidebar.js'

/**
 * @typedef {import('./schema.js').ApiDocument} ApiDocument
 * @typedef {import('./schema.js').Operation} Operation
 *
 * @typedef {object} Shown
 * @property {ApiDocument} document
 * @property {Operation[]} operations
 * @property {string} base Where the routes are, with a slash.
 * @property {Map<string, string[]>} seen Ids of answers, newest first, by group.
 * @property {(operation: Operation, fresh: () => void) => void} onShow
 */

/** This file is at `<prefix>/docs/page.js`, whatever the prefix. */
const BASE = new URL('../', import.meta.url).href
const THEME = 'gapura_docs_theme'
const main = byId('main')

async function start() {
  const reply = await fetch(`${BASE}openapi.json`, { headers: access.headers }).catch(() => null)
  if (reply === null) return fill(main, trouble(0, undefined))
  /** @type {unknown} */
  const json = await reply.json().catch(() => undefined)
  if (reply.ok && isDocument(json)) return show(json)
  fill(main, reply.status === 401 ? gate() : trouble(reply.status, json))
}

/**
 * @param {unknown} json
 * @returns {json is ApiDocument}
 */
const isDocument = (json) => typeof json === 'object' && json !== null && 'paths' in json

let is_shown = false

/** @param {ApiDocument} document */
function show(document) {
  is_shown = true
  const operations = operationsOf(document)
  /** @type {Map<Operation, () => void>} */
  const freshened = new Map()
  /** @type {Shown} */
  const shown = {
    document,
    operations,
    base: BASE,
    seen: new Map(),
    onShow: (operation, fresh) => freshened.set(operation, fresh),
  }
  // Kept once made, so that what was typed and answered is still there on the way back.
  /** @type {Map<Operation | undefined, HTMLElement>} */
  const views = new Map()
  const mark = sidebar(byId('sidebar'), operations)
  const route = () => {
    const id = /^#\/(.*)$/.exec(location.hash)?.[1]
    // The link that skips to the content is no route.
    if (id === undefined && location.hash !== '') return
    const operation = operations.find((one) => one.id === id)
    const view =
      views.get(operation) ?? (operation ? operationView(shown, operation) : overview(shown))
    views.set(operation, view)
    if (operation) freshened.get(operation)?.()
    fill(main, view)
    mark(operation)
    scrollTo(0, 0)
    globalThis.document.title = `${operation?.summary ?? 'Overview'} · ${document.info.title} API`
  }
  const environment = document['x-environment']
  fill(
    byId('chips'),
    el('span', { class: 'chip' }, document.info.version),
    environment !== undefined && el('span', { class: `chip ${environment}` }, environment),
  )
  addEventListener('hashchange', route)
  route()
}

const nameKey = () => {
  byId('key_button').textContent = access.label
}
access.addEventListener('change', () => {
  nameKey()
  if (!is_shown) void start()
})
byId('key_button').addEventListener('click', askForAccess)
nameKey()

const root = document.documentElement
root.dataset['theme'] = localStorage.getItem(THEME) ?? ''
byId('theme_button').addEventListener('click', () => {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  const now = root.dataset['theme'] || (dark ? 'dark' : 'light')
  const next = now === 'dark' ? 'light' : 'dark'
  root.dataset['theme'] = next
  localStorage.setItem(THEME, next)
})

void start()
