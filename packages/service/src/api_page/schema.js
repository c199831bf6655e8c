// The interface document, read: its operations, and what its schemas say in few words. Nothing here
// touches the page, so it is tested without one.

/**
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string} [type]
 * @property {unknown[]} [enum]
 * @property {unknown} [const]
 * @property {Schema[]} [anyOf]
 * @property {{ if: Schema, then: Schema }[]} [allOf] What one value of a field asks of the others.
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {Schema} [items]
 * @property {string} [format]
 * @property {string} [pattern]
 * @property {string} [description]
 * @property {unknown} [default]
 * @property {unknown[]} [examples]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [maxItems]
 *
 * @typedef {{ schema?: Schema, examples?: Record<string, { summary?: string, value: unknown }> }} Media
 * @typedef {{ description?: string, content?: Record<string, Media> }} Reply
 * @typedef {{ name: string, in: string, required?: boolean, description?: string, schema?: Schema }} Parameter
 *
 * @typedef {object} Described
 * @property {string} [operationId]
 * @property {string} [summary]
 * @property {string} [description]
 * @property {Record<string, string[]>[]} [security]
 * @property {Parameter[]} [parameters]
 * @property {{ required?: boolean, content?: Record<string, Media> }} [requestBody]
 * @property {Record<string, Reply>} [responses]
 *
 * @typedef {object} ApiDocument
 * @property {{ title: string, version: string, description?: string }} info
 * @property {Record<string, Record<string, Described>>} paths
 * @property {{ schemas?: Record<string, Schema> }} [components]
 * @property {string} [x-environment]
 *
 * @typedef {object} Operation
 * @property {string} id
 * @property {string} method
 * @property {string} path
 * @property {string} group The first segment of its path.
 * @property {string} summary
 * @property {boolean} open Whether it needs no caller.
 * @property {string[]} scopes
 * @property {Parameter[]} parameters
 * @property {Media | undefined} body
 * @property {boolean} body_required
 * @property {Record<string, Reply>} replies
 */

const JSON_TYPE = 'application/json'
const DEPTH_MAX = 8

/**
 * Every operation, in the order of the document.
 * @param {ApiDocument} document
 * @returns {Operation[]}
 */
export const operationsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: described.operationId ?? `${method} ${path}`,
      method: method.toUpperCase(),
      path,
      group: path.split('/')[1] ?? '',
      summary: described.summary ?? '',
      open: (described.security ?? []).length === 0,
      scopes: (described.security ?? []).flatMap((one) => Object.values(one).flat()),
      parameters: described.parameters ?? [],
      body: described.requestBody?.content?.[JSON_TYPE],
      body_required: described.requestBody?.required === true,
      replies: described.responses ?? {},
    })),
  )

/**
 * The schema of what an operation answers when it succeeds.
 * @param {Operation} operation
 * @returns {Schema | undefined}
 */
export function successOf({ replies }) {
  const status = Object.keys(replies).find((one) => one.startsWith('2'))
  return status === undefined ? undefined : replies[status]?.content?.[JSON_TYPE]?.schema
}

/** @param {Schema | undefined} schema */
export const nameOf = (schema) => schema?.$ref?.split('/').at(-1)

/**
 * The schema a reference leads to.
 * @param {ApiDocument} document
 * @param {Schema} schema
 * @returns {Schema}
 */
export const resolved = (document, schema) =>
  document.components?.schemas?.[nameOf(schema) ?? ''] ?? schema

/**
 * A type in few words: `Payment`, `text or null`, `list of Refund`.
 * @param {Schema} schema
 * @returns {string}
 */
export function typeOf(schema) {
  const name = nameOf(schema)
  if (name !== undefined) return name
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.enum) return 'one of'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  if (schema.type === 'string') return schema.format ?? 'text'
  return schema.type ?? 'anything'
}

/**
 * The words an enumeration allows, also one inside an alternative.
 * @param {Schema} schema
 * @returns {string[]}
 */
export const wordsOf = (schema) => schema.enum?.map(String) ?? (schema.anyOf ?? []).flatMap(wordsOf)

