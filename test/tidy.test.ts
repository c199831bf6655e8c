import { describe, expect, test } from 'vitest'
import { folderCycles } from '../scripts/tidy/cycles.ts'
import { readTree, type Tree } from '../scripts/tidy/tree.ts'
import { findFaults } from '../scripts/tidy/rules.ts'
import { wordsLeft } from '../scripts/tidy/words.ts'

const repository = readTree(new URL('..', import.meta.url).pathname)

describe('the repository', () => {
  test('has the packages that the rules check', () => {
    expect(repository.has('packages/sdk/src/index.ts')).toBe(true)
    expect(repository.has('packages/service/src/index.ts')).toBe(true)
    expect(repository.has('packages/simulator/src/index.ts')).toBe(true)
    expect(repository.has('packages/dashboard/src/main.tsx')).toBe(true)
  })

  test('breaks no rule', () => {
    expect(findFaults(repository)).toEqual([])
  })

  test('has no word of the list in scripts/tidy/words.ts', () => {
    expect(wordsLeft(repository)).toEqual([])
  })

  test('reports a planted word with its file and line', () => {
    const file = 'packages/service/src/main/server.ts'
    const text = `// Nobody waits.\n${repository.get(file) ?? ''}`
    expect(wordsLeft(new Map([...repository, [file, text]]))).toEqual([
      { file, line: 1, word: 'nobody', use: expect.stringContaining('caller') },
    ])
  })

  test.each(['services', 'store', 'http'])('has no import cycle between folders of %s', (layer) => {
    expect(folderCycles(repository, `packages/service/src/${layer}/`)).toEqual([])
  })

  test('reports a planted import cycle between folders of services', () => {
    const services = 'packages/service/src/services'
    const lease = `${services}/operations/lease.ts`
    const text = `import '../payments/create_charge.ts'\n${repository.get(lease) ?? ''}`
    const [cycle] = folderCycles(new Map([...repository, [lease, text]]), `${services}/`)
    expect(cycle).toEqual(
      expect.arrayContaining([`${services}/operations`, `${services}/payments`]),
    )
  })
})

/** One planted fault for each rule, so a rule that finds nothing fails here. */
const PLANTED: { rule: string; file: string; text: string }[] = [
  {
    rule: 'layer',
    file: 'service/src/domain/money.ts',
    text: "import { x } from '../store/payments.ts'",
  },
  {
    rule: 'layer',
    file: 'service/src/http/charge.ts',
    text: "import { x } from '../gateway/client.ts'",
  },
  {
    rule: 'layer',
    file: 'service/src/store/a.ts',
    text: "import {\n  x,\n} from '../services/a.ts'",
  },
  { rule: 'layer', file: 'service/src/unknown/a.ts', text: 'export {}' },
  { rule: 'package', file: 'simulator/src/server.ts', text: "import { x } from 'gapura'" },
  {
    rule: 'package',
    file: 'service/src/main/dev.ts',
    text: "import { x } from '@gapura/simulator'",
  },
  {
    rule: 'package',
    file: 'simulator/src/sign.ts',
    text: "import { x } from '../../service/src/index.ts'",
  },
  { rule: 'package', file: 'sdk/src/client.ts', text: "import { x } from 'gapura'" },
  { rule: 'package', file: 'service/src/main/a.ts', text: "import { x } from '@gapura/sdk'" },
  { rule: 'portable', file: 'sdk/src/client.ts', text: "import { request } from 'node:http'" },
  { rule: 'portable', file: 'sdk/src/client.ts', text: "import axios from 'axios'" },
  { rule: 'portable', file: 'sdk/src/events.ts', text: "const key = Buffer.from('a')" },
  { rule: 'portable', file: 'sdk/src/client.ts', text: 'const page = window.location' },
  { rule: 'package', file: 'dashboard/src/a.tsx', text: "import { x } from 'gapura'" },
  { rule: 'sdk', file: 'dashboard/src/a.tsx', text: "const reply = await fetch('/payments/')" },
  { rule: 'browser', file: 'dashboard/src/a.tsx', text: '<p dangerouslySetInnerHTML={html} />' },
  { rule: 'length', file: 'dashboard/src/a.css', text: 'a {}\n'.repeat(301) },
  { rule: 'barrel', file: 'service/src/domain/index.ts', text: 'export {}' },
  { rule: 'name', file: 'service/src/domain/utils.ts', text: 'export {}' },
  { rule: 'name', file: 'service/src/domain/orderId.ts', text: 'export {}' },
  { rule: 'length', file: 'service/src/domain/long.ts', text: '// line\n'.repeat(301) },
  { rule: 'length', file: 'service/src/http/page/long.js', text: '// line\n'.repeat(301) },
  {
    rule: 'sql',
    file: 'service/src/services/a.ts',
    text: 'const q = `select id from gateway_payment`',
  },
  {
    rule: 'sql',
    file: 'service/src/http/a.ts',
    text: "const q = 'update gateway_payment set a = 1'",
  },
  {
    rule: 'driver',
    file: 'service/src/store/connection/transaction.ts',
    text: 'if (client.pipeline) send()',
  },
  {
    rule: 'driver',
    file: 'service/src/store/connection/pool.ts',
    text: 'client.connection.stream.setTimeout(0)',
  },
  { rule: 'env', file: 'service/src/gateway/a.ts', text: 'const key = process.env.KEY' },
  { rule: 'env', file: 'simulator/src/server.ts', text: "const port = process.env['PORT']" },
  { rule: 'fetch', file: 'service/src/services/a.ts', text: 'await fetch(url)' },
  { rule: 'pure', file: 'service/src/domain/a.ts', text: 'const at = Date.now()' },
  { rule: 'pure', file: 'service/src/domain/a.ts', text: 'const at = new Date()' },
  { rule: 'pure', file: 'service/src/domain/a.ts', text: 'const n = Math.random()' },
  { rule: 'pure', file: 'service/src/domain/a.ts', text: "import { readFileSync } from 'node:fs'" },
  { rule: 'dynamic-import', file: 'service/src/main/a.ts', text: "await import('./b.ts')" },
  { rule: 'unfinished', file: 'service/src/main/a.ts', text: '// TODO later' },
  {
    rule: 'payment-type',
    file: 'service/src/services/a.ts',
    text: "if (payment.payment_type === 'dana') look()",
  },
  {
    rule: 'payment-type',
    file: 'service/src/domain/check_plan.ts',
    text: "const slow = store !== 'indomaret'",
  },
  {
    rule: 'payment-type',
    file: 'service/src/services/a.ts',
    text: "switch (type) {\n  case 'echannel':",
  },
  {
    rule: 'payment-type',
    file: 'service/src/store/a.ts',
    text: "const q = `payment_type <> 'credit_card'`",
  },
  {
    rule: 'payment-type',
    file: 'service/src/http/a.ts',
    text: "const banks = new Set(['bca', 'bni'])",
  },
  {
    rule: 'payment-type',
    file: 'service/src/gateway/a.ts',
    text: "const acquirer = given ?? 'x'\nconst paid = 'gopay' === type",
  },
]

