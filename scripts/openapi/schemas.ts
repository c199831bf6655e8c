// Checks that every value of one schema is a value of another, for the part of JSON Schema that our
// document uses. Requests must accept all former values; answers must stay as clients expect.
import { isDeepStrictEqual } from 'node:util'

export interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  items?: Schema
  [limit: string]: unknown
}

export type Schemas = Readonly<Record<string, Schema>>

/** One side of a comparison: a schema, and the document of its references. */
export interface Side {
  schema: Schema
  schemas: Schemas
}

export interface Comparison {
  /** A value of this one… */
  narrow: Side
  /** …must be a value of this one. */
  wide: Side
  /** `answer`: clients ignore unknown fields and values (ADR 0023). */
  of: 'request' | 'answer'
}

/** Smaller is narrower; an absent keyword allows any value. */
const MAXIMA = ['maxLength', 'maximum', 'maxItems', 'maxProperties']
/** Greater is narrower. */
const MINIMA = ['minLength', 'minimum', 'minItems', 'minProperties']
/** Comparable only with themselves. */
const SHAPES = ['pattern', 'format', 'multipleOf', 'uniqueItems']

/** Keywords that describe a value and do not restrict it. */
const REMARKS = ['title', 'description', 'default', 'examples', 'example', 'deprecated']
const STRUCTURE = ['$ref', 'type', 'enum', 'const', 'anyOf', 'properties', 'patternProperties']
/** Rules between fields, which the service checks by code and older documents did not state. */
const RULES = ['allOf']
const REST = ['additionalProperties', 'required', 'items']
const KNOWN = new Set([
  ...MAXIMA,
  ...MINIMA,
  ...SHAPES,
  ...REMARKS,
  ...STRUCTURE,
  ...RULES,
  ...REST,
])

const DEPTH_MAX = 30

/** Every difference with its path; empty if there is none. */
export function misfits(comparison: Comparison, at = '', depth = 0): string[] {
  // A schema that contains itself is already being compared.
  if (depth > DEPTH_MAX) return []
  const { narrow, wide, of } = comparison
  if (sameReference(narrow, wide) && narrow.schemas === wide.schemas) return []
  const narrows = branches(narrow)
  const wides = branches(wide)
  const [only] = wides
  if (
    narrows.length === 1 &&
    wides.length === 1 &&
    narrows[0] !== undefined &&
    only !== undefined
  ) {
    return plainMisfits({ narrow: narrows[0], wide: only, of }, at, depth)
  }
  return narrows.flatMap((branch) => {
    const fits = wides.some(
      (one) => plainMisfits({ narrow: branch, wide: one, of }, at, depth).length === 0,
    )
    return fits ? [] : [said(at, `${nameOf(branch.schema)} is not among the alternatives`)]
  })
}

const sameReference = (one: Side, other: Side): boolean =>
  one.schema.$ref !== undefined && one.schema.$ref === other.schema.$ref

function branches({ schema, schemas }: Side): Side[] {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return branches({ schema: schemas[name] ?? {}, schemas })
  if (schema.anyOf === undefined) return [{ schema, schemas }]
  return schema.anyOf.flatMap((one) => branches({ schema: one, schemas }))
}

const said = (at: string, what: string): string => (at === '' ? what : `${at}: ${what}`)
const nameOf = (schema: Schema): string =>
  schema.type ?? (schema.enum ? schema.enum.join(' | ') : JSON.stringify(schema))

function plainMisfits(comparison: Comparison, at: string, depth: number): string[] {
  const { narrow, wide, of } = comparison
  // An unknown keyword is an error, because it could hide a breaking change.
  const strange = [...Object.keys(narrow.schema), ...Object.keys(wide.schema)].find(
    (keyword) => !KNOWN.has(keyword),
  )
  if (strange !== undefined) return [said(at, `${strange} is not covered by scripts/openapi`)]
  const types = typeMisfit(narrow.schema, wide.schema)
  if (types !== undefined) return [said(at, types)]
  return [
    ...wordMisfits(narrow.schema, wide.schema, of),
    ...limitMisfits(narrow.schema, wide.schema),
    ...ruleMisfits(narrow.schema, wide.schema),
  ]
    .map((what) => said(at, what))
    .concat(fieldMisfits(comparison, at, depth), itemMisfits(comparison, at, depth))
}

function typeMisfit(narrow: Schema, wide: Schema): string | undefined {
  const accepted = typesOf(wide)
  if (accepted === undefined) return undefined
  const given = typesOf(narrow)
  if (given === undefined) return `anything is not ${[...accepted].join(' or ')}`
  const ok = (type: string): boolean =>
    accepted.has(type) || (type === 'integer' && accepted.has('number'))
  const odd = [...given].filter((type) => !ok(type))
  return odd.length === 0 ? undefined : `${odd.join(', ')} is not ${[...accepted].join(' or ')}`
}

