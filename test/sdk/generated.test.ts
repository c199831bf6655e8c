// SDK and interface document agree: the committed files are the generated ones, every route is a
// method, and the methods send what the document says.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { createClient, EVENT_TYPES, type Pages } from '@gapura/sdk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { UNCLEAR_CODES } from '../../packages/sdk/src/errors.ts'
import { ERRORS } from '../../packages/service/src/domain/error_catalogue.ts'
import { SIGNALS } from '../../packages/service/src/domain/signals.ts'
import { NOT_FOR_CALLERS, type OpenApi } from '../../scripts/sdk/document.ts'
import { sdkFiles } from '../../scripts/sdk/files.ts'
import { bundleSdk, GZIP_BYTES_MAX } from '../../scripts/sdk/size.ts'
import { planted } from './planted_document.ts'

const root = new URL('../..', import.meta.url).pathname
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const document = JSON.parse(read('docs/openapi.json')) as OpenApi
const { Problem = {} } = document.components.schemas
const PLANTED = planted({ Problem })
const folder = 'packages/sdk/src/api'

const formatted = (name: string, text: string): string =>
  execFileSync('oxfmt', ['--stdin-filepath', `${folder}/${name}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${root}/node_modules/.bin:${process.env['PATH'] ?? ''}` },
  })

test('packages/sdk/src/api is what docs/openapi.json says; otherwise run npm run generate sdk', () => {
  const files = sdkFiles(document)
  expect(readdirSync(path.join(root, folder)).sort()).toEqual([...files.keys()].sort())
  for (const [name, text] of files) {
    expect([name, read(`${folder}/${name}`)]).toEqual([name, formatted(name, text)])
  }
})

const isList = (value: unknown): value is Pages<unknown> =>
  typeof value === 'object' && value !== null && 'page' in value

/** Calls every function of a client, at any depth, with `ID` for each parameter. */
async function everyCall(): Promise<string[]> {
  const calls: string[] = []
  const fetch = async (url: string, { method = '' }: RequestInit): Promise<Response> => {
    calls.push(`${method} ${new URL(url).pathname}`)
    return Response.json({ results: [], next: null, previous: null })
  }
  const walk = async (part: object): Promise<void> => {
    for (const member of Object.values(part) as unknown[]) {
      if (typeof member === 'function') {
        const given = Array<string>(member.length - 1).fill('ID')
        const result: unknown = Reflect.apply(member, undefined, given)
        await (isList(result) ? result.page() : result)
      } else if (typeof member === 'object' && member !== null) await walk(member)
    }
  }
  await walk(createClient({ baseUrl: 'http://a.example', fetch }))
  return calls
}

test('every route of the document has a method, and every method has a route', async () => {
  const routes = Object.entries(document.paths).flatMap(([where, operations]) =>
    Object.entries(operations)
      .filter(([, { operationId }]) => !NOT_FOR_CALLERS.has(operationId))
      .map(([verb]) => `${verb.toUpperCase()} ${where.replaceAll(/\{\w+\}/g, 'ID')}`),
  )
  expect(routes.length).toBeGreaterThan(0)
  expect((await everyCall()).sort()).toEqual(routes.sort())
})

test('only the webhook has no method, and it needs no caller', () => {
  const open = Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .filter((operation) => NOT_FOR_CALLERS.has(operation.operationId))
  expect(open).toHaveLength(NOT_FOR_CALLERS.size)
  for (const operation of open) expect(operation).toMatchObject({ security: [] })
})

describe('what the document does not say agrees with the service', () => {
  test('the codes after which the request may have had an effect', () => {
    const indefinite = Object.entries(ERRORS).filter(([, { definite }]) => !definite)
    // Two codes that are not error kinds: the first request still runs, or its outcome is unknown.
    const expected = [...indefinite.map(([code]) => code), 'request_in_progress', 'internal_error']
    expect([...UNCLEAR_CODES].sort()).toEqual(expected.sort())
  })

  test('the types of events', () => {
    expect(EVENT_TYPES).toEqual(SIGNALS)
  })
})

describe('future routes', () => {
  test('become methods that compile, without code written by hand', () => {
    expect(compiled(sdkFiles(PLANTED), new Map([['used.ts', USED]]))).toBe('')
  })

  test('two routes with the same method name are refused', () => {
    const { paths } = PLANTED
    const twice = { ...PLANTED, paths: { ...paths, '/invoices/all/': paths['/invoices/'] ?? {} } }
    expect(() => sdkFiles(twice)).toThrow('two routes would be client.invoices.list')
  })

  test('a write without an Idempotency-Key is refused', () => {
    const careless = structuredClone(PLANTED)
    const route = careless.paths['/invoices/']?.['post']
    if (route) delete route.parameters
    expect(() => sdkFiles(careless)).toThrow('create_invoice: a write without an Idempotency-Key')
  })

  test('an unknown kind of schema is refused', () => {
    const strange = structuredClone(PLANTED)
    strange.components.schemas['Invoice'] = {
      type: 'object',
      properties: { odd: { type: 'strange' } },
    }
    expect(() => sdkFiles(strange)).toThrow('Invoice.odd')
  })
})

