// The OpenAPI 3.1 document, made from the table of routes and the schemas the services validate
// with. Committed as docs/openapi.json: that file is the contract (ADR 0023).
import type { TSchema } from 'typebox'
import { ERRORS } from '../domain/error_catalogue.ts'
import { PROBLEMS, type ProblemCode } from '../domain/problems.ts'
import { SUBSCRIPTION_ACTIONS } from '../domain/subscription_transitions.ts'
import { PROBLEM } from './representation_schemas.ts'
import { requestExamplesOf } from './request_examples.ts'
import type { Route } from './route.ts'
import type { RouteDocument } from './route_document.ts'
import { ROUTE_DOCUMENTS } from './route_documents.ts'
import { createChargeRoute, ROUTES } from './routes.ts'

type Json = Record<string, unknown>

const OPENAPI_VERSION = '3.1.0'

/** The whole document, of plain values. Paths are relative to wherever the routes are mounted. */
export function openApiDocument(version: string): Json {
  const components = new Map<string, unknown>()
  const paths: Record<string, Json> = {}
  for (const route of ROUTES) {
    const document = ROUTE_DOCUMENTS.get(route)
    if (document === undefined) throw new Error(`${route.path} is not documented`)
    const method = route.method.toLowerCase()
    paths[route.path] = { ...paths[route.path], [method]: operationOf(route, document, components) }
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

function operationOf(
  route: Route,
  document: RouteDocument,
  components: Map<string, unknown>,
): Json {
  const schema = (of: TSchema): unknown => referenced(of, components)
  const { operation, summary, body, reply, status } = document
  const scope = route.access === 'caller' ? route.scope : null
  return {
    operationId: operation,
    summary,
    ...descriptionOf(route),
    security: route.access === 'caller' ? [{ bearer: scope === null ? [] : [scope] }] : [],
    parameters: parametersOf(route, document),
    ...(body && {
      requestBody: {
        required: document.body_optional !== true,
        content: { 'application/json': { schema: schema(body), ...examplesOf(operation) } },
      },
    }),
    responses: {
      [status]: {
        description: status === 201 ? 'Created' : 'Done',
        content: { [document.media ?? 'application/json']: { schema: schema(reply) } },
      },
      ...problemsOf(route, document, schema(PROBLEM)),
    },
  }
}

function descriptionOf(route: Route): Json {
  if (route.access === 'public') return {}
  const needs = route.scope === null ? [] : [`Needs the scope \`${route.scope}\`.`]
  const words = [...(route.staff === true ? ['For staff.'] : []), ...needs]
  return words.length === 0 ? {} : { description: words.join(' ') }
}

function examplesOf(operation: string): Json {
  const examples = requestExamplesOf(operation)
  return examples === undefined ? {} : { examples }
}

function parametersOf(route: Route, { query, repeat }: RouteDocument): Json[] {
  const id = { name: 'pk', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
  const action = {
    name: 'action_name',
    in: 'path',
    required: true,
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
  const filters = Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    schema,
  }))
  return [
    ...(route.path.includes('{pk}') ? [id] : []),
    ...(route.path.includes('{action_name}') ? [action] : []),
    ...(route.method === 'POST' && route.access === 'caller' ? [key] : []),
    ...filters,
  ]
}

/** Every code by the status it is answered with. */
function problemsOf(route: Route, document: RouteDocument, schema: unknown): Json {
  const { errors, body } = document
  const codes = new Map<number, string[]>()
  const add = (status: number, code: string): void => {
    codes.set(status, [...(codes.get(status) ?? []), code])
  }
  // A body where none is taken is a fault as well, and so is a key of no known form.
  const may_be_faulty = body !== undefined || (route.method === 'POST' && route.access === 'caller')
  for (const code of may_be_faulty ? ['invalid_request' as const, ...errors] : errors) {
    const { status, status_on_charge } = ERRORS[code]
    add(route === createChargeRoute ? status_on_charge : status, code)
  }
  if (route.access === 'caller') add(ERRORS.store_unavailable.status, 'store_unavailable')
  for (const code of problemCodesOf(route, document)) add(PROBLEMS[code].status, code)
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

function problemCodesOf(
  { access, method, path, ...route }: Route,
  { repeat }: RouteDocument,
): ProblemCode[] {
  const scoped = 'scope' in route && route.scope !== null
  const changes = access === 'caller' && method === 'POST'
  return [
    ...(access === 'caller' ? ['unauthenticated' as const, 'internal_error' as const] : []),
    ...(scoped ? ['forbidden' as const] : []),
    ...(changes ? ['cross_site_request' as const] : []),
    ...(path.includes('{pk}') || path.startsWith('/staff/') ? ['not_found' as const] : []),
    ...(changes && path.includes('{pk}') ? ['operation_in_progress' as const] : []),
    ...(changes && repeat === undefined
      ? ['request_in_progress' as const, 'idempotency_key_reused' as const]
      : []),
    ...(method === 'POST' ? ['payload_too_large' as const, 'unsupported_media_type' as const] : []),
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
  return { $ref: `#/components/schemas/${title}` }
}
