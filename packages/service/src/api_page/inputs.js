// What a request is filled in with: one input for each parameter, an editor for the body.
import { el, fill } from './dom.js'
import { exampleOf, resolved, wordsOf } from './schema.js'

/**
 * @typedef {import('./schema.js').Operation} Operation
 * @typedef {import('./schema.js').Parameter} Parameter
 * @typedef {import('./page.js').Shown} Shown
 * @typedef {HTMLInputElement | HTMLSelectElement} Input
 */

/**
 * @param {Shown} shown
 * @param {Operation} operation
 * @param {Parameter} parameter
 * @returns {{ parameter: Parameter, input: Input, row: HTMLElement, fresh?: () => void }}
 */
export function inputFor(shown, operation, parameter) {
  const { name, schema = {}, required = false } = parameter
  const words = wordsOf(schema)
  if (words.length > 0) {
    const input = el(
      'select',
      {},
      el('option', { value: '' }, 'any'),
      ...words.map((word) => el('option', {}, word)),
    )
    return { parameter, input, row: el('label', {}, name, input) }
  }
  const list = `ids_of_${operation.id}`
  const input = el('input', {
    type: 'text',
    spellcheck: 'false',
    autocomplete: 'off',
    required,
    ...(parameter.in === 'path' && { list }),
  })
  if (name === 'Idempotency-Key') return keyInput(parameter, input)
  if (parameter.in !== 'path') return { parameter, input, row: el('label', {}, name, input) }
  const choices = el('datalist', { id: list })
  const fresh = () => {
    const ids = shown.seen.get(operation.group) ?? []
    fill(choices, ...ids.map((id) => el('option', { value: id })))
    if (input.value === '') input.value = ids[0] ?? ''
  }
  return { parameter, input, row: el('label', {}, `${name} in the path`, input, choices), fresh }
}

/**
 * Filled from the start: a charge sent twice by mistake is then one charge.
 * @param {Parameter} parameter
 * @param {HTMLInputElement} input
 */
function keyInput(parameter, input) {
  const renew = () => {
    // randomUUID is missing where the page came over plain http.
    input.value = [...crypto.getRandomValues(new Uint8Array(16))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
  }
  renew()
  const button = el('button', { type: 'button', class: 'quiet small', onclick: renew }, 'New')
  return {
    parameter,
    input,
    row: el('label', {}, parameter.name, el('span', { class: 'row' }, input, button)),
  }
}

/**
 * @param {Shown} shown
 * @param {Operation} operation
 */
export function bodyEditor({ document }, { body, body_required }) {
  const area = el('textarea', { rows: 6, class: 'code', spellcheck: 'false', 'aria-label': 'Body' })
  const fault = el('span', { class: 'fault' })
  const check = () => {
    fault.textContent =
      area.value.trim() === '' ? (body_required ? 'a body is needed' : '') : faultIn(area.value)
  }
  const examples = Object.entries(body?.examples ?? {})
  /** @param {unknown} value */
  const put = (value) => {
    area.value = JSON.stringify(value, null, 2)
    check()
  }
  const schema = resolved(document, body?.schema ?? {})
  const first = examples[0]?.[1].value ?? exampleOf(document, schema)
  put(first)
  const select = el(
    'select',
    { 'aria-label': 'Example', oninput: () => put(body?.examples?.[select.value]?.value ?? first) },
    ...examples.map(([name, { summary = name }]) => el('option', { value: name }, summary)),
  )
  area.addEventListener('input', check)
  const heading = el(
    'span',
    { class: 'row' },
    'Body',
    fault,
    el('span', { class: 'gap' }),
    examples.length > 0 && select,
  )
  return { area, row: el('div', { class: 'body' }, heading, area) }
}

/**
 * @param {{ parameter: Parameter, input: Input }[]} inputs
 * @param {HTMLTextAreaElement | undefined} area
 * @returns {import('./request.js').Filled}
 */
export function filledIn(inputs, area) {
  const of = (/** @type {string} */ place) =>
    Object.fromEntries(
      inputs
        .filter(({ parameter }) => parameter.in === place)
        .map(({ parameter, input }) => [parameter.name, input.value.trim()]),
    )
  return { path: of('path'), query: of('query'), headers: of('header'), body: area?.value ?? '' }
}

/**
 * What is wrong with a text as JSON, or nothing.
 * @param {string} text
 */
export function faultIn(text) {
  try {
    JSON.parse(text)
    return ''
  } catch {
    return 'this is no JSON yet'
  }
}
