import { el, prose } from './dom.js'
import { nameOf, typeOf } from './schema.js'
import { fieldsView, fieldView } from './schema_view.js'
import { tryIt } from './try_it.js'

/**
 * @typedef {import('./schema.js').Operation} Operation
 * @typedef {import('./page.js').Shown} Shown
 */

/** @param {string} method */
export const methodBadge = (method) =>
  el('span', { class: `method ${method.toLowerCase()}` }, method)

/**
 * A path with its parameters set apart.
 * @param {string} path
 */
export const pathView = (path) =>
  el(
    'code',
    { class: 'path' },
    ...path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? el('em', {}, part) : part)),
  )

/**
 * All about one operation: what it takes and gives, and a place to try it.
 * @param {Shown} shown
 * @param {Operation} operation
 */
export function operationView(shown, operation) {
  const { summary, method, path, scopes, open } = operation
  return el(
    'article',
    { class: 'operation' },
    el(
      'div',
      { class: 'about' },
      el('h1', {}, summary),
      el('p', { class: 'address' }, methodBadge(method), pathView(path)),
      el(
        'p',
        { class: 'faint' },
        ...(open
          ? ['Open to everyone; no key is sent.']
          : ['Needs a caller', ...scopesView(scopes), '.']),
      ),
      ...parametersView(shown, operation),
      ...bodyView(shown, operation),
      el('h2', {}, 'Answers'),
      ...Object.entries(operation.replies).map((reply) => replyView(shown, reply)),
    ),
    tryIt(shown, operation),
  )
}

/** @param {string[]} scopes */
const scopesView = (scopes) =>
  scopes.flatMap((scope, index) => [index === 0 ? ' with ' : ', ', el('code', {}, scope)])

/**
 * @param {Shown} shown
 * @param {Operation} operation
 */
function parametersView({ document }, { parameters }) {
  if (parameters.length === 0) return []
  const fields = parameters.map(({ name, schema = {}, required = false, description, ...rest }) =>
    fieldView(document, {
      name,
      schema,
      required,
      description: description ?? (rest.in === 'path' ? 'In the path.' : ''),
    }),
  )
  return [el('h2', {}, 'Parameters'), el('div', { class: 'fields' }, ...fields)]
}

/**
 * @param {Shown} shown
 * @param {Operation} operation
 */
function bodyView({ document }, { body, body_required }) {
  if (!body?.schema) return []
  return [
    el('h2', {}, 'Body ', el('small', {}, body_required ? 'JSON' : 'JSON, may be left out')),
    fieldsView(document, body.schema),
  ]
}

/**
 * @param {Shown} shown
 * @param {[string, import('./schema.js').Reply]} reply
 */
function replyView({ document }, [status, { description = '', content = {} }]) {
  const schema = Object.values(content)[0]?.schema
  const good = status.startsWith('2')
  const badge = el('span', { class: `status s${status.charAt(0)}` }, status)
  const name = schema === undefined ? '' : (nameOf(schema) ?? typeOf(schema))
  // A failure's body is always the same, so its line says which codes it may carry.
  const line = good ? name : ''
  return el(
    'details',
    { class: 'reply', open: false },
    el('summary', {}, badge, el('span', {}, ...(line ? [line] : prose(description)))),
    schema && fieldsView(document, schema),
  )
}
