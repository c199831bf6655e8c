// JSON Schema to readable TypeScript: named interfaces, named unions where they are long, `Money` by
// its pattern. A schema that it does not know is an error.
import { pascal, type OpenApi, type Rule, type Schema, type Variant } from './document.ts'

export interface Declaration {
  name: string
  text: string
}

/** Names that need the name of their object. */
const VAGUE = new Set([
  'status',
  'type',
  'code',
  'state',
  'kind',
  'source',
  'unit',
  'action',
  'name',
])

/** Objects that two properties share. */
const KNOWN_AS: Readonly<Record<string, string>> = {
  billing_address: 'Address',
  shipping_address: 'Address',
  errors: 'FieldError',
  gateway: 'GatewayWords',
}

/** Keywords that do not affect the type. */
const REMARKS = new Set(['title', 'description', 'example', 'examples', 'default', 'deprecated'])

/** A union up to this length is written inline. */
const INLINE_VALUES_MAX = 4

const MONEY = String.raw`^-?\d+\.\d{2}$`

const NATIVE: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

const FORMATS: Readonly<Record<string, string>> = { uuid: 'Uuid', 'date-time': 'Timestamp' }

/** The position of a schema, from which an unnamed one gets its name. */
export interface Place {
  parent: string
  property: string
}

export class Shapes {
  readonly declarations = new Map<string, Declaration>()
  /** Enums and unnamed objects by content, so that each is declared once. */
  readonly #names = new Map<string, string>()
  readonly #schemas: OpenApi['components']['schemas']

  constructor(document: OpenApi) {
    this.#schemas = document.components.schemas
  }

  /** The component a reference names, with its name. */
  resolve(schema: Schema): { name: string; schema: Schema } | undefined {
    const name = schema.$ref?.split('/').at(-1)
    const found = name === undefined ? undefined : this.#schemas[name]
    return name === undefined || found === undefined ? undefined : { name, schema: found }
  }

  /** The type of a schema as text; declares the types it needs. */
  typeOf(schema: Schema, place: Place): string {
    const component = this.resolve(schema)
    if (component !== undefined) return this.#interface(component.name, component.schema)
    if (schema.$ref !== undefined) throw new Error(`${schema.$ref} does not exist`)
    if (schema.const !== undefined) return literal(schema.const)
    if (schema.enum !== undefined) return this.#union(schema.enum, place)
    if (schema.anyOf !== undefined) return this.#choice(schema.anyOf, place)
    if (schema.type === 'array') return this.#list(schema.items ?? {}, place)
    if (schema.type === 'object') return this.#object(schema, place)
    if (Object.keys(schema).every((key) => REMARKS.has(key))) return 'unknown'
    if (schema.pattern === MONEY) return 'Money'
    const type = FORMATS[schema.format ?? ''] ?? NATIVE[schema.type ?? '']
    if (type === undefined) {
      throw new Error(
        `${place.parent}.${place.property}: ${JSON.stringify(schema)} is not understood`,
      )
    }
    return type
  }

