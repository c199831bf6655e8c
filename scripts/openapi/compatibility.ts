// What a newer interface document breaks for clients of an older one (ADR 0023). `npm run generate openapi` prints it; test/compatibility fails on it.
import { misfits, type Schema, type Schemas } from './schemas.ts'

interface Media {
  schema?: Schema
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema?: Schema
}

interface Operation {
  operationId?: string
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content?: Record<string, Media> }
  responses?: Record<string, { description?: string; content?: Record<string, Media> }>
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Schemas }
}

export interface Break {
  /** As the changelog names it: `POST /charge/`. */
  where: string
  what: string
}

interface Pair {
  before: Operation
  after: Operation
  schemas: { before: Schemas; after: Schemas }
}

/** Everything that breaks, and nothing that only adds. */
export function breaks(before: ApiDocument, after: ApiDocument): Break[] {
  const schemas = {
    before: before.components?.schemas ?? {},
    after: after.components?.schemas ?? {},
  }
  return operationsOf(before).flatMap(([path, method, operation]) => {
    const where = `${method.toUpperCase()} ${path}`
    const now = after.paths[path]?.[method]
    if (now === undefined) return [{ where, what: 'is gone' }]
    const pair = { before: operation, after: now, schemas }
    return operationBreaks(pair).map((what) => ({ where, what }))
  })
}

/** Operations that were not there before. */
export const additions = (before: ApiDocument, after: ApiDocument): string[] =>
  operationsOf(after)
    .filter(([path, method]) => before.paths[path]?.[method] === undefined)
    .map(([path, method]) => `${method.toUpperCase()} ${path}`)

const operationsOf = ({ paths }: ApiDocument): [string, string, Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      path,
      method,
      operation,
    ]),
  )

function operationBreaks(pair: Pair): string[] {
  const { before, after } = pair
  const renamed = before.operationId !== after.operationId
  // In both directions: opening a route must be as deliberate as closing one.
  const guarded = JSON.stringify(before.security ?? []) !== JSON.stringify(after.security ?? [])
  return [
    ...(renamed ? [`is called ${String(after.operationId)} now`] : []),
    ...(guarded ? ['needs another caller or scope'] : []),
    ...parameterBreaks(pair),
    ...bodyBreaks(pair),
    ...replyBreaks(pair),
  ]
}

function parameterBreaks({ before, after, schemas }: Pair): string[] {
  const old = before.parameters ?? []
  const now = after.parameters ?? []
  const same = (one: Parameter, other: Parameter): boolean =>
    one.name === other.name && one.in === other.in
  const changed = old.flatMap((parameter) => {
    const other = now.find((one) => same(one, parameter))
    const name = `${parameter.in} parameter ${parameter.name}`
    if (other === undefined) return [`${name} is gone`]
    const narrow = { schema: parameter.schema ?? {}, schemas: schemas.before }
    const wide = { schema: other.schema ?? {}, schemas: schemas.after }
    const found = misfits({ narrow, wide, of: 'request' }).map((what) => `${name}: ${what}`)
    const forced = other.required === true && parameter.required !== true
    return forced ? [`${name} is required now`, ...found] : found
  })
  const asked = now.filter((one) => one.required === true && !old.some((each) => same(each, one)))
  return [...changed, ...asked.map(({ name }) => `parameter ${name} is new and required`)]
}

function bodyBreaks({ before, after, schemas }: Pair): string[] {
  const old = before.requestBody
  const now = after.requestBody
  const forced = now?.required === true && old?.required !== true
  const contents = Object.entries(old?.content ?? {}).flatMap(([type, { schema = {} }]) => {
    const other = now?.content?.[type]
    if (other === undefined) return [`a body of ${type} is not taken any more`]
    const narrow = { schema, schemas: schemas.before }
    const wide = { schema: other.schema ?? {}, schemas: schemas.after }
    return misfits({ narrow, wide, of: 'request' }).map((what) => `body ${what}`)
  })
  return forced ? ['a body is required now', ...contents] : contents
}

function replyBreaks(pair: Pair): string[] {
  const { before, after, schemas } = pair
  const found = Object.entries(before.responses ?? {}).flatMap(([status, old]) => {
    const now = after.responses?.[status]
    if (now === undefined) return [`${status} is not answered any more`]
    return Object.entries(old.content ?? {}).flatMap(([type, { schema = {} }]) => {
      const other = now.content?.[type]
      if (other === undefined) return [`${status} is not ${type} any more`]
      const narrow = { schema: other.schema ?? {}, schemas: schemas.after }
      const wide = { schema, schemas: schemas.before }
      return misfits({ narrow, wide, of: 'answer' }).map((what) => `${status} ${what}`)
    })
  })
  return [...found, ...movedCodes(pair)]
}

/** Codes whose status has changed. A code that is no longer used breaks no caller. */
function movedCodes({ before, after }: Pair): string[] {
  const old = codesOf(before)
  const now = codesOf(after)
  return [...old].flatMap(([code, status]) => {
    const other = now.get(code)
    return other === undefined || other === status ? [] : [`${code} is ${other} and not ${status}`]
  })
}

const codesOf = ({ responses = {} }: Operation): Map<string, string> =>
  new Map(
    Object.entries(responses).flatMap(([status, { description = '' }]) =>
      [...description.matchAll(/`(\w+)`/g)].map(([, code = '']): [string, string] => [
        code,
        status,
      ]),
    ),
  )
