// The scope statement of docs/security.md, true by test: no route takes a card number, and nothing
// of ours asks for one.
import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../src/main/routes.ts'
import { useHttp } from './http_bench.ts'

const http = useHttp()
const CARD = '4811111111111114'
const CARD_NAMES = /card_?(?:number|exp|cvv|cvc)|\bpan\b|cvv|cvc/i

interface Operation {
  operationId: string
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> }
}
const document = openApiDocument('0') as unknown as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

describe('the interface document', () => {
  test('has no field for a card, its dates or its CVV in any request', () => {
    const inputs = Object.keys(document.components.schemas).filter((name) => name.endsWith('Input'))
    expect(inputs.length).toBeGreaterThanOrEqual(5)
    const names = inputs.flatMap((name) => [
      ...JSON.stringify(document.components.schemas[name]).matchAll(/"(\w+)":\{/g),
    ])
    expect(names.length).toBeGreaterThan(50)
    expect(names.map(([, name = '']) => name).filter((name) => CARD_NAMES.test(name))).toEqual([])
  })

  test('no reply shows more of a card than its first and last digits', () => {
    const replies = JSON.stringify(document.components.schemas)
    expect([...replies.matchAll(/"(\w*card\w*)":/g)].map(([, name]) => name)).toEqual([
      ...new Set(['masked_card']),
    ])
  })
})

describe('a card number', () => {
  const posts = Object.entries(document.paths).flatMap(([path, methods]) =>
    'post' in methods ? [path] : [],
  )
  test.each(posts)('is taken by POST %s under no name', async (path) => {
    const id = '01890000-0000-7000-8000-000000000000'
    const filled = path.replace('{pk}', id).replace('{action_name}', 'cancel')
    for (const name of ['card_number', 'number', 'pan', 'token_id', 'reason', 'notes']) {
      const { status, text } = await http.post(filled, { body: { [name]: CARD } })
      expect([path, name, status]).toEqual([
        path,
        name,
        expect.toSatisfy((s) => s >= 400 && s < 500),
      ])
      expect(text).not.toContain(CARD)
    }
  })
})

test('no file outside the gateway layer calls the two operations that carry a card number', async () => {
  const source = new URL('../../src/', import.meta.url)
  const files = (await readdir(source, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('gateway/'),
  )
  expect(files.length).toBeGreaterThan(100)
  const callers: string[] = []
  for (const file of files) {
    const text = await readFile(new URL(file, source), 'utf8')
    if (/getCardToken|registerCard|card_number/.test(text)) callers.push(file)
  }
  expect(callers).toEqual([])
})