  #choice(choices: readonly Schema[], place: Place): string {
    const [first, second] = choices
    if (choices.length === 2 && second?.type === 'string') {
      // A query is text, so a caller may pass a number.
      if (first?.type === 'integer' && second.pattern !== undefined) return 'number'
      if (first?.type === 'number') return 'AmountInput'
    }
    const types = new Set(choices.map((one) => this.typeOf(one, place)))
    const orNull = types.delete('null') ? ['null'] : []
    return [...types, ...orNull].join(' | ')
  }

  #list(items: Schema, place: Place): string {
    const type = this.typeOf(items, place)
    return type.includes(' | ') ? `(${type})[]` : `${type}[]`
  }

  #union(values: readonly (string | number)[], place: Place): string {
    const text = values.map(literal).join(' | ')
    if (values.length <= INLINE_VALUES_MAX) return text
    return this.#once(`enum ${text}`, this.#called(place), (name) => {
      this.#declare({ name, text: `export type ${name} = ${text}` })
    })
  }

  #object(schema: Schema, place: Place): string {
    if (schema.properties === undefined) return 'Record<string, unknown>'
    // The description is that of the property, so the same object under two properties is one type.
    const { description: _, ...shape } = schema
    return this.#once(`object ${JSON.stringify(shape)}`, this.#called(place), (name) => {
      this.#interface(name, shape)
    })
  }

  #called({ parent, property }: Place): string {
    const owner = parent.replace(/(?:Summary|Page|Input|Query)$/, '')
    const own = KNOWN_AS[property] ?? pascal(property)
    const name = VAGUE.has(property) ? `${owner}${own}` : own
    return this.declarations.has(name) ? `${parent}${own}` : name
  }

  /** One declaration for equal schemas. */
  #once(says: string, name: string, declare: (name: string) => void): string {
    const known = this.#names.get(says)
    if (known !== undefined) return known
    this.#names.set(says, name)
    declare(name)
    return name
  }

  #interface(name: string, schema: Schema): string {
    if (this.declarations.has(name)) return name
    if (schema.properties === undefined) throw new Error(`${name} is not an object`)
    const declaration = { name, text: '' }
    // Entered before its members are read, because a member may refer to it.
    this.#declare(declaration)
    if (schema.allOf !== undefined) {
      const names = this.#variants(name, schema, schema.allOf)
      declaration.text = `${commentOf(schema)}export type ${name} = ${names.join(' | ')}`
      return name
    }
    const members = this.#members(name, schema.properties, schema.required)
    declaration.text = `${commentOf(schema)}export interface ${name} {\n${members}}`
    return name
  }

  #members(
    parent: string,
    properties: Readonly<Record<string, Schema>>,
    required: readonly string[] = [],
  ): string {
    const members = Object.entries(properties).map(([property, member]) => {
      const type = this.typeOf(member, { parent, property })
      return `${commentOf(member)}${property}${required.includes(property) ? '' : '?'}: ${type}\n`
    })
    return members.join('')
  }

  /** One interface for each value of the field that decides; what all share is one of its own. */
  #variants(name: string, schema: Schema, variants: readonly Variant[]): string[] {
    const { properties = {}, required = [] } = schema
    const decided = new Set(variants.flatMap(fieldsOf))
    const all = Object.entries(properties)
    const shared = all.filter(([property]) => !decided.has(property))
    const common = `Common${name}`
    const text = this.#members(name, Object.fromEntries(shared), required)
    this.#declare({ name: common, text: `export interface ${common} {\n${text}}` })
    const left = all.filter(([property]) => decided.has(property))
    return variants.map((variant) =>
      this.#variant(name, Object.fromEntries(left), required, variant),
    )
  }

  #variant(
    name: string,
    properties: Readonly<Record<string, Schema>>,
    required: readonly string[],
    { if: when, then }: Variant,
  ): string {
    const [field = ''] = Object.keys(when.properties)
    const value = when.properties[field]?.const ?? ''
    const taken = Object.entries(properties).flatMap(([property, member]): [string, Schema][] => {
      const rule = then.properties?.[property]
      if (rule === false) return []
      if (property === field) return [[property, { const: value }]]
      return [[property, rule?.enum === undefined ? member : { ...member, enum: rule.enum }]]
    })
    // Without the field its default counts, so it is optional there.
    const needed = [...required, ...(then.required ?? [])].filter((one) => one !== field)
    const members = this.#members(name, Object.fromEntries(taken), [
      ...needed,
      ...(when.required ?? []),
    ])
    const variant = `${pascal(String(value))}${name}`
    const parts = (then.anyOf ?? []).map((rule) => this.#alternative(name, properties, rule))
    const base = parts.length === 0 ? variant : `${variant}Fields`
    const text = `export interface ${base} extends Common${name} {\n${members}}`
    this.#declare({ name: base, text })
    if (parts.length > 0) {
      const choice = `${base} & (${parts.join(' | ')})`
      this.#declare({ name: variant, text: `export type ${variant} = ${choice}` })
    }
    return variant
  }

  /** The fields that an alternative requires, and what it requires of their own fields. */
  #alternative(name: string, properties: Readonly<Record<string, Schema>>, rule: Rule): string {
    const members = (rule.required ?? []).map((property) => {
      const type = this.typeOf(properties[property] ?? {}, { parent: name, property })
      const inner = rule.properties?.[property]
      const needed = inner === undefined || inner === false ? [] : (inner.required ?? [])
      const keys = needed.map((one) => `'${one}'`).join(' | ')
      return `${property}: ${type}${keys && ` & Required<Pick<${type}, ${keys}>>`}`
    })
    return `{ ${members.join('; ')} }`
  }

  #declare(declaration: Declaration): void {
    if (this.declarations.has(declaration.name)) throw new Error(`two types ${declaration.name}`)
    this.declarations.set(declaration.name, declaration)
  }
}

/** The fields whose presence or values depend on the field that decides, and that field. */
const fieldsOf = ({ if: when, then }: Variant): string[] => [
  ...Object.keys(when.properties),
  ...[then, ...(then.anyOf ?? [])].flatMap((rule) => [
    ...(rule.required ?? []),
    ...Object.keys(rule.properties ?? {}),
  ]),
]

const literal = (value: string | number | boolean): string =>
  typeof value === 'string' ? `'${value}'` : String(value)

/** The description in the document, and its limits. */
function commentOf(schema: Schema): string {
  const texts = [schema.description, limitsOf(schema)].filter((text) => text !== undefined)
  return comment(texts.map((text) => text.replace(/\.?$/, '.')).join(' '))
}

const COLUMNS = 92

export function comment(text: string): string {
  if (text === '') return ''
  const lines = text.replaceAll('*/', '* /').split('\n').flatMap(wrapped)
  if (lines.length === 1) return `/** ${lines[0] ?? ''} */\n`
  return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= COLUMNS) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

function limitsOf(schema: Schema): string | undefined {
  const { minLength = 0, maxLength, minimum, maximum, maxItems, pattern } = schema
  if (maxLength !== undefined) {
    return minLength > 0
      ? `${minLength} to ${maxLength} characters`
      : `Up to ${maxLength} characters`
  }
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (maxItems !== undefined) return `At most ${maxItems}`
  return pattern === undefined || pattern === MONEY ? undefined : `Fits \`${pattern}\``
}
