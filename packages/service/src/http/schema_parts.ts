// The pieces the schemas of replies are made of. `title` names a component.
import { Type, type TProperties, type TSchema } from 'typebox'

export const named = <P extends TProperties>(title: string, properties: P) =>
  Type.Object(properties, { title, additionalProperties: false })
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
export const text = Type.String()
export const textOrNull = orNull(text)
export const uuid = Type.String({ format: 'uuid' })
export const time = Type.String({ format: 'date-time' })
export const timeOrNull = orNull(time)
export const yesOrNo = Type.Boolean()
/** Two decimals, as text: a number would lose cents in somebody's parser (api-rules.md#amounts). */
export const money = Type.String({ pattern: String.raw`^-?\d+\.\d{2}$` })
