// The Postman collection: up to date, of format v2.1, and its requests work against the real service.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { SCOPES, type GapuraOptions } from 'gapura'
import { beforeAll, describe, expect, test } from 'vitest'
import { useHttp } from '../../packages/service/test/http/http_bench.ts'
import { collectionOf, type Collection, type Folder, type Item } from '../../scripts/postman.ts'
import { NOT_FOR_CALLERS } from '../../scripts/sdk/document.ts'

type Document = Parameters<typeof collectionOf>[0]
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const document = read('docs/openapi.json') as Document
const collection = read('docs/postman_collection.json') as Collection

const isFolder = (one: Item | Folder): one is Folder => 'item' in one
const requestsOf = (items: readonly (Item | Folder)[]): Item[] =>
  items.flatMap((one) => (isFolder(one) ? requestsOf(one.item) : [one]))

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
/** The fields of format v2.1 that we use. A field that is not listed is a fault. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  collection: ['info', 'auth', 'variable', 'item'],
  info: ['name', 'description', 'version', 'schema'],
  folder: ['name', 'item'],
  item: ['name', 'request', 'response', 'event'],
  request: ['method', 'description', 'header', 'url', 'body'],
  url: ['raw', 'host', 'path', 'query', 'variable'],
  body: ['mode', 'raw', 'options'],
  pair: ['key', 'value', 'type', 'description', 'disabled'],
}

const unknownFields = (kind: string, value: object | undefined): string[] =>
  Object.keys(value ?? {})
    .filter((field) => !FIELDS[kind]?.includes(field))
    .map((field) => `${kind} has ${field}`)

function pairFaults(pairs: readonly object[]): string[] {
  return pairs.flatMap((pair) => {
    const { key, value } = pair as Record<string, unknown>
    const texts = typeof key === 'string' && key !== '' && typeof value === 'string'
    return [...unknownFields('pair', pair), ...(texts ? [] : [`pair ${String(key)} has no text`])]
  })
}

function requestFaults({ name, request, response, event = [] }: Item): string[] {
  const { method, header, url, body } = request
  const asked = url.query.filter(({ disabled }) => disabled !== true)
  const query = asked.map(({ key, value }) => `${key}=${value}`).join('&')
  const path = `{{base_url}}/${url.path.join('/')}${query === '' ? '' : `?${query}`}`
  const named = url.path.filter((part) => part.startsWith(':')).map((part) => part.slice(1))
  const given = url.variable.map(({ key }) => key)
  const faults = [
    ...unknownFields('request', request),
    ...unknownFields('url', url),
    ...unknownFields('body', body),
    ...pairFaults([...header, ...url.query, ...url.variable]),
    ...(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method) ? [] : [`method ${method}`]),
    ...(url.raw === path && url.host.join() === '{{base_url}}' ? [] : [`raw ${url.raw}`]),
    ...(named.join() === given.join() ? [] : [`path variables ${given.join()}`]),
    ...(body === undefined || (body.mode === 'raw' && typeof body.raw === 'string')
      ? []
      : ['body is not raw']),
    ...(Array.isArray(response) ? [] : ['response is not a list']),
    ...event
      .filter(({ listen, script }) => listen !== 'test' || !Array.isArray(script.exec))
      .map(() => 'event is not a test'),
  ]
  return faults.map((fault) => `${name}: ${fault}`)
}

function itemFaults(one: Item | Folder): string[] {
  const faults = isFolder(one)
    ? [...unknownFields('folder', one), ...one.item.flatMap(itemFaults)]
    : [...unknownFields('item', one), ...requestFaults(one)]
  return one.name === '' ? [...faults, 'an item has no name'] : faults
}

/** What Postman would not import, or import as something else. */
function formatFaults(whole: Collection): string[] {
  const text = JSON.stringify(whole)
  const known = whole.variable.map(({ key }) => key)
  const used = [...text.matchAll(/\{\{([^}]+)\}\}/g)].map(([, name = '']) => name)
  return [
    ...unknownFields('collection', whole),
    ...unknownFields('info', whole.info),
    ...(whole.info.schema === SCHEMA ? [] : ['info.schema']),
    ...(whole.auth.type === 'bearer' ? pairFaults(whole.auth.bearer) : ['auth']),
    ...pairFaults(whole.variable),
    ...[...new Set(used)]
      .filter((name) => name !== '$guid' && !known.includes(name))
      .map((name) => `variable ${name} is not declared`),
    ...whole.item.flatMap(itemFaults),
  ]
}