/** Does not compile unless the planted routes have these methods, with these types. */
const USED = `import { createClient } from './client.ts'
import type { Invoice, InvoiceStatus } from './index.ts'
const client = createClient({ baseUrl: 'http://a.example' })
export async function use(): Promise<void> {
  const invoice: Invoice = await client.invoices.create({ due_date: 'x' }, { idempotencyKey: 'k' })
  const status: InvoiceStatus = invoice.status
  for await (const one of client.invoices.list({ status })) await client.invoices.void(one.id, { reason: 'x' })
  await client.subscriptions.act('id', 'disable')
  const updated: { id: string } | { queued: true } = await client.subscriptions.update('id', {})
  const { results } = await client.staff.openAlarms.list().page()
  await client.staff.openAlarms.close(results[0]?.id ?? '')
  await client.staff.report.get({ from: 'x' })
  console.log(updated)
}
`

test('the examples of the README compile', () => {
  const blocks = [...read('packages/sdk/README.md').matchAll(/```ts\n([\s\S]*?)```/g)]
  expect(blocks.length).toBeGreaterThan(1)
  const examples = blocks.map(
    ([, code = ''], at) =>
      [
        `example_${at}.ts`,
        code.replace('@gapura/sdk/browser', './browser.ts').replace('@gapura/sdk', './index.ts'),
      ] as const,
  )
  expect(compiled(sdkFiles(document), new Map(examples))).toBe('')
})

/** Compiler errors of the SDK with another `api` and further files; empty if there are none. */
function compiled(api: ReadonlyMap<string, string>, more: ReadonlyMap<string, string>): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'gapura-sdk-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  const write = (name: string, text: string): void => writeFileSync(path.join(copy, name), text)
  cpSync(path.join(root, 'packages/sdk/src'), path.join(copy, 'src'), { recursive: true })
  for (const name of readdirSync(path.join(copy, 'src/api')))
    rmSync(path.join(copy, 'src/api', name))
  for (const [name, text] of api) write(`src/api/${name}`, text)
  for (const [name, text] of more) write(`src/${name}`, text)
  const { compilerOptions } = JSON.parse(read('tsconfig.base.json')) as { compilerOptions: object }
  const options = { ...compilerOptions, lib: ['es2022', 'dom'], types: [], noEmit: true }
  write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src'] }))
  write('package.json', '{"type":"module"}')
  try {
    const tsc = path.join(root, 'node_modules/.bin/tsc')
    return execFileSync(tsc, ['-p', '.'], { cwd: copy, encoding: 'utf8' })
  } catch (error) {
    return String((error as { stdout: unknown }).stdout)
  }
}

describe('the bundle', () => {
  test(`is at most ${GZIP_BYTES_MAX} bytes, gzipped; npm run suite sdk-size prints it`, async () => {
    const { gzip_bytes } = await bundleSdk()
    expect(gzip_bytes).toBeLessThanOrEqual(GZIP_BYTES_MAX)
    // An empty bundle would pass as well.
    expect(gzip_bytes).toBeGreaterThan(GZIP_BYTES_MAX / 3)
  })

  test('runs with only what browsers and workers share', async () => {
    const asked: string[] = []
    const context = createContext({
      fetch: async (url: string) => {
        asked.push(url)
        return Response.json({ id: 'payment-1' }, { status: asked.length === 1 ? 503 : 201 })
      },
      AbortController,
      Headers,
      TextDecoder,
      TextEncoder,
      URL,
      URLSearchParams,
      Uint8Array,
      atob,
      btoa,
      clearTimeout,
      crypto,
      performance,
      setTimeout,
    })
    const { code } = await bundleSdk('iife')
    runInContext(code, context)
    const payment: unknown = await runInContext(
      `gapura.createClient({ baseUrl: 'http://a.example', apiKey: 'k' })
        .payments.create({ payment_type: 'qris', gross_amount: 1 })`,
      context,
    )
    expect(payment).toEqual({ id: 'payment-1' })
    expect(asked).toEqual(['http://a.example/charge/', 'http://a.example/charge/'])
    const event: unknown = await runInContext(
      `(async () => {
        const body = '{"type":"payment_settled","timestamp":"2026-01-01T00:00:00Z","data":{}}'
        const secrets = 'whsec_' + 'A'.repeat(32)
        return gapura.verifyEvent({ body, secrets, headers: await gapura.signEvent({ id: 'e', body, secrets }) })
      })()`,
      context,
    )
    expect(event).toMatchObject({ id: 'e', type: 'payment_settled' })
  })

  test('needs no module and nothing of Node', async () => {
    const { code } = await bundleSdk()
    expect(code).not.toMatch(/\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b|node:/)
  })
})