const PLANTED_IN_CLI: { rule: string; file: string; text: string }[] = [
  { rule: 'sql', file: 'cli/src/doctor/a.ts', text: "const q = 'select id from gapura.worker'" },
  { rule: 'dependency', file: 'cli/src/doctor/a.ts', text: "import { Pool } from 'pg'" },
  { rule: 'env', file: 'cli/src/commands/a.ts', text: 'const url = process.env.DATABASE_URL' },
  {
    rule: 'package',
    file: 'cli/src/a.ts',
    text: "import { x } from '../../service/src/store/database.ts'",
  },
]

/** Other spellings of the same faults; each was once missed by its rule. */
const EVASIONS: { rule: string; file: string; text: string }[] = [
  {
    rule: 'layer',
    file: 'domain/a.ts',
    text: "import {\n  x, // it's used\n} from '../store/b.ts'",
  },
  { rule: 'layer', file: 'http/a.ts', text: "import { GatewayClient } from '../index.ts'" },
  { rule: 'layer', file: 'domain/a.ts', text: "import type { x } from '../store/b.ts'" },
  { rule: 'pure', file: 'domain/a.ts', text: "import { Pool } from 'pg'" },
  { rule: 'pure', file: 'domain/a.ts', text: 'import fs from "fs"' },
  { rule: 'pure', file: 'domain/a.ts', text: 'const { now } = Date' },
  { rule: 'pure', file: 'domain/a.ts', text: 'const at = new Date' },
  { rule: 'pure', file: 'domain/a.ts', text: 'const at = Date()' },
  { rule: 'pure', file: 'domain/a.ts', text: 'const { random } = Math' },
  { rule: 'pure', file: 'domain/a.ts', text: 'setInterval(tick, 1)' },
  { rule: 'dependency', file: 'services/a.ts', text: "import { Pool } from 'pg'" },
  { rule: 'dependency', file: 'services/a.ts', text: 'import { request } from "undici"' },
  { rule: 'dependency', file: 'services/a.ts', text: "import { run } from 'graphile-worker'" },
  { rule: 'dependency', file: 'events/a.ts', text: "import { request } from 'node:https'" },
  { rule: 'fetch', file: 'services/a.ts', text: 'const go = options.fetch ?? fetch' },
  { rule: 'dynamic-import', file: 'main/a.ts', text: "await import ('./b.ts')" },
  { rule: 'dynamic-import', file: 'main/a.ts', text: 'const r = createRequire(import.meta.url)' },
  { rule: 'env', file: 'store/a.ts', text: 'const { env } = process' },
  { rule: 'env', file: 'store/a.ts', text: "import { env } from 'node:process'" },
  { rule: 'sql', file: 'services/a.ts', text: "await tx.query('begin')" },
  { rule: 'sql', file: 'services/a.ts', text: "await tx.query('commit')" },
  { rule: 'sql', file: 'services/a.ts', text: '`select pg_advisory_xact_lock(1)`' },
  { rule: 'sql', file: 'services/a.ts', text: "'select gapura.now()'" },
  { rule: 'sql', file: 'services/a.ts', text: '`\n  -- locks it\n  update gapura.a set b = 1`' },
  { rule: 'sql', file: 'services/a.ts', text: '`truncate gapura.a`' },
]