describe('docs/postman_collection.json', () => {
  test('is what docs/openapi.json says; otherwise run npm run generate postman', () => {
    expect(collection).toEqual(collectionOf(document))
  })

  test('follows the format v2.1', () => {
    expect(formatFaults(collection)).toEqual([])
  })

  test('has every route of a caller, and every example as the body of a request', () => {
    const requests = requestsOf(collection.item).map(({ request }) => request)
    const sent = requests.map(
      ({ method, url, body }) => `${method} ${url.raw.replace(/\?.*/, '')} ${body?.raw ?? ''}`,
    )
    for (const [path, routes] of Object.entries(document.paths)) {
      for (const [method, { operationId, requestBody }] of Object.entries(routes)) {
        if (NOT_FOR_CALLERS.has(operationId)) continue
        const start = `${method.toUpperCase()} {{base_url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')} `
        const bodies = Object.values(requestBody?.content['application/json']?.examples ?? {})
        const wanted = bodies.map(({ value }) => `${start}${JSON.stringify(value, null, 2)}`)
        const found = sent.filter((one) => one.startsWith(start))
        expect(bodies.length > 0 ? found : [found.length]).toEqual(bodies.length > 0 ? wanted : [1])
      }
    }
  })

  test('every write has a new Idempotency-Key', () => {
    const writes = requestsOf(collection.item).filter(({ request }) => request.method !== 'GET')
    expect(writes.length).toBeGreaterThan(20)
    const keys = writes.map(({ request }) =>
      request.header.find(({ key }) => key === 'Idempotency-Key'),
    )
    expect(keys.filter((header) => header?.value !== '{{$guid}}')).toEqual([])
  })

  test('a wrong schema, an undeclared variable, a lost path variable and an unknown field are found', () => {
    const planted = structuredClone(collection)
    planted.info.schema = SCHEMA.replace('v2.1.0', 'v2.0.0')
    planted.variable.pop()
    const first = requestsOf(planted.item.slice(1)).find(({ request }) => request.url.variable[0])
    first?.request.url.variable.pop()
    Object.assign(first?.request ?? {}, { headers: [] })
    expect(formatFaults(planted)).toEqual([
      'info.schema',
      'variable webhook_endpoint_id is not declared',
      'Read an invoice: request has headers',
      'Read an invoice: path variables ',
    ])
  })
})

// Real API keys, as a user of Postman has them.
const http = useHttp({ authenticate: undefined } as unknown as Partial<GapuraOptions>)

describe('sent as Postman does', () => {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]))
  const fill = (text: string): string =>
    text.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) =>
      name === '$guid' ? randomUUID() : (variables.get(name) ?? ''),
    )

  beforeAll(async () => {
    const order = { name: 'postman', owner_id: 'ani', staff: true, scopes: [...SCOPES] }
    variables.set('base_url', http.parts.url)
    variables.set('api_key', (await http.parts.gapura.createApiKey(order)).key)
  })

  /** Sends a request and runs the script that follows it; `id` replaces an empty path variable. */
  async function sent({ request, event = [] }: Item, id = '') {
    const { url, header, method, body } = request
    const place = url.variable.reduce(
      (path, { key, value }) => path.replace(`:${key}`, fill(value) || id),
      url.raw,
    )
    const token = collection.auth.bearer[0]?.value ?? ''
    const headers = Object.fromEntries(header.map(({ key, value }) => [key, fill(value)]))
    const reply = await fetch(fill(place), {
      method,
      headers: { ...headers, Authorization: `Bearer ${fill(token)}` },
      ...(body !== undefined && { body: fill(body.raw) }),
    })
    const text = await reply.text()
    const set = (name: string, value: string): void => void variables.set(name, value)
    const response = { code: reply.status, json: (): unknown => JSON.parse(text) }
    const pm = { response, collectionVariables: { set } }
    for (const { script } of event) runInNewContext(script.exec.join('\n'), { pm })
    return { status: reply.status, text }
  }

  /** One row of the log of an endpoint. */
  async function tested(endpoint_id: string): Promise<string> {
    const [row] = await http.database.sql(
      `insert into gapura.webhook_delivery
         (id, endpoint_id, event_id, attempt, duration_ms, type, outcome, url)
       values (gen_random_uuid(), $1, gen_random_uuid(), 1, 1, 'webhook_test', 'delivered', 'x')
       returning id`,
      [endpoint_id],
    )
    return String(row?.['id'])
  }

  const named = (name: RegExp): Item => {
    const found = requestsOf(collection.item).find((one) => name.test(one.name))
    if (found === undefined) throw new Error(`the collection has no request ${String(name)}`)
    return found
  }

  test('a charge is made, its id is stored, and every GET answers 200', async () => {
    const charge = await sent(named(/^Create a charge at the gateway: Virtual/))
    expect(charge).toMatchObject({ status: 201 })
    const payment = JSON.parse(charge.text) as { id: string; order_id: string }
    expect(variables.get('payment_id')).toBe(payment.id)
    expect((await sent(named(/^Create an invoice at the gateway: By/))).status).toBe(201)
    expect((await sent(named(/^Create a subscription/))).status).toBe(201)
    expect((await sent(named(/^Open a page .*: Without/))).status).toBe(201)

    await http.control(`transactions/${payment.order_id}/pay`)
    const listed = async (): Promise<string> => {
      const { text } = await sent(named(/^List received notifications/))
      return (JSON.parse(text) as { results: { id: string }[] }).results[0]?.id ?? ''
    }
    await expect.poll(listed).not.toBe('')
    const notification = await listed()

    expect((await sent(named(/^Create a webhook endpoint/))).status).toBe(201)
    const endpoint_id = variables.get('webhook_endpoint_id') ?? ''
    const delivery = await tested(endpoint_id)

    const gets = requestsOf(collection.item).filter(({ request }) => request.method === 'GET')
    expect(gets.length).toBeGreaterThan(20)
    const statuses = await Promise.all(
      gets.map(async (get) => {
        const { raw } = get.request.url
        const id = raw.includes('webhook_deliveries') ? delivery : notification
        return `${(await sent(get, id)).status} ${raw}`
      }),
    )
    // No statement was imported here, so nothing was compared and no payout is known; and there is
    // one cell.
    const absent = /\/staff\/(?:(?:statements|reconciliation\/\w+)\/:pk|cells\/payments)\/$/
    const wrong = statuses.filter(
      (status) => !status.startsWith(absent.test(status) ? '404 ' : '200 '),
    )
    expect(wrong).toEqual([])
  })

  test('a wrong key is refused', async () => {
    const key = variables.get('api_key') ?? ''
    variables.set('api_key', 'gpk_wrong')
    expect((await sent(named(/^List payments/))).status).toBe(401)
    variables.set('api_key', key)
  })
})
