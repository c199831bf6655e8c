// The OpenAPI 3.1 document, made of the routes and the schemas the services validate with. Committed as docs/openapi.json: that file is the contract (ADR 0023).
import { Type, type TSchema } from 'typebox'
import { ERRORS } from '../../domain/error_catalogue.ts'
import { PROBLEMS, type ProblemCode } from '../../domain/problems.ts'
import { SUBSCRIPTION_ACTIONS } from '../../domain/subscription_transitions.ts'
import { PROBLEM_CODES } from '../../services/problem.ts'
import type { Route } from './route.ts'
import { count, DESCRIPTION_HERE, named, oneOf, text, textOrNull, uuid, yesOrNo } from './schema.ts'

type Json = Record<string, unknown>

const OPENAPI_VERSION = '3.1.0'

/** RFC 9457 (api-rules.md#errors). */
export const PROBLEM = named('Problem', {
  type: text('A URN that names the kind of problem; it ends with `code`.'),
  title: text('A short description of the error; the same text for each code.'),
  status: count('The HTTP status of this reply.'),
  detail: text('What to do about it.'),
  code: oneOf(PROBLEM_CODES, 'What went wrong, for programs; later releases may add to the list.'),
  errors: Type.Array(
    Type.Object({
      field: text('The field at fault, with dots between nested names.'),
      message: text('What is wrong with the field.'),
    }),
    { description: 'The fields at fault; empty where the request itself is well formed.' },
  ),
  retryable: yesOrNo('Whether the same request may succeed later.'),
  request_id: text('The id of the request, as in `X-Request-Id` and in the log.'),
  gateway: Type.Optional(
    Type.Object(
      {
        status_code: textOrNull("The gateway's own status code."),
        status_message: textOrNull("The gateway's own message."),
      },
      { description: 'What the gateway answered, where it refused the request.' },
    ),
  ),
  payment_id: Type.Optional(uuid('The payment that the problem is about.')),
  invoice_id: Type.Optional(uuid('The invoice that the problem is about.')),
  checkout_id: Type.Optional(uuid('The checkout that the problem is about.')),
  subscription_id: Type.Optional(uuid('The subscription that the problem is about.')),
})

/** The whole document, of plain values. Paths are relative to wherever the routes are mounted. */
export function documentOf(routes: readonly Route[], version: string): Json {
  const components = new Map<string, unknown>()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const method = route.method.toLowerCase()
    paths[route.path] = { ...paths[route.path], [method]: operationOf(route, components) }
  }
  const whole = {
    openapi: OPENAPI_VERSION,
    info: {
      title: 'Gapura',
      version,
      description: 'Payments through the Midtrans gateway. Paths are relative to the mount prefix.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '{prefix}', variables: { prefix: { default: '/pay' } } }],
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
  return plain(whole)
}

/** Without what JSON cannot hold: the marks TypeBox leaves on its schemas. */
function plain(value: object): Json {
  const copy: unknown = JSON.parse(JSON.stringify(value))
  return typeof copy === 'object' && copy !== null ? { ...copy } : {}
}

function operationOf(route: Route, components: Map<string, unknown>): Json {
  const schema = (of: TSchema): unknown => referenced(of, components)
  const { operation, summary, input, reply, status = 200, media = 'application/json' } = route
  const scopes = route.scope === null ? [] : [route.scope]
  return {
    operationId: operation,
    summary,
    ...descriptionOf(route),
    security: route.access === 'public' ? [] : [{ bearer: scopes }],
    parameters: parametersOf(route),
    ...(input && {
      requestBody: {
        required: route.input_optional !== true,
        content: {
          'application/json': {
            schema: schema(input),
            ...(route.example && { examples: route.example }),
          },
        },
      },
    }),
    responses: {
      [status]: {
        description: status === 201 ? 'Created' : 'Done',
        content: {
          [media]: { schema: schema(reply) },
          ...(route.live && { 'text/event-stream': { schema: EVENT_STREAM } }),
        },
      },
      ...problemsOf(route, schema(PROBLEM)),
    },
  }
}

const EVENT_STREAM = {
  type: 'string',
  description:
    'Server-sent events: `id` is the cursor behind the event, `data` one of the results.',
}

function descriptionOf({ access, scope }: Route): Json {
  const needs = scope === null ? [] : [`Needs the scope \`${scope}\`.`]
  const words = [...(access === 'staff' ? ['For staff.'] : []), ...needs]
  return words.length === 0 ? {} : { description: words.join(' ') }
}

const isPublic = ({ access }: Route): boolean => access === 'public'
const changes = (route: Route): boolean => route.method === 'POST' && !isPublic(route)

function parametersOf(route: Route): Json[] {
  const { path, repeat, query } = route
  const id = {
    name: 'pk',
    in: 'path',
    required: true,
    description: 'The id of the object.',
    schema: { type: 'string', format: 'uuid' },
  }
  const action = {
    name: 'action_name',
    in: 'path',
    required: true,
    description: 'What to do with it.',
    schema: { type: 'string', enum: SUBSCRIPTION_ACTIONS },
  }
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      repeat === undefined
        ? 'The same key and request give the same reply, and one charge.'
        : `Not needed, and not kept: ${repeat}`,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  }
  const required: readonly string[] = query?.required ?? []
  const filters = Object.entries<TSchema>(query?.properties ?? {}).map(([name, property]) => {
    const { description, ...schema }: TSchema & { description?: string } = property
    const needed = required.includes(name) && { required: true }
    return { name, in: 'query', ...needed, description, schema }
  })
  return [
    ...(path.includes('{pk}') ? [id] : []),
    ...(path.includes('{action_name}') ? [action] : []),
    ...(changes(route) ? [key] : []),
    ...filters,
  ]
}

