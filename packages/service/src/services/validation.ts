import type { Static, TSchema, TObject } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import type { FieldFault } from '../domain/charge_rules.ts'
import { gatewayError } from '../domain/errors.ts'
import { hideSecrets, isSecretName, secretIn } from '../domain/secret_shapes.ts'
import { compiledOnce } from '../gateway/wire/shape.ts'

const FAULTS_MAX = 20
const NAME_LENGTH_MAX = 100

/** Throws `invalid_request` with all faults, if there are any. */
export function refuseFaults(errors: readonly FieldFault[]): void {
  if (errors.length === 0) return
  throw gatewayError('invalid_request', { errors: errors.slice(0, FAULTS_MAX) })
}

/**
 * A parser for requests of this shape: returns typed input, or throws `invalid_request` naming
 * the faulty fields, as many as the validator looks for. HTTP and the in-process API use the same one. Values are never echoed: they
 * may be secret.
 */
export function requestParser<S extends TSchema>(schema: S): (input: unknown) => Static<S> {
  const validatorOf = compiledOnce(schema)
  return (input) => {
    const validator = validatorOf()
    if (validator.Check(input)) return input
    const faults = new Map<string, string>()
    for (const [path, errors] of Map.groupBy(validator.Errors(input), ({ instancePath }) =>
      instancePath.slice(1).replaceAll('/', '.'),
    )) {
      for (const { field, message } of faultsAt(path, errors)) faults.set(field, message)
    }
    // A field name may be a value that was put in the wrong place.
    const errors = [...faults].map(([field, message]) => ({
      field: hideSecrets(field).slice(0, NAME_LENGTH_MAX),
      message,
    }))
    throw gatewayError('invalid_request', { errors: errors.slice(0, FAULTS_MAX) })
  }
}

type ShapeError = Pick<TLocalizedValidationError, 'keyword' | 'params' | 'message'>

/** What is wrong at one place of the input; a missing or unknown field is a place of its own. */
function faultsAt(path: string, errors: readonly ShapeError[]): FieldFault[] {
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`)
  const named = errors.flatMap(({ params }) => [
    ...textsOf(params, 'requiredProperties').map((name) => [name, 'is required'] as const),
    ...textsOf(params, 'additionalProperties').map((name) => [name, 'unknown field'] as const),
  ])
  if (named.length > 0) return named.map(([name, message]) => ({ field: below(name), message }))
  // The validator ends after eight faults; then the line that names unknown fields may be missing.
  if (errors.every(({ keyword }) => keyword === 'boolean')) {
    return [{ field: path, message: 'unknown field' }]
  }
  return [{ field: path === '' ? 'body' : path, message: messageOf(errors) }]
}

const textsOf = (params: object, name: string): string[] => {
  const texts: unknown = Object.entries(params).find(([key]) => key === name)?.[1]
  return Array.isArray(texts) ? texts.map(String) : []
}

const AMOUNT = 'must be an amount in whole rupiah, such as 44000 or "44000"'

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

/** Of a union the alternatives have one error each: all of them together say what is allowed. */
function messageOf(errors: readonly ShapeError[]): string {
  const types = errors.flatMap(({ params }) => ('type' in params ? [String(params.type)] : []))
  const values = errors.flatMap(({ params }) => textsOf(params, 'allowedValues'))
  // The alternative whose type fits says more than the others.
  const other = errors.find(({ keyword }) => !['type', 'enum', 'anyOf'].includes(keyword))
  if (types.includes('number') && (types.includes('string') || other !== undefined)) return AMOUNT
  if (values.length > 0) return `must be one of ${values.join(', ')}`
  if (types.length === 1 || other === undefined) {
    return `must be ${types.map((type) => TYPES[type] ?? type).join(' or ')}`
  }
  return other.message
}

/** A shorter secret could be part of any text by chance. */
const COPY_LENGTH_MIN = 6

/**
 * Secrets in the wrong place of a request, found by field name, by shape, or as copies of a secret
 * in the right place (ADR 0019). A request with one is refused, so that it is never stored, logged
 * or sent on.
 */
export function secretFaults(input: object, taken_at: readonly string[] = []): FieldFault[] {
  const leaves = [...leavesOf(input, '')]
  const taken = leaves.filter(({ path }) => taken_at.includes(path)).map(({ text }) => text)
  const copies = taken.filter((text) => text.length >= COPY_LENGTH_MIN)
  return leaves.flatMap(({ path, name, text }) => {
    if (taken_at.includes(path)) return []
    const what = isSecretName(name)
      ? 'a secret'
      : (secretIn(text) ?? (copies.some((copy) => text.includes(copy)) ? 'a token' : undefined))
    return what === undefined
      ? []
      : [{ field: path, message: `must not contain ${what}, because it would be stored` }]
  })
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * A parser for requests with free text that is stored: reasons, notes, names. It refuses a secret
 * in any field (ADR 0019), because the audit and the history cannot be erased afterwards.
 */
export function keptTextParser<S extends TObject>(schema: S): (input: unknown) => Static<S> {
  const parse = requestParser(schema)
  return (input) => {
    const parsed = parse(input)
    // The digits of a generated id can look like a card number by chance.
    const texts = Object.entries<unknown>(parsed).filter(([, value]) => !UUID.test(String(value)))
    refuseFaults(secretFaults(Object.fromEntries(texts)))
    return parsed
  }
}

interface Leaf {
  path: string
  name: string
  text: string
}

/** Every text and number with its path; a secret used as a field name is reported at its parent. */
function* leavesOf(value: unknown, path: string, name = ''): Generator<Leaf> {
  if (typeof value === 'string' || typeof value === 'number') {
    yield { path, name, text: String(value) }
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    yield { path: path === '' ? 'body' : path, name: '', text: key }
    if (secretIn(key) !== undefined) continue
    const below = path === '' ? key : `${path}.${key}`
    // Everything inside a secret's field is secret.
    yield* leavesOf(inner, below, isSecretName(name) ? name : key)
  }
}

/** What is wrong with a time in a query that was given and could not be read. */
export const timeFaults = (field: string, given: string | undefined, time?: Date): FieldFault[] =>
  given === undefined || time !== undefined
    ? []
    : [{ field, message: 'ISO 8601 with a zone, as 2026-01-31T00:00:00Z' }]
