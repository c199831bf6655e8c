// The part of OpenAPI 3.1 that our document uses, and the routes in it as methods of a client.

/** What one value of a field asks of the others; `false` means that a field is left out. */
export interface Rule {
  required?: readonly string[]
  properties?: Record<string, Schema | false>
  anyOf?: readonly Rule[]
}

export interface Variant {
  if: { properties: Record<string, Schema>; required?: readonly string[] }
  then: Rule
}

export interface Schema {
  $ref?: string
  title?: string
  description?: string
  type?: string
  format?: string
  pattern?: string
  enum?: readonly (string | number)[]
  const?: string | number | boolean
  anyOf?: readonly Schema[]
  /** One for each value of the field that decides. */
  allOf?: readonly Variant[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

/** Requests of a route, by name. */
type Examples = Readonly<Record<string, { summary: string; value: unknown }>>

type Content = Record<string, { schema: Schema; examples?: Examples }>

interface DocumentedRoute {
  operationId: string
  summary?: string
  description?: string
  parameters?: readonly Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}

export interface OpenApi {
  paths: Record<string, Record<string, DocumentedRoute>>
  components: { schemas: Record<string, Schema> }
}

/** A route as a method: `client.payments.refund(id, input, options)`. */
export interface Method {
  /** Its path in the client: `['payments']`, or `['staff', 'alarms']`. */
  group: readonly string[]
  name: string
  operation: string
  verb: string
  path: string
  summary: string
  about: string
  ids: readonly Parameter[]
  query: readonly Parameter[]
  body?: { schema: Schema; required: boolean; examples: Examples }
  /** Undefined if the reply is a file. */
  replies: readonly Schema[]
}

/** The webhook has no method: only the gateway can sign its requests. */
export const NOT_FOR_CALLERS = new Set(['receive_notification'])

/** Paths that belong to a resource of another name. */
const HOMES: Readonly<Record<string, string>> = { charge: 'payments' }

export function methodsOf(document: OpenApi): Method[] {
  const methods = Object.entries(document.paths).flatMap(([path, routes]) =>
    Object.entries(routes)
      .filter(([, { operationId }]) => !NOT_FOR_CALLERS.has(operationId))
      .map(([verb, route]) => methodOf(path, verb.toUpperCase(), route)),
  )
  const names = methods.map(({ group, name }) => [...group, name].join('.'))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`two routes would be client.${twice}: rename one`)
  return methods
}

function methodOf(path: string, verb: string, route: DocumentedRoute): Method {
  const { operationId, parameters = [], requestBody, responses } = route
  const [first = '', second = ''] = path.split('/').filter((part) => part !== '')
  if (verb !== 'GET' && !parameters.some((one) => one.name === 'Idempotency-Key')) {
    throw new Error(
      `${operationId}: a write without an Idempotency-Key cannot be repeated (ADR 0007)`,
    )
  }
  const group = first === 'staff' ? [first, second] : [HOMES[first] ?? first]
  const replies = Object.entries(responses)
    .filter(([status, { content }]) => status.startsWith('2') && !isFile(content))
    .map(([, reply]) => jsonOf(reply.content, operationId))
  return {
    group: group.map(camel),
    name: nameOf(operationId, [...group, first]),
    operation: operationId,
    verb,
    path,
    summary: route.summary ?? operationId,
    about: [route.summary, route.description].filter(Boolean).join('. '),
    ids: parameters.filter((one) => one.in === 'path'),
    query: parameters.filter((one) => one.in === 'query'),
    ...(requestBody && {
      body: {
        schema: jsonOf(requestBody.content, operationId),
        required: requestBody.required !== false,
        examples: requestBody.content['application/json']?.examples ?? {},
      },
    }),
    replies,
  }
}

/** Replies that are files; the SDK does not parse them. */
const isFile = (content: Content = {}): boolean =>
  Object.keys(content).some((type) => type === 'text/csv' || type.endsWith('spreadsheetml.sheet'))

function jsonOf(content: Content | undefined, operation: string): Schema {
  const schema = content?.['application/json']?.schema
  if (schema === undefined) throw new Error(`${operation}: the body must be JSON`)
  return schema
}

/** `refund_payment` of payments is `refund`: the name of the resource is left out. */
function nameOf(operation: string, nouns: readonly string[]): string {
  const words = nouns.flatMap((noun) => [noun, singular(noun)]).join('|')
  const rest = operation.replaceAll(new RegExp(`(?<=^|_)(?:${words})(?=_|$)`, 'g'), '')
  return camel(rest) || camel(operation)
}

export const singular = (noun: string): string =>
  noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.replace(/s$/, '')

export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')

export const camel = (name: string): string => {
  const whole = pascal(name)
  return `${whole.charAt(0).toLowerCase()}${whole.slice(1)}`
}
