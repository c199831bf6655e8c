// Requests made from our own OpenAPI document: valid ones, and every way to be invalid.
import { openApiDocument } from '../../packages/service/src/main/routes.ts'
import type { Random } from '../bench/random.ts'

export interface Schema {
  type?: string
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
  format?: string
  $ref?: string
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}

export interface Operation {
  name: string
  method: string
  path: string
  parameters: readonly Parameter[]
  body: Schema | null
  body_required: boolean
  examples: readonly object[]
}

interface DocumentOperation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: {
    required?: boolean
    content: Record<string, { schema: Schema; examples?: Record<string, { value: object }> }>
  }
}

interface Document {
  paths: Record<string, Record<string, DocumentOperation>>
  components: { schemas: Record<string, Schema> }
}

const DOCUMENT = openApiDocument('0') as unknown as Document

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined
    ? schema
    : (DOCUMENT.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})

/** Every operation of the document; a new route is covered without a change here. */
export const OPERATIONS: readonly Operation[] = Object.entries(DOCUMENT.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const content = operation.requestBody?.content['application/json']
      return {
        name: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
        body: content === undefined ? null : resolved(content.schema),
        body_required: operation.requestBody?.required ?? false,
        examples: Object.values(content?.examples ?? {}).map(({ value }) => value),
      }
    }),
)

/** A place in a body: its path from the top, and its schema. */
export interface Place {
  path: readonly string[]
  schema: Schema
}

export function placesOf(schema: Schema, path: readonly string[] = []): Place[] {
  const { properties = {}, items } = schema
  return [
    { path, schema },
    ...Object.entries(properties).flatMap(([name, inner]) =>
      placesOf(resolved(inner), [...path, name]),
    ),
    ...(items === undefined ? [] : placesOf(resolved(items), [...path, '0'])),
  ]
}

export interface Broken {
  value: unknown
  why: string
}

const WORDS = ['nonsense', 'SETTLEMENT ', 'qris\u200b', '٣', "' or 1=1 --", '0', 'null']

/** Values that the schema does not allow, each with what is wrong. Empty where all are allowed. */
export function breaksOf(schema: Schema, random: Random): Broken[] {
  const { anyOf } = schema
  if (anyOf !== undefined) return misfits(anyOf.map(typeOf))
  if (schema.enum !== undefined) return enumBreaks(schema.enum, random)
  const type = typeOf(schema)
  return type === undefined ? [] : [...misfits([type]), ...boundBreaks(schema, random)]
}

const typeOf = ({ type }: Schema): string | undefined => type

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  string: ['text', ''],
  number: [1.5, -1],
  integer: [7],
  boolean: [true, false],
  array: [[], [[]]],
  object: [{}, { a: 1 }],
  null: [null],
}

/** A value of every type but the allowed ones. A whole number is a number too. */
function misfits(allowed: readonly (string | undefined)[]): Broken[] {
  const taken = new Set(allowed)
  if (taken.has('number')) taken.add('integer')
  return Object.entries(VALUES)
    .filter(([type]) => !taken.has(type))
    .flatMap(([type, values]) => values.map((value) => ({ value, why: `${type} of another type` })))
}

function enumBreaks(values: readonly unknown[], random: Random): Broken[] {
  const word = String(random.pick(values))
  const texts = [...WORDS, word.toUpperCase(), `${word} `, ` ${word}`, `${word}\n`, '']
  return [...texts, 1, null, true, [word], { is: word }]
    .filter((value) => !values.includes(value))
    .map((value) => ({ value, why: 'not of the enumeration' }))
}

function boundBreaks(schema: Schema, random: Random): Broken[] {
  const { minLength, maxLength, pattern, minimum, maximum, minItems, maxItems } = schema
  const found: Broken[] = []
  const add = (value: unknown, why: string): void => void found.push({ value, why })
  if (maxLength !== undefined) {
    add('x'.repeat(maxLength + 1), 'too long')
    add('é'.repeat(maxLength + 1 + Math.floor(random.between(0, 2_000))), 'too long')
  }
  if (minLength !== undefined && minLength > 0) add('', 'too short')
  if (pattern !== undefined)
    for (const text of ['', '\n', '!', '１２']) add(text, 'not the pattern')
  if (minimum !== undefined) add(minimum - 1, 'too small')
  if (maximum !== undefined) add(maximum + 1, 'too large')
  if (schema.type === 'integer') add(1.5, 'not whole')
  if (minItems !== undefined && minItems > 0) add([], 'too few')
  if (maxItems !== undefined) add(Array<unknown>(maxItems + 1).fill(0), 'too many')
  if (schema.additionalProperties === false)
    add({ [random.pick(['id', 'owner_id', 'is_paid', 'nope'])]: 1 }, 'an unknown field')
  return found.filter(({ value }) => !fitsPattern(pattern, value))
}

const fitsPattern = (pattern: string | undefined, value: unknown): boolean =>
  pattern !== undefined && typeof value === 'string' && new RegExp(pattern, 'u').test(value)

type Body = Record<string, unknown>

/** A copy of the body with another value at the place; missing objects on the path are made. */
export function withAt(body: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (/^\d+$/.test(name)) {
    const list = Array.isArray(body) ? [...(body as unknown[])] : []
    list[Number(name)] = withAt(list[Number(name)], rest, value)
    return list
  }
  const object = typeof body === 'object' && body !== null ? (body as Body) : {}
  return { ...object, [name]: withAt(object[name], rest, value) }
}

export function without(body: object, name: string): object {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))
}
