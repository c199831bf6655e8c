// Every TypeScript block of the documentation compiles under `tsc --strict`, each as a module of its
// own. Names that a page takes as given are declared here, with their real types.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readTree } from '../../scripts/tidy/tree.ts'

/** What an earlier block or the reader's own program has declared. */
const GIVEN = `
declare const gapura: import('gapura').Gapura
declare const shop: import('gapura').Caller
declare const payment: import('gapura').PaymentRepresentation
declare const createServer: typeof import('node:http').createServer
declare const NestFactory: typeof import('@nestjs/core').NestFactory
declare class AppModule {}
type NestModule = import('@nestjs/common').NestModule
type MiddlewareConsumer = import('@nestjs/common').MiddlewareConsumer
`

/** What \`app\` is, by the section of a page. Koa is no dependency of ours. */
const APPS: Readonly<Record<string, string>> = {
  Fastify: "import('fastify').FastifyInstance",
  'Express and Connect': "import('express').Express",
  'Hono, and anything with the standard Request': "import('hono').Hono",
  Koa: '{ use: (handler: (context: any, next: () => Promise<unknown>) => Promise<unknown>) => void }',
}

/** Of an event handler that is shown in part: its arguments, and the reader's own database. */
const IN_HANDLER = `
  client: import('pg').PoolClient,
  { id, object }: import('gapura').SignalEnvelope<'payment_settled'>,
`

interface Shown {
  page: string
  section: string
  code: string
}

const shownIn = (page: string, text: string): Shown[] =>
  text.split(/^(?=#+ )/m).flatMap((part) => {
    const section = /^#+ (.*)$/m.exec(part)?.[1] ?? ''
    return [...part.matchAll(/^```ts[^\n]*\n([\s\S]*?)^```/gm)].map(([, code = '']) => ({
      page,
      section,
      code,
    }))
  })

const blocks = [...readTree('.')]
  .filter(([file]) => file.endsWith('.md'))
  .flatMap(([file, text]) => shownIn(file, text))

const OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2024',
  module: 'nodenext',
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  customConditions: ['@gapura/source'],
  types: ['node'],
}

/** A block with what it takes as given; a part of a handler stands in a function. */
function moduleOf({ section, code }: Shown): string {
  const app = APPS[section]
  const declares = app === undefined ? '' : `declare const app: ${app}\n`
  const is_part = /^if \(.*\) return$/m.test(code)
  const body = is_part ? `export async function handler(${IN_HANDLER}) {\n${code}\n}` : code
  return `${declares}${body}\nexport {}\n`
}

/** What the compiler says, by the page of the block. */
function faultsOf(shown: readonly Shown[]): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'gapura-code-blocks-'))
  try {
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'))
    const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
    write('package.json', '{ "type": "module" }')
    write('tsconfig.json', JSON.stringify({ compilerOptions: OPTIONS, include: ['*.ts'] }))
    write('given.d.ts', GIVEN)
    shown.forEach((one, index) => write(`block_${index}.ts`, moduleOf(one)))
    const compiler = path.resolve('node_modules/.bin/tsc')
    const { stdout } = spawnSync(compiler, ['-p', '.'], { cwd: folder, encoding: 'utf8' })
    return [...stdout.matchAll(/^block_(\d+)\.ts\S+ (.*)$/gm)].map(([, index, fault = '']) => {
      const { page = '', section = '' } = shown[Number(index)] ?? {}
      return `${page}, ${section}: ${fault}`
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test(
  'every TypeScript block of the pages compiles under tsc --strict',
  { timeout: 120_000 },
  () => {
    expect(blocks.length).toBeGreaterThan(25)
    expect(faultsOf(blocks)).toEqual([])
  },
)

test('a block that does not compile is found', { timeout: 120_000 }, () => {
  const wrong =
    "await gapura.api.createCharge(shop, { payment_type: 'bank_transfer', gross_amount: 1 })"
  const faults = faultsOf([
    { page: 'a.md', section: 'Charge', code: wrong },
    { page: 'b.md', section: 'Fastify', code: 'app.register(gapura.plugins)' },
  ])
  expect(faults).toEqual([
    expect.stringContaining('a.md, Charge: error TS'),
    expect.stringContaining('b.md, Fastify: error TS'),
  ])
})