/** Every code by the status it is answered with. */
function problemsOf(route: Route, schema: unknown): Json {
  const { errors = [], input } = route
  const codes = new Map<number, string[]>()
  const add = (status: number, code: string): void => {
    codes.set(status, [...(codes.get(status) ?? []), code])
  }
  // A body where none is taken is a fault as well, and so is a key of no known form.
  const may_be_faulty = input !== undefined || changes(route)
  for (const code of may_be_faulty ? ['invalid_request' as const, ...errors] : errors) {
    const { status, status_on_charge } = ERRORS[code]
    add(route.is_charge === true ? status_on_charge : status, code)
  }
  if (!isPublic(route)) add(ERRORS.store_unavailable.status, 'store_unavailable')
  for (const code of problemCodesOf(route)) add(PROBLEMS[code].status, code)
  const ordered = [...codes].sort(([a], [b]) => a - b)
  return Object.fromEntries(
    ordered.map(([status, names]) => [
      status,
      {
        description: names.map((name) => `\`${name}\``).join(', '),
        content: { 'application/problem+json': { schema } },
      },
    ]),
  )
}

function problemCodesOf(route: Route): ProblemCode[] {
  const { method, path, scope, repeat, problems = [] } = route
  const by_id = path.includes('{pk}')
  return [
    ...(isPublic(route) ? [] : ['unauthenticated' as const, 'internal_error' as const]),
    ...(scope === null ? [] : ['forbidden' as const]),
    ...(changes(route) ? ['cross_site_request' as const] : []),
    ...(by_id || path.startsWith('/staff/') ? ['not_found' as const] : []),
    ...(changes(route) && by_id ? ['operation_in_progress' as const] : []),
    ...(changes(route) && repeat === undefined
      ? ['request_in_progress' as const, 'idempotency_key_reused' as const]
      : []),
    ...(method === 'POST' ? ['payload_too_large' as const, 'unsupported_media_type' as const] : []),
    ...problems,
    'too_many_requests',
  ]
}

/** The schema with every titled one inside it moved to the components. */
function referenced(value: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((member) => referenced(member, components))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    referenced(member, components),
  ])
  const copy: unknown = Object.fromEntries(members)
  const title = 'title' in value ? value.title : undefined
  if (typeof title !== 'string') return copy
  components.set(title, copy)
  const here = DESCRIPTION_HERE in value ? { description: value[DESCRIPTION_HERE] } : {}
  return { $ref: `#/components/schemas/${title}`, ...here }
}