/** Undefined if any type is allowed. */
function typesOf(schema: Schema): Set<string> | undefined {
  if (schema.type !== undefined) return new Set([schema.type])
  const values = valuesOf(schema)
  return values && new Set(values.map((value) => (value === null ? 'null' : typeof value)))
}

const valuesOf = (schema: Schema): unknown[] | undefined =>
  'const' in schema ? [schema.const] : schema.enum

function wordMisfits(narrow: Schema, wide: Schema, of: Comparison['of']): string[] {
  const accepted = valuesOf(wide)
  if (accepted === undefined) return []
  const given = valuesOf(narrow)
  if (given === undefined) return ['a list of values against any value']
  if (of === 'answer') return []
  const odd = given.filter((value) => !accepted.includes(value))
  return odd.length === 0 ? [] : [`${odd.map(String).join(', ')} is not among the words`]
}

function limitMisfits(narrow: Schema, wide: Schema): string[] {
  const tighter = (name: string, sign: 1 | -1): string[] => {
    const bound = wide[name]
    if (typeof bound !== 'number') return []
    const given = narrow[name]
    if (typeof given !== 'number') return [`${name} none is beyond ${bound}`]
    return sign * given <= sign * bound ? [] : [`${name} ${given} is beyond ${bound}`]
  }
  const shapes = [...SHAPES, 'patternProperties'].filter(
    (name) => wide[name] !== undefined && !isDeepStrictEqual(wide[name], narrow[name]),
  )
  // A list of values needs no further limits.
  if (valuesOf(narrow) !== undefined) return []
  return [
    ...MAXIMA.flatMap((name) => tighter(name, 1)),
    ...MINIMA.flatMap((name) => tighter(name, -1)),
    ...shapes.map(
      (name) => `${name} ${JSON.stringify(narrow[name])} is not ${JSON.stringify(wide[name])}`,
    ),
  ]
}

/** A rule that was stated must not become stricter; a first statement of the rules is no change. */
function ruleMisfits(narrow: Schema, wide: Schema): string[] {
  if (!Array.isArray(narrow['allOf']) || !Array.isArray(wide['allOf'])) return []
  const known: unknown[] = narrow['allOf']
  return wide['allOf']
    .filter((rule) => !known.some((one) => isDeepStrictEqual(one, rule)))
    .map((rule) => `the rule ${JSON.stringify(rule)} is new or has changed`)
}

function fieldMisfits({ narrow, wide, of }: Comparison, at: string, depth: number): string[] {
  const given = narrow.schema.properties ?? {}
  const accepted = wide.schema.properties ?? {}
  const path = (name: string): string => (at === '' ? name : `${at}.${name}`)
  const always = narrow.schema.required ?? []
  const missing = (wide.schema.required ?? []).filter((name) => !always.includes(name))
  const closed = of === 'request' && wide.schema.additionalProperties === false
  const unknown = closed ? Object.keys(given).filter((name) => !(name in accepted)) : []
  const gone = of === 'answer' ? Object.keys(accepted).filter((name) => !(name in given)) : []
  const lost = gone.filter((name) => !missing.includes(name))
  const shared = Object.entries(given).flatMap(([name, schema]) => {
    const other = accepted[name]
    if (other === undefined) return []
    const sides = { narrow: { ...narrow, schema }, wide: { ...wide, schema: other }, of }
    return misfits(sides, path(name), depth + 1)
  })
  const opened =
    closed && isOpen(narrow.schema) ? [said(at, 'further fields are no longer accepted')] : []
  return [
    ...missing.map((name) =>
      said(path(name), of === 'request' ? 'is required now' : 'is no longer always present'),
    ),
    ...unknown.map((name) => said(path(name), 'is not taken any more')),
    ...lost.map((name) => said(path(name), 'is not there any more')),
    ...opened,
    ...shared,
  ]
}

const isOpen = ({ type, properties, additionalProperties }: Schema): boolean =>
  (type === 'object' || properties !== undefined) && additionalProperties !== false

function itemMisfits({ narrow, wide, of }: Comparison, at: string, depth: number): string[] {
  const { items } = wide.schema
  if (items === undefined) return []
  const sides = {
    narrow: { ...narrow, schema: narrow.schema.items ?? {} },
    wide: { ...wide, schema: items },
    of,
  }
  return misfits(sides, `${at}[]`, depth + 1)
}
