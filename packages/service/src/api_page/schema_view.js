import { el, prose } from './dom.js'
import { limitsOf, resolved, typeOf, wordsOf } from './schema.js'

/**
 * @typedef {import('./schema.js').ApiDocument} ApiDocument
 * @typedef {import('./schema.js').Schema} Schema
 */

const DEPTH_MAX = 6

/**
 * The fields of an object, those inside others folded away.
 * @param {ApiDocument} document
 * @param {Schema} schema
 * @returns {HTMLElement}
 */
export function fieldsView(document, schema, depth = 0) {
  const { properties = {}, required = [] } = resolved(document, schema)
  const rows = Object.entries(properties).map(([name, member]) =>
    fieldView(document, { name, schema: member, required: required.includes(name) }, depth),
  )
  return el('div', { class: 'fields' }, ...rows)
}

/**
 * @param {ApiDocument} document
 * @param {{ name: string, schema: Schema, required: boolean, description?: string }} field
 */
export function fieldView(document, { name, schema, required, description }, depth = 0) {
  const words = wordsOf(schema)
  const about = description ?? schema.description
  const inner = depth < DEPTH_MAX ? objectInside(document, schema) : undefined
  return el(
    'div',
    { class: 'field' },
    el(
      'div',
      { class: 'field-line' },
      el('code', { class: 'name' }, name),
      el('span', { class: 'type' }, typeOf(schema)),
      required && el('span', { class: 'must' }, 'required'),
      ...limitsOf(schema).map((limit) => el('span', { class: 'limit' }, limit)),
    ),
    about && el('p', {}, ...prose(about)),
    words.length > 0 && el('p', { class: 'words' }, ...words.map((word) => el('code', {}, word))),
    inner &&
      el(
        'details',
        {},
        el('summary', {}, `Fields of ${name}`),
        fieldsView(document, inner, depth + 1),
      ),
  )
}

/**
 * The object behind a field: itself, in a list, or among alternatives.
 * @param {ApiDocument} document
 * @param {Schema} given
 * @returns {Schema | undefined}
 */
function objectInside(document, given) {
  const schema = resolved(document, given)
  if (Object.keys(schema.properties ?? {}).length > 0) return schema
  if (schema.items) return objectInside(document, schema.items)
  return (schema.anyOf ?? []).map((one) => objectInside(document, one)).find((one) => one)
}
