import type { Static, TObject } from 'typebox'
import type { FieldFault } from '../domain/charge_rules.ts'
import { isSecretName, secretIn } from '../domain/secret_shapes.ts'
import { refuseFaults, requestParser } from './validation.ts'

/** So short a secret may be part of any text. */
const COPY_LENGTH_MIN = 6

/**
 * Secrets in the wrong place of a request, by name, by looks, or as copies of those in the right
 * one (ADR 0019). What is not taken cannot be stored, logged or sent on.
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
      : [{ field: path, message: `holds ${what}: it must not be kept, leave it out` }]
  })
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * A parser for requests with free text that is kept: reasons, notes, names. It refuses a secret in
 * any field (ADR 0019), because the audit and the history cannot be erased afterwards.
 */
export function keptTextParser<S extends TObject>(schema: S): (input: unknown) => Static<S> {
  const parse = requestParser(schema)
  return (input) => {
    const parsed = parse(input)
    // The digits of an id can look like a card number by chance, and nobody chooses them.
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

/** Every text and number with its place; a name that is itself a secret stands at its parent's. */
function* leavesOf(value: unknown, path: string, name = ''): Generator<Leaf> {
  if (typeof value === 'string' || typeof value === 'number') {
    yield { path, name, text: String(value) }
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    yield { path: path === '' ? 'body' : path, name: '', text: key }
    if (secretIn(key) !== undefined) continue
    const below = path === '' ? key : `${path}.${key}`
    // Whatever is inside a secret's field is the secret.
    yield* leavesOf(inner, below, isSecretName(name) ? name : key)
  }
}