/**
 * What a value must keep to, in few words.
 * @param {Schema} schema
 * @returns {string[]}
 */
export function limitsOf(schema) {
  const { minLength, maxLength, minimum, maximum, maxItems, pattern } = schema
  const limits = (schema.anyOf ?? []).flatMap(limitsOf)
  if (maxLength !== undefined) limits.push(`${minLength ?? 0}–${maxLength} characters`)
  if (minimum !== undefined) limits.push(`at least ${minimum}`)
  if (maximum !== undefined) limits.push(`at most ${maximum}`)
  if (maxItems !== undefined) limits.push(`at most ${maxItems}`)
  if (pattern !== undefined) limits.push(pattern)
  return limits
}

/** @type {Record<string, string>} */
const BY_FORMAT = {
  uuid: '00000000-0000-0000-0000-000000000000',
  'date-time': '2030-01-31T09:00:00+07:00',
  date: '2030-01-31',
  email: 'ani@example.com',
  uri: 'https://shop.example/thanks',
}

/**
 * A value of the schema with the required fields only, for bodies without a written example.
 * @param {ApiDocument} document
 * @param {Schema} given
 * @returns {unknown}
 */
export function exampleOf(document, given, name = '', depth = 0) {
  const schema = resolved(document, given)
  if (schema.examples?.length) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const first = schema.anyOf?.[0]
  if (first) return exampleOf(document, first, name, depth)
  if (schema.type === 'object' || schema.properties) {
    if (depth >= DEPTH_MAX) return {}
    /** @type {Record<string, unknown>} */
    const example = {}
    /** @param {string[]} fields */
    const fill = (fields) => {
      for (const field of fields) {
        example[field] = exampleOf(document, schema.properties?.[field] ?? {}, field, depth + 1)
      }
    }
    fill(schema.required ?? [])
    fill(requiredFor(schema, example))
    return example
  }
  if (schema.type === 'array') {
    return depth >= DEPTH_MAX ? [] : [exampleOf(document, schema.items ?? {}, name, depth + 1)]
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    return /amount|price/.test(name) ? 44_000 : (schema.minimum ?? 1)
  }
  if (schema.type === 'boolean') return false
  if (schema.type === 'string') return textFor(schema, name)
  return null
}

/**
 * The fields that the values of an example ask for besides.
 * @param {Schema} schema
 * @param {Record<string, unknown>} example
 */
const requiredFor = ({ allOf = [] }, example) =>
  allOf
    .filter((rule) =>
      Object.entries(rule.if.properties ?? {}).every(
        ([field, { const: value }]) => example[field] === value,
      ),
    )
    .flatMap((rule) => rule.then.required ?? [])

/**
 * @param {Schema} schema
 * @param {string} name
 */
function textFor({ format, maxLength }, name) {
  const known =
    BY_FORMAT[format ?? ''] ?? (/(?:^|_)email$/.test(name) ? BY_FORMAT['email'] : undefined)
  return (known ?? (name === '' ? 'text' : name.replaceAll('_', ' '))).slice(0, maxLength)
}

/**
 * Which group's objects an operation answers with: a charge answers with a payment, and payments
 * are read at `/payments/{pk}/`. So the id of one can be filled in where the other asks for it.
 * @param {Operation[]} operations
 * @param {Operation} operation
 * @returns {string | undefined}
 */
export function groupAnswered(operations, operation) {
  const name = nameOf(successOf(operation))
  const reader = operations.find(
    (one) =>
      one.method === 'GET' && one.path === `/${one.group}/{pk}/` && nameOf(successOf(one)) === name,
  )
  return name === undefined ? undefined : reader?.group
}

/**
 * The ids in an answer: its own, or those of the page of a list.
 * @param {unknown} answer
 * @returns {string[]}
 */
export function idsIn(answer) {
  if (typeof answer !== 'object' || answer === null) return []
  if ('id' in answer && typeof answer.id === 'string') return [answer.id]
  return 'results' in answer && Array.isArray(answer.results) ? answer.results.flatMap(idsIn) : []
}
