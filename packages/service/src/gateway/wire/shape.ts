import { Type, type Static, type TObject, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { isObject } from '../json.ts'

// The gateway omits empty fields, sometimes writes null, and adds fields at any time
// (gateway-protocol.md#field-conventions). So objects stay open, and nearly everything is optional
// and nullable.

export const text = Type.String()

const ID = /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]{1,200}$/u

/** Whether this is a usable id: not empty, and without dots that would name another path. */
export const isId = (value: string): boolean => ID.test(value)

/** An id of the gateway that we must be able to query again. */
export const identifier = Type.String({ pattern: ID.source })

/** A string by the documentation that samples also show as a number. */
export const textual = Type.Union([Type.String(), Type.Number()])

export const flag = Type.Boolean()

export const optional = <S extends TSchema>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

export const list = <S extends TSchema>(schema: S) => optional(Type.Array(schema))

/** Free JSON of the merchant's, echoed. */
export const free = optional(Type.Record(Type.String(), Type.Unknown()))

/** Compiled at first use: compiling all of them at every start took a second. */
export function compiledOnce<S extends TSchema>(schema: S) {
  const compile = () => Compile(schema)
  let validator: ReturnType<typeof compile> | undefined
  return () => (validator ??= compile())
}

export type Parse<T> = (value: unknown) => T | undefined

/**
 * A parser for a shape: returns the same value, now typed, or undefined. Unknown fields pass. A
 * detail of an unexpected type is left out instead of refusing the whole: an oddly written `on_us`
 * must not make a settlement unreadable. Core fields must fit.
 */
export function parserOf<S extends TObject>(
  schema: S,
  core: readonly string[] = schema.required,
): Parse<Static<S>> {
  const validatorOf = compiledOnce(schema)
  return (value) => {
    const validator = validatorOf()
    if (validator.Check(value)) return value
    if (!isObject(value)) return undefined
    const misfits = new Set(
      validator.Errors(value).map(({ instancePath }) => instancePath.split('/')[1] ?? ''),
    )
    if (misfits.has('') || core.some((field) => misfits.has(field))) return undefined
    const kept = Object.fromEntries(Object.entries(value).filter(([field]) => !misfits.has(field)))
    return validator.Check(kept) ? kept : undefined
  }
}

/** A strict parser for the whole shape, for what we write ourselves. */
export function strictParserOf<S extends TSchema>(schema: S): Parse<Static<S>> {
  const validatorOf = compiledOnce(schema)
  return (value) => (validatorOf().Check(value) ? value : undefined)
}
