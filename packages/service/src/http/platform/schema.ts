// The pieces the schemas of replies are made of. Each takes the sentence that describes its property:
// the API page, the SDK's hover text and the reference are made of these. `title` names a component.
import { Type, type TProperties, type TSchema } from 'typebox'

export const named = <P extends TProperties>(title: string, properties: P) =>
  Type.Object(properties, { title, additionalProperties: false })

export const titled = <S extends TSchema>(title: string, schema: S): S => ({ ...schema, title })

/** What one value of a field asks of the other fields. */
interface Rule {
  required?: readonly string[]
  /** False: must be left out. */
  properties?: Readonly<Record<string, object | false>>
  anyOf?: readonly Rule[]
}

/**
 * An input whose fields depend on one of them, with its type. The flat schema validates, the rules
 * are checked by the service, and the document and the SDK show both. A value that is the default
 * counts where the field is left out.
 */
export const variants = <Input>(
  schema: TSchema,
  field: string,
  rules: Readonly<Record<string, Rule>>,
  by_default?: string,
) =>
  Type.Unsafe<Input>({
    ...schema,
    allOf: Object.entries(rules).map(([value, rule]) => ({
      if: {
        properties: { [field]: { const: value } },
        ...(value !== by_default && { required: [field] }),
      },
      // oxlint-disable-next-line unicorn/no-thenable -- The keyword of JSON Schema.
      then: rule,
    })),
  })

/** Where a component is a property, its description is that of the property, not the component's. */
export const DESCRIPTION_HERE = Symbol('description of the property')

export const part = <S extends TSchema>(schema: S, description: string): S => ({
  ...schema,
  [DESCRIPTION_HERE]: description,
})

export const orNull = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const listOf = <S extends TSchema>(item: S, description: string) =>
  Type.Array(item, { description })

export const oneOf = <const V extends string>(values: readonly V[], description: string) =>
  Type.Enum<V[]>(values, { description })

export const oneOfOrNull = <const V extends string>(values: readonly V[], description: string) =>
  Type.Union([Type.Enum<V[]>(values), Type.Null()], { description })

export const text = (description: string) => Type.String({ description })
export const textOrNull = (description: string) => orNull(Type.String(), description)
export const uuid = (description: string) => Type.String({ format: 'uuid', description })
export const uuidOrNull = (description: string) =>
  orNull(Type.String({ format: 'uuid' }), description)
export const time = (description: string) => Type.String({ format: 'date-time', description })
export const timeOrNull = (description: string) =>
  orNull(Type.String({ format: 'date-time' }), description)
export const day = (description: string) => Type.String({ format: 'date', description })
export const yesOrNo = (description: string) => Type.Boolean({ description })
export const count = (description: string) => Type.Integer({ description })
export const countOrNull = (description: string) => orNull(Type.Integer(), description)
export const seconds = (description: string) => Type.Number({ description })
export const anyObject = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description })
/** Two decimals, as text: a number would lose cents in some parsers (api-rules.md#amounts). */
const MONEY_PATTERN = String.raw`^-?\d+\.\d{2}$`
export const money = (description: string) => Type.String({ pattern: MONEY_PATTERN, description })
export const moneyOrNull = (description: string) =>
  orNull(Type.String({ pattern: MONEY_PATTERN }), description)

/** The page of a list. */
export const pageOf = <Row extends TSchema>(title: string, row: Row) =>
  named(title, {
    next: textOrNull('Link to the next page, with the same filters; null on the last page.'),
    previous: textOrNull('Link to the previous page, with the same filters; null on the first.'),
    results: listOf(row, 'The rows of this page.'),
  })
