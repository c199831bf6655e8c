// Every name of the interface specification is used in the code. The specification is read beside the
// checkout and not copied here.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as gapura from 'gapura'
import { describe, expect, test } from 'vitest'
import { sectionText, specIsPresent } from './conformance/spec.ts'

const SRC = path.resolve(import.meta.dirname, '../packages/service/src')
const listed = (pattern: RegExp, text: string): string[] => [
  ...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? match[0])),
]
const camel = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const snake = (name: string): string =>
  name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
const sources = (layer: string): string =>
  globSync(`${layer}/**/*.ts`, { cwd: SRC })
    .map((file) => readFileSync(path.join(SRC, file), 'utf8'))
    .join('\n')

describe.skipIf(!specIsPresent)('the names of the specification', () => {
  test('models: an exported type each, and a table', () => {
    const models = listed(/\bGateway[A-Z]\w+/g, sectionText('2'))
    expect(models).toHaveLength(7)
    const domain = sources('domain')
    const migrations = globSync('store/migrations/*.sql', { cwd: SRC })
      .map((file) => readFileSync(path.join(SRC, file), 'utf8'))
      .join('\n')
    for (const model of models) {
      expect(domain).toContain(`export interface ${model} {`)
      expect(migrations).toContain(`create table gapura.${snake(model)} (`)
      expect(readFileSync(path.join(SRC, 'index.ts'), 'utf8')).toMatch(new RegExp(`\\b${model}\\b`))
    }
  })

  test('signals, each published by the code', () => {
    const signals = listed(/\b(?:payment|invoice|subscription)_[a-z]+\b/g, sectionText('6.2'))
    expect(signals).toHaveLength(14)
    expect(gapura.SIGNALS).toEqual(expect.arrayContaining(signals))
    const domain = sources('domain').replace(/export const \w+_SIGNALS = \[[^\]]*\]/g, '')
    for (const signal of signals) expect(domain + sources('services')).toContain(`'${signal}'`)
  })

  test('tasks, by their own names in the queue', () => {
    const tasks = listed(/\b[a-z]+(?:_[a-z]+)+\b/g, sectionText('6.3'))
    expect(tasks).toHaveLength(7)
    expect(gapura.TASKS.map(({ name }) => name).sort()).toEqual(tasks.sort())
  })

  test('operations of the client, with their parameters', () => {
    const operations = [...sectionText('4.8').matchAll(/\b([a-z_0-9]+)\(([^)]*)\)/g)].filter(
      ([, name = '']) => name.includes('_') || name in gapura.OPERATIONS,
    )
    expect(operations).toHaveLength(27)
    const known: Readonly<Record<string, { parameters: readonly string[] }>> = gapura.OPERATIONS
    for (const [, name = '', parameters = ''] of operations) {
      expect(gapura.GatewayClient.prototype).toHaveProperty(camel(name))
      // The signature is computed locally; there is no request.
      if (name === 'verify_signature') continue
      const wanted = { name, parameters: parameters.split(',').map((one) => one.trim()) }
      expect({ name, parameters: known[name]?.parameters }).toEqual(wanted)
    }
  })

  test('functions of the service layers', () => {
    const layers = [...sectionText('4.8').matchAll(/layer offers: ([a-z_, ]+)\./g)]
    const functions = layers.flatMap(([, names = '']) => names.split(', '))
    expect(functions).toHaveLength(8 + 3 + 6)
    const services = sources('services')
    const { api, client } = gapura.createGapura({
      databaseUrl: 'postgres://127.0.0.1/none',
      gateway: { server_key: 'SB-Mid-server-none' },
    })
    expect(client).toBeInstanceOf(gapura.GatewayClient)
    for (const name of functions) {
      expect(api).toHaveProperty(camel(name))
      expect(services).toMatch(
        new RegExp(`export (?:const|async function|function) ${camel(name)}\\b`),
      )
    }
  })

  test('error kinds, each a class of its own', () => {
    const kinds = listed(/\bGateway\w*Error\b/g, sectionText('7'))
    expect(kinds).toHaveLength(7)
    for (const kind of kinds) expect(gapura).toHaveProperty(kind)
    expect(new Set(Object.values(gapura.ERRORS).map((row) => row.kind))).toEqual(new Set(kinds))
  })
})
