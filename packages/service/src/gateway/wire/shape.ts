import { Type, type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

// The gateway omits empty fields, sometimes writes null, and adds fields at any time (Wire 1.6).
// So objects stay open, and nearly everything is optional and nullable.

export const text = Type.String()

/** A string by the documentation that samples also show as a number. */
export const textual = Type.Union([Type.String(), Type.Number()])

export const flag = Type.Boolean()

export const optional = <S extends TSchema>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

export const list = <S extends TSchema>(schema: S) => optional(Type.Array(schema))

/** Free JSON of the merchant's, echoed. */
export const free = optional(Type.Record(Type.String(), Type.Unknown()))

export type Parse<T> = (value: unknown) => T | undefined

/** A parser for a shape: the very value, now typed, or nothing. Fields it does not know pass. */
export function parserOf<S extends TSchema>(schema: S): Parse<Static<S>> {
  const validator = Compile(schema)
  return (value) => (validator.Check(value) ? value : undefined)
}
