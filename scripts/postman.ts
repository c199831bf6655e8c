// docs/postman_collection.json: every route of docs/openapi.json that callers use, as a Postman
// collection v2.1 with a folder for each resource and a request for each example.
import { readFileSync, writeFileSync } from 'node:fs'
import { methodsOf, type Method, type OpenApi, type Schema } from './sdk/document.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const INTRODUCTION =
  'Made from openapi.json. Set `base_url` to the address of the service with its prefix, and `api_key` to a key of `gapura keys create`. Each send has a new `Idempotency-Key`; to repeat a request safely, send it with the key of the first time. Creating a payment, an invoice, a subscription, a checkout or a webhook endpoint stores its id for the other requests.'

interface Document extends OpenApi {
  info: { title: string; version: string; description: string }
}

interface Pair {
  key: string
  value: string
  type?: string
  description?: string
  disabled?: boolean
}

interface PostmanRequest {
  method: string
  description: string
  header: Pair[]
  url: { raw: string; host: string[]; path: string[]; query: Pair[]; variable: Pair[] }
  body?: { mode: string; raw: string; options: { raw: { language: string } } }
}

export interface Item {
  name: string
  request: PostmanRequest
  response: readonly object[]
  event?: { listen: string; script: { type: string; exec: readonly string[] } }[]
}

export interface Folder {
  name: string
  item: (Item | Folder)[]
}

export interface Collection {
  info: { name: string; description: string; version: string; schema: string }
  auth: { type: string; bearer: Pair[] }
  variable: Pair[]
  item: Folder[]
}

/** The resources whose id is stored when one is created, with the variable that holds it. */
const STORED: Readonly<Record<string, string>> = {
  payments: 'payment_id',
  invoices: 'invoice_id',
  subscriptions: 'subscription_id',
  checkouts: 'checkout_id',
  webhookEndpoints: 'webhook_endpoint_id',
}

/** Query parameters that a route requires, or one of several; the others are listed and switched off. */
const REQUIRED_QUERY: Readonly<Record<string, string>> = {
  q: '{{payment_id}}',
  endpoint_id: '{{webhook_endpoint_id}}',
  email: 'buyer@example.com',
  account: 'gateway:pending',
  month: '2026-01',
}

const titled = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase())

export function collectionOf(document: Document): Collection {
  const { title, version, description } = document.info
  const root: Folder = { name: title, item: [] }
  for (const method of methodsOf(document)) {
    const folder = method.group.reduce((within, name) => folderIn(within, titled(name)), root)
    folder.item.push(...itemsOf(document, method))
  }
  return {
    info: { name: title, description: `${description} ${INTRODUCTION}`, version, schema: SCHEMA },
    auth: {
      type: 'bearer',
      bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }],
    },
    variable: [
      { key: 'base_url', value: 'http://127.0.0.1:3000' },
      { key: 'api_key', value: '' },
      ...Object.values(STORED).map((key) => ({ key, value: '' })),
    ],
    item: root.item.filter((item) => 'item' in item),
  }
}

function folderIn(within: Folder, name: string): Folder {
  const found = within.item.find((one) => 'item' in one && one.name === name)
  if (found !== undefined && 'item' in found) return found
  const folder: Folder = { name, item: [] }
  within.item.push(folder)
  return folder
}

/** One request for each example of the route; without examples one with the required fields. */
function itemsOf(document: OpenApi, method: Method): Item[] {
  const { summary, body } = method
  const examples = Object.values(body?.examples ?? {})
  if (body === undefined) return [itemOf(method, summary)]
  if (examples.length === 0) {
    const sample = sampleOf(document, body.schema)
    return [itemOf(method, summary, sample)]
  }
  return examples.map(({ summary: which, value }) =>
    itemOf(method, examples.length === 1 ? summary : `${summary}: ${which}`, value),
  )
}

function itemOf(method: Method, name: string, body?: unknown): Item {
  const request = requestOf(method, body)
  const stored = STORED[method.group[0] ?? '']
  const creates = method.verb === 'POST' && method.ids.length === 0 && stored !== undefined
  if (!creates) return { name, request, response: [] }
  const line = `if (pm.response.code === 201) pm.collectionVariables.set('${stored}', pm.response.json().id)`
  const script = { type: 'text/javascript', exec: [line] }
  return { name, request, response: [], event: [{ listen: 'test', script }] }
}

function requestOf(method: Method, body: unknown): PostmanRequest {
  const { verb, path, about, ids, query, group } = method
  const places = path.replaceAll(/\{(\w+)\}/g, ':$1')
  const described = (description?: string) => (description === undefined ? {} : { description })
  const own = STORED[group.at(-1) ?? '']
  const filters = query.map(({ name, required, description }): Pair => ({
    key: name,
    value: REQUIRED_QUERY[name] ?? '',
    ...(required || name in REQUIRED_QUERY ? {} : { disabled: true }),
    ...described(description),
  }))
  const given = filters.filter(({ disabled }) => disabled !== true)
  const search = given.map(({ key, value }, at) => `${at === 0 ? '?' : '&'}${key}=${value}`)
  const json = [{ key: 'Content-Type', value: 'application/json' }]
  return {
    method: verb,
    description: about,
    header: [
      ...(body === undefined ? [] : json),
      ...(verb === 'GET' ? [] : [{ key: 'Idempotency-Key', value: '{{$guid}}' }]),
    ],
    url: {
      raw: `{{base_url}}${places}${search.join('')}`,
      host: ['{{base_url}}'],
      path: places.split('/').slice(1),
      query: filters,
      variable: ids.map(({ name, schema, description }) => ({
        key: name,
        value: String(schema.enum?.[0] ?? (own === undefined ? '' : `{{${own}}}`)),
        ...described(description),
      })),
    },
    ...(body !== undefined && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(body, null, 2),
        options: { raw: { language: 'json' } },
      },
    }),
  }
}

/** A value of the schema: of an object only the required fields, of a text its description. */
function sampleOf(document: OpenApi, schema: Schema): unknown {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return sampleOf(document, document.components.schemas[name] ?? {})
  const [first] = schema.anyOf ?? []
  if (first !== undefined) return sampleOf(document, first)
  const value = schema.const ?? schema.enum?.[0]
  if (value !== undefined) return value
  if (schema.type === 'object' || schema.properties !== undefined) {
    const fields = Object.entries(schema.properties ?? {})
    const required = fields.filter(([field]) => schema.required?.includes(field))
    return Object.fromEntries(required.map(([field, of]) => [field, sampleOf(document, of)]))
  }
  if (schema.type === 'array') return []
  if (schema.type === 'boolean') return false
  if (schema.type === 'string') return schema.description ?? ''
  return schema.minimum ?? 0
}

if (import.meta.main) {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document
  writeFileSync('docs/postman_collection.json', JSON.stringify(collectionOf(document), null, 2))
}
