// Names that are inside the service and not on the wire are compared with the specification's own
// text, read where it lies.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { GatewayClient, OPERATIONS, SIGNALS, signNotification, TASKS } from 'gapura'
import type { Check } from './payment_checks.ts'
import { sectionText, specLines } from './spec.ts'

const textOf = (section: string): string[] =>
  specLines()
    .filter((line) => line.section === section)
    .map(({ text }) => text)

/** `name(a, b="")` as the specification writes operations. */
function operationsOf(text: string): [name: string, parameters: string[]][] {
  return [...text.matchAll(/(\w+)\(([^)]*)\)/g)].map(([, name = '', parameters = '']) => [
    name,
    parameters.split(',').map((parameter) => parameter.trim()),
  ])
}

const known: ReadonlyMap<string, { parameters: readonly string[] }> = new Map(
  Object.entries(OPERATIONS),
)
const camel = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export const NAME_CHECKS: Record<string, Check> = {
  client_operations: () => {
    const named = textOf('4.8').flatMap(operationsOf)
    assert.equal(named.length, 27)
    for (const [name, parameters] of named) {
      assert(camel(name) in GatewayClient.prototype, name)
      if (name !== 'verify_signature')
        assert.deepEqual(known.get(name)?.parameters, parameters, name)
    }
    return Promise.resolve()
  },
  client_signature: () => {
    const client = new GatewayClient({ server_key: 'SB-Mid-server-ours' })
    const fields = { order_id: 'order-1', status_code: '200', gross_amount: '10000.00' }
    const ours = signNotification(fields, 'SB-Mid-server-ours')
    const theirs = signNotification(fields, 'SB-Mid-server-theirs')
    assert(client.verifySignature({ ...fields, signature_key: ours }))
    assert(!client.verifySignature({ ...fields, signature_key: theirs }))
    const server_key = 'SB-Mid-server-theirs'
    assert(client.verifySignature({ ...fields, signature_key: theirs, server_key }))
    return Promise.resolve()
  },
  signals_named: () => {
    const named = textOf('6.2').flatMap((row) => row.match(/\b[a-z]+_[a-z]+\b/g) ?? [])
    assert.equal(named.length, 14)
    for (const name of named)
      assert(
        SIGNALS.some((signal) => signal === name),
        name,
      )
    return Promise.resolve()
  },
  tasks_named: () => {
    const named = sectionText('6.3').match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []
    assert.equal(named.length, 7)
    assert.deepEqual(TASKS.map(({ name }) => name).toSorted(), named.toSorted())
    return Promise.resolve()
  },
  release: () => {
    const file = new URL('../../packages/service/package.json', import.meta.url)
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
    const [line = ''] = textOf('9')
    assert.equal(/\d+\.\d+\.\d+/.exec(line)?.[0], version)
    return Promise.resolve()
  },
}
