import { copyButton, el, prose } from './dom.js'

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {string} status_text
 * @property {[string, string][]} headers
 * @property {string} text
 * @property {unknown} json Undefined if the text is none.
 * @property {number} duration_ms
 */

/**
 * What came back: status, time, body and headers.
 * @param {Answer} answer
 * @param {import('./dom.js').Child} [next] What can be done with it.
 */
export function answerView({ status, status_text, headers, text, json, duration_ms }, next) {
  const shown = json === undefined ? text : JSON.stringify(json, null, 2)
  const body = el(
    'pre',
    { class: 'code', tabindex: '0' },
    ...(json === undefined ? [text] : coloured(shown)),
  )
  return el(
    'div',
    { class: 'answer' },
    el(
      'div',
      { class: 'answer-line' },
      el('span', { class: `status s${String(status).charAt(0)}` }, String(status)),
      el('span', {}, status_text),
      el('span', { class: 'gap' }),
      el('span', { class: 'faint' }, `${duration_ms} ms · ${size(text)}`),
      copyButton(() => shown, body),
    ),
    adviceOf(json),
    next,
    text !== '' && body,
    el(
      'details',
      {},
      el('summary', {}, `${headers.length} headers`),
      el(
        'dl',
        { class: 'headers' },
        ...headers.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]),
      ),
    ),
  )
}

/**
 * A request that got no answer at all.
 * @param {unknown} error
 */
export const silenceView = (error) =>
  el(
    'div',
    { class: 'answer' },
    el(
      'p',
      { class: 'advice' },
      el('b', {}, 'No answer. '),
      `${error instanceof Error ? error.message : 'The request failed.'} Nothing says whether it arrived: `,
      'repeat it with the same Idempotency-Key.',
    ),
  )

/**
 * What a problem says to do next (RFC 9457).
 * @param {unknown} json
 */
export function adviceOf(json) {
  if (typeof json !== 'object' || json === null || !('title' in json && 'detail' in json))
    return null
  const fields = 'errors' in json && Array.isArray(json.errors) ? json.errors : []
  return el(
    'div',
    { class: 'advice' },
    el('b', {}, `${String(json.title)}. `),
    ...prose(String(json.detail)),
    fields.length > 0 &&
      el(
        'ul',
        {},
        ...fields.map((/** @type {{ field?: unknown, message?: unknown }} */ fault) =>
          el('li', {}, el('code', {}, String(fault.field)), ` ${String(fault.message)}`),
        ),
      ),
  )
}

/** @param {string} text */
const size = (text) => {
  const bytes = new TextEncoder().encode(text).length
  return bytes < 1_024 ? `${bytes} B` : `${(bytes / 1_024).toFixed(1)} KiB`
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g

/**
 * Pretty JSON as spans: names, texts, numbers and words.
 * @param {string} text
 */
function coloured(text) {
  /** @type {(Node | string)[]} */
  const parts = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon] = match
    parts.push(text.slice(end, match.index))
    const kind = colon ? 'j-name' : string ? 'j-text' : /\d/.test(whole) ? 'j-number' : 'j-word'
    parts.push(el('span', { class: kind }, string ?? whole), colon ?? '')
    end = match.index + whole.length
  }
  return [...parts, text.slice(end)]
}
