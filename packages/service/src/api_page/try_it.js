// The form beside an operation: fill it in, send it, see what comes back.
import { access } from './access.js'
import { copyButton, el, fill } from './dom.js'
import { bodyEditor, faultIn, filledIn, inputFor } from './inputs.js'
import { answerView, silenceView } from './reply_view.js'
import { curlOf, requestOf } from './request.js'
import { groupAnswered, idsIn } from './schema.js'

/**
 * @typedef {import('./schema.js').Operation} Operation
 * @typedef {import('./page.js').Shown} Shown
 */

/**
 * @param {Shown} shown
 * @param {Operation} operation
 */
export function tryIt(shown, operation) {
  const { base, document } = shown
  const inputs = operation.parameters.map((parameter) => inputFor(shown, operation, parameter))
  const body = operation.body && bodyEditor(shown, operation)
  const curl = el('pre', { class: 'code curl', tabindex: '0' })
  const outcome = el('div', { class: 'outcome', 'aria-live': 'polite' })
  const request = () =>
    requestOf(operation, filledIn(inputs, body?.area), { base, headers: access.headers })
  const line = () => curlOf(request(), !operation.open)
  const update = () => {
    curl.textContent = line()
  }
  access.addEventListener('change', update)
  // An id seen elsewhere since: filled in whenever the form comes up.
  shown.onShow(operation, () => {
    for (const { fresh } of inputs) fresh?.()
    update()
  })
  const is_real = document['x-environment'] === 'production' && operation.method !== 'GET'
  const send = el('button', { type: 'submit', class: 'primary' }, 'Send')
  const form = el(
    'form',
    { class: 'try', oninput: update, onclick: update },
    el('h2', {}, 'Try it'),
    is_real && el('p', { class: 'warning' }, 'This is production: what you send is real.'),
    ...inputs.map(({ row }) => row),
    body?.row,
    el('div', { class: 'send' }, send, el('span', { class: 'faint' }, 'or Ctrl+Enter')),
    el(
      'div',
      { class: 'curl-line' },
      el('span', { class: 'faint' }, 'In a shell'),
      copyButton(line, curl),
    ),
    curl,
    outcome,
  )
  onSend(form, send, async () => {
    fill(outcome, el('p', { class: 'faint' }, 'Waiting…'))
    fill(outcome, await perform(shown, operation, request()))
    outcome.scrollIntoView({ block: 'nearest' })
  })
  return form
}

/**
 * By the button or by Ctrl+Enter, and one at a time.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} send
 */
function onSend(form, button, send) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (button.disabled) return
    button.disabled = true
    void send().finally(() => {
      button.disabled = false
    })
  })
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.requestSubmit(button)
  })
}

/**
 * @param {Shown} shown
 * @param {Operation} operation
 * @param {import('./request.js').ApiRequest} request
 */
async function perform(shown, operation, { method, url, headers, body }) {
  const began = performance.now()
  try {
    const init = { method, headers, redirect: /** @type {const} */ ('manual') }
    const reply = await fetch(url, body === undefined ? init : { ...init, body })
    const text = await reply.text()
    const json = faultIn(text) === '' ? /** @type {unknown} */ (JSON.parse(text)) : undefined
    const answer = {
      status: reply.status,
      status_text: reply.statusText,
      headers: [...reply.headers],
      text,
      json,
      duration_ms: Math.round(performance.now() - began),
    }
    return answerView(answer, reply.ok && nextSteps(shown, operation, json))
  } catch (error) {
    return silenceView(error)
  }
}

/**
 * What can be done with the object that came back. Its id is filled in there.
 * @param {Shown} shown
 * @param {Operation} operation
 * @param {unknown} json
 */
function nextSteps({ operations, seen }, operation, json) {
  const group = groupAnswered(operations, operation) ?? operation.group
  const ids = idsIn(json)
  if (ids.length === 0) return null
  seen.set(group, [...new Set([...ids, ...(seen.get(group) ?? [])])].slice(0, 20))
  const steps = operations.filter(
    (one) => one !== operation && one.path.startsWith(`/${group}/{pk}/`),
  )
  if (steps.length === 0) return null
  return el(
    'p',
    { class: 'next' },
    'With this one: ',
    ...steps.map(({ id, summary }) => el('a', { href: `#/${id}`, title: summary }, id)),
  )
}