describe('other spellings of a fault are found', () => {
  test.each(EVASIONS)('$rule: $text', ({ rule, file, text }) => {
    const faults = findFaults(plant(`service/src/${file}`, text))
    expect(faults.map((fault) => fault.rule)).toContain(rule)
  })
})

const plant = (file: string, text: string): Tree => new Map([[`packages/${file}`, text]])

describe('each rule finds its planted fault', () => {
  test.each([...PLANTED, ...PLANTED_IN_CLI])('$rule in $file', ({ rule, file, text }) => {
    expect(findFaults(plant(file, text)).map((fault) => fault.rule)).toContain(rule)
  })

  test('an import cycle is reported once', () => {
    const cycle: Tree = new Map([
      ['packages/service/src/domain/a.ts', "import { b } from './b.ts'"],
      ['packages/service/src/domain/b.ts', "import type { c } from './c.ts'"],
      ['packages/service/src/domain/c.ts', "export { a } from './a.ts'"],
    ])
    expect(findFaults(cycle).map((fault) => fault.rule)).toEqual(['cycle'])
  })

  test('a link to a missing file or anchor is reported, a working link is not', () => {
    const docs: Tree = new Map([
      [
        'README.md',
        '[a](docs/a.md) [b](docs/a.md#d-01) [c](docs/b.md) [d](docs/a.md#d-99) [e](docs/)',
      ],
      ['docs/a.md', '## D-01'],
    ])
    expect(findFaults(docs).map((fault) => fault.why)).toEqual([
      'docs/b.md does not exist',
      'docs/a.md#d-99 does not exist',
    ])
  })
})

describe('allowed code is not reported', () => {
  const ALLOWED: { file: string; text: string }[] = [
    {
      file: 'service/src/store/payments/rows.ts',
      text: 'const q = `select id from gateway_payment`',
    },
    { file: 'service/src/main/config.ts', text: 'export const parse = (env = process.env) => env' },
    { file: 'service/src/services/a.ts', text: "import { x } from '../domain/money.ts'" },
    { file: 'service/src/gateway/a.ts', text: "import { Pool } from 'undici'" },
    { file: 'simulator/src/main.ts', text: "const port = process.env['PORT']" },
    { file: 'service/src/domain/time.ts', text: 'export const at = (ms: number) => new Date(ms)' },
    { file: 'service/src/domain/time.ts', text: "export const utc = Date.parse('2026-01-01')" },
    {
      file: 'service/src/domain/errors.ts',
      text: "const advice = 'Update the order and set another id.'",
    },
    {
      file: 'dashboard/src/a.tsx',
      text: "import { createClient } from '@gapura/sdk'\nimport { useState } from 'react'",
    },
    { file: 'sdk/src/api/model.ts', text: '// line\n'.repeat(301) },
    { file: 'sdk/src/send.ts', text: 'const reply = await fetch(url, { signal })' },
    { file: 'sdk/src/call.ts', text: 'const bytes = crypto.getRandomValues(new Uint8Array(16))' },
    { file: 'service/src/domain/a.ts', text: '// A new Date() would make this impure.' },
    { file: 'service/src/http/a.ts', text: "const advice = 'Select a method from the list.'" },
    { file: 'service/src/domain/payment_type.ts', text: "const x = type === 'dana'" },
    { file: 'service/src/services/a.ts', text: "const fault = { field: 'gopay', message }" },
    { file: 'service/src/domain/payment_type.test.ts', text: "const x = type === 'dana'" },
    { file: 'simulator/src/charge/a.ts', text: "const x = type === 'dana'" },
  ]
  test.each(ALLOWED)('$file', ({ file, text }) => {
    expect(findFaults(plant(file, text))).toEqual([])
  })
})
