// The API reference: every route and every object of docs/openapi.json, as tables.
import { readFileSync } from 'node:fs'
import { made, table } from './made.ts'

interface Schema {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  description?: string
  enum?: readonly unknown[]
  const?: string | number | boolean
  items?: Schema
  anyOf?: readonly Schema[]
  allOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  default?: unknown
}

interface Content {
  content?: Readonly<
    Record<string, { schema?: Schema; examples?: Readonly<Record<string, { value: unknown }>> }>
  >
}

interface Operation {
  operationId: string
  summary: string
  description?: string
  parameters?: readonly {
    name: string
    in: string
    required?: boolean
    description?: string
    schema: Schema
  }[]
  requestBody?: Content
  responses: Readonly<Record<string, Content & { description: string }>>
}

interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: { schemas: Readonly<Record<string, Schema>> }
}

const METHODS = ['get', 'post', 'patch', 'put', 'delete']
/** Longer lists of values would hide the rest of the row. */
const VALUES_MAX = 16

/** In a cell a bar would end it. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim()

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ref

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined)
    return `[${nameOf(schema.$ref)}](#${nameOf(schema.$ref).toLowerCase()})`
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (parts !== undefined) return [...new Set(parts.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`
  const otherwise = schema.enum === undefined ? 'any' : 'string'
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [otherwise])
  return types.map((type) => (schema.format === undefined ? type : schema.format)).join(' or ')
}

/** A description is a sentence, with or without its full stop. */
const sentence = (text: string): string => (/[\w)`]$/.test(text) ? `${text}.` : text)

function rulesOf(schema: Schema): string {
  const values = schema.enum?.map((value) => `\`${String(value)}\``) ?? []
  return [
    sentence(schema.description ?? ''),
    values.length > 0 && values.length <= VALUES_MAX ? `One of ${values.join(', ')}.` : '',
    schema.maxLength === undefined ? '' : `At most ${schema.maxLength} characters.`,
    schema.minimum === undefined ? '' : `From ${schema.minimum}.`,
    schema.maximum === undefined ? '' : `At most ${schema.maximum}.`,
    schema.maxItems === undefined ? '' : `At most ${schema.maxItems} entries.`,
    schema.default === undefined ? '' : `Default \`${JSON.stringify(schema.default)}\`.`,
  ]
    .filter((text) => text !== '')
    .join(' ')
}

function fieldRows({ properties = {}, required = [] }: Schema): string[][] {
  return Object.entries(properties).map(([name, schema]) => [
    `\`${name}\`${required.includes(name) ? '' : ' (optional)'}`,
    cell(typeOf(schema)),
    cell(rulesOf(schema)),
  ])
}

const schemaIn = (content: Content | undefined): Schema | undefined =>
  Object.values(content?.content ?? {})[0]?.schema

function exampleIn(content: Content | undefined): string {
  const [example] = Object.values(Object.values(content?.content ?? {})[0]?.examples ?? {})
  if (example === undefined) return ''
  return `\n\n\`\`\`json\n${JSON.stringify(example.value, null, 2)}\n\`\`\`\n`
}

function parameterTable({ parameters = [] }: Operation): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, in: place, required, description, schema }) => [
    `\`${name}\`${required === true ? '' : ' (optional)'}`,
    place,
    cell([sentence(description ?? ''), rulesOf(schema)].filter((text) => text !== '').join(' ')),
  ])
  return `\n${table(['Parameter', 'In', 'Rule'], rows)}\n`
}

/** What any route may answer is said once, above. */
const COMMON: Readonly<Record<string, string>> = {
  401: '`unauthenticated`',
  413: '`payload_too_large`',
  415: '`unsupported_media_type`',
  429: '`too_many_requests`',
  500: '`internal_error`',
}

/** 200 and 201 name their object, every other status its codes. */
function replyRows({ responses }: Operation): string[][] {
  const own = Object.entries(responses).filter(
    ([status, { description }]) => COMMON[status] !== description,
  )
  return own.map(([status, reply]) => {
    const schema = schemaIn(reply)
    const says = status.startsWith('2') && schema !== undefined ? typeOf(schema) : reply.description
    return [status, cell(says)]
  })
}

function operationText(method: string, path: string, operation: Operation): string {
  const body = schemaIn(operation.requestBody)
  return [
    `### ${method.toUpperCase()} ${path}\n`,
    `${operation.summary}. ${operation.description ?? ''}`.trim(),
    parameterTable(operation),
    body === undefined ? '' : `Body: ${typeOf(body)}.${exampleIn(operation.requestBody)}`,
    `${table(['Status', 'Reply or codes'], replyRows(operation))}\n`,
  ]
    .filter((text) => text !== '')
    .join('\n')
}

const GROUPS: readonly { title: string; holds: (path: string) => boolean }[] = [
  { title: 'Charges and payments', holds: (path) => /^\/(?:charge|payments)\//.test(path) },
  { title: 'Webhook', holds: (path) => path.startsWith('/notification/') },
  { title: 'Invoices', holds: (path) => path.startsWith('/invoices/') },
  { title: 'Subscriptions', holds: (path) => path.startsWith('/subscriptions/') },
  { title: 'Staff', holds: (path) => path.startsWith('/staff/') },
]

function groupText(document: Document, title: string, paths: readonly string[]): string {
  const operations = paths.flatMap((path) =>
    METHODS.flatMap((method) => {
      const operation = document.paths[path]?.[method]
      return operation === undefined ? [] : [operationText(method, path, operation)]
    }),
  )
  return `## ${title}\n\n${operations.join('\n')}`
}

export function apiReferencePage(): string {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document
  const paths = Object.keys(document.paths)
  const other = paths.filter((path) => !GROUPS.some(({ holds }) => holds(path)))
  const groups = [
    ...GROUPS.map(({ title, holds }) => ({ title, within: paths.filter(holds) })),
    { title: 'Other', within: other },
  ].filter(({ within }) => within.length > 0)
  const objects = Object.entries(document.components.schemas).map(([name, schema]) => {
    const says = schema.description === undefined ? '' : `${schema.description}\n\n`
    const rows = fieldRows(schema)
    const shape = rows.length > 0 ? table(['Field', 'Type', 'Meaning'], rows) : `${typeOf(schema)}.`
    return `### ${name}\n\n${says}${shape}\n`
  })
  return `${made('API reference')}
Every route of the HTTP interface and every object in it. [openapi.json](openapi.json) is the same as a machine reads it; a running service shows it as a page to try at \`docs/\` under its prefix. To download: [openapi.json](openapi.json), and [postman_collection.json](postman_collection.json) to import into Postman or a program that reads its format; set \`base_url\` and \`api_key\` in it. Rules that hold everywhere (errors, lists, amounts, idempotency) are on [API rules](api-rules.md), error codes on [errors](errors.md). Paths are relative to the prefix that you choose.

Any route may also answer ${Object.entries(COMMON)
    .map(([status, code]) => `${status} ${code}`)
    .join(', ')}.

${groups.map(({ title, within }) => groupText(document, title, within)).join('\n')}
## Objects

${objects.join('\n')}`
}
