import type { Static, TObject } from 'typebox'
import type { FieldFault } from '../domain/charge_rules.ts'
import { isSecretName, secretIn } from '../domain/secret_shapes.ts'
import { refuseFaults, requestParser } from './validation.ts'

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
