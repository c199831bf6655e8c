import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { unannounced } from '../../scripts/openapi/changelog.ts'
import { additions, breaks, type ApiDocument } from '../../scripts/openapi/compatibility.ts'
import { drop, input, post, put, sample, thing, type Change } from './sample_document.ts'

const documentAt = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8')) as ApiDocument

test('docs/openapi.json breaks nothing of the baseline; CONTRIBUTING.md says how to break it on purpose', () => {
  expect(breaks(documentAt('openapi.baseline.json'), documentAt('openapi.json'))).toEqual([])
})

function found(change: Change): string[] {
  const after = sample()
  change(after)
  return breaks(sample() as unknown as ApiDocument, after as unknown as ApiDocument).map(
    ({ where, what }) => `${where} ${what}`,
  )
}

const BREAKING: [string, RegExp, Change][] = [
  ['a route removed', /is gone/, (all) => drop(all.paths, '/things/')],
  ['a method removed', /is gone/, (all) => drop(all.paths['/things/'] ?? {}, 'post')],
  ['an operation renamed', /is called make/, (all) => (post(all).operationId = 'make')],
  ['another scope', /another caller/, (all) => (post(all).security = [{ bearer: ['x'] }])],
  ['authentication removed', /another caller/, (all) => (post(all).security = [])],
  ['a parameter removed', /colour is gone/, (all) => post(all).parameters.shift()],
  [
    'a new required parameter',
    /parameter size is new/,
    (all) => post(all).parameters.push({ name: 'size', in: 'query', required: true, schema: {} }),
  ],
  [
    'a parameter required',
    /Key is required now/,
    (all) => Object.assign(post(all).parameters[1] ?? {}, { required: true }),
  ],
  [
    'a word of a parameter removed',
    /colour: blue/,
    (all) => Object.assign(post(all).parameters[0] ?? {}, { schema: { enum: ['red'] } }),
  ],
  ['a body required', /body is required now/, (all) => (post(all).requestBody.required = true)],
  [
    'a body not taken',
    /application\/json is not taken/,
    (all) => (post(all).requestBody.content = {}),
  ],
  ['a required field', /body kind: is required now/, (all) => input(all).required.push('kind')],
  [
    'a request field removed',
    /body kind: is not taken any more/,
    (all) => drop(input(all).properties, 'kind'),
  ],
  [
    'a request word removed',
    /body kind: b is not/,
    (all) => put(input(all).properties, 'kind', { enum: ['a'] }),
  ],
  [
    'words for free text',
    /body name: a list of values/,
    (all) => put(input(all).properties, 'name', { type: 'string', enum: ['x'], maxLength: 50 }),
  ],
  [
    'a request type changed',
    /body name: string is not integer/,
    (all) => put(input(all).properties, 'name', { type: 'integer' }),
  ],
  [
    'an alternative removed',
    /body amount: string is not/,
    (all) =>
      put(input(all).properties, 'amount', { anyOf: [{ type: 'number' }, { type: 'boolean' }] }),
  ],
  [
    'a request text shorter',
    /maxLength 50 is beyond 40/,
    (all) => put(input(all).properties, 'name', { type: 'string', minLength: 1, maxLength: 40 }),
  ],
  [
    'a request text longer',
    /minLength 1 is beyond 2/,
    (all) => put(input(all).properties, 'name', { type: 'string', minLength: 2, maxLength: 50 }),
  ],
  [
    'a pattern on a request',
    /pattern/,
    (all) => put(input(all).properties, 'name', { type: 'string', pattern: '^x' }),
  ],
  [
    'a list shorter',
    /tags: maxItems 3 is beyond 2/,
    (all) =>
      put(input(all).properties, 'tags', { type: 'array', maxItems: 2, items: { type: 'string' } }),
  ],
  [
    'members of a list narrower',
    /tags\[\]: string is not integer/,
    (all) =>
      put(input(all).properties, 'tags', {
        type: 'array',
        maxItems: 3,
        items: { type: 'integer' },
      }),
  ],
  [
    'free members bound',
    /note: patternProperties/,
    (all) =>
      put(input(all).properties, 'note', { type: 'object', patternProperties: { '^x': {} } }),
  ],
  ['a success status removed', /201 is not answered/, (all) => drop(post(all).responses, '201')],
  ['a failure status removed', /409 is not answered/, (all) => drop(post(all).responses, '409')],
  [
    'a code moved to another status',
    /busy is 400 and not 409/,
    (all) => {
      const { responses } = post(all)
      responses['400'] = { description: '`bad`, `worse`, `busy`', content: {} }
      responses['409'] = { description: '', content: {} }
    },
  ],
  [
    'another media type',
    /201 is not application\/json/,
    (all) => Object.assign(post(all).responses['201'] ?? {}, { content: { 'text/plain': {} } }),
  ],
  [
    'a response field removed',
    /201 price: is no longer always present/,
    (all) => {
      drop(thing(all).properties, 'price')
      thing(all).required.pop()
    },
  ],
  [
    'an optional response field removed',
    /201 hint: is not there/,
    (all) => drop(thing(all).properties, 'hint'),
  ],
  [
    'a response field optional',
    /201 price: is no longer always present/,
    (all) => thing(all).required.pop(),
  ],
  [
    'null in a response',
    /201 id: null is not/,
    (all) =>
      put(thing(all).properties, 'id', {
        anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }],
      }),
  ],
  [
    'a response type changed',
    /201 price: number is not string/,
    (all) => put(thing(all).properties, 'price', { type: 'number' }),
  ],
  [
    'a response format dropped',
    /201 id: format/,
    (all) => put(thing(all).properties, 'id', { type: 'string' }),
  ],
  [
    'a response pattern changed',
    /201 price: pattern/,
    (all) => put(thing(all).properties, 'price', { type: 'string', pattern: '^x' }),
  ],
  [
    'free text for words',
    /201 state: a list of values/,
    (all) => put(thing(all).properties, 'state', { type: 'string' }),
  ],
  [
    'a keyword the rules do not know',
    /hint: oneOf is not covered/,
    (all) => put(thing(all).properties, 'hint', { oneOf: [] }),
  ],
]

describe('breaks', () => {
  test.each(BREAKING)('%s', (_what, expected, change) => {
    expect(found(change)).toContainEqual(expect.stringMatching(expected))
    expect(found(change).every((line) => line.startsWith('POST /things/ '))).toBe(true)
  })
})

const ADDING: [string, Change][] = [
  ['nothing', () => undefined],
  ['a route', (all) => (all.paths['/more/'] = { get: { operationId: 'more' } })],
  [
    'an optional parameter',
    (all) => post(all).parameters.push({ name: 'size', in: 'query', schema: {} }),
  ],
  ['an optional request field', (all) => put(input(all).properties, 'more', { type: 'string' })],
  ['a word taken', (all) => put(input(all).properties, 'kind', { enum: ['a', 'b', 'c'] })],
  ['a field no longer required', (all) => input(all).required.pop()],
  ['a longer text taken', (all) => put(input(all).properties, 'name', { type: 'string' })],
  [
    'an alternative taken',
    (all) =>
      put(input(all).properties, 'name', { anyOf: [{ type: 'string' }, { type: 'integer' }] }),
  ],
  [
    'whole numbers, then any',
    (all) =>
      put(input(all).properties, 'amount', { anyOf: [{ type: 'string' }, { type: 'number' }] }),
  ],
  [
    'a response field',
    (all) => {
      put(thing(all).properties, 'more', { type: 'string' })
      thing(all).required.push('more')
    },
  ],
  [
    'a word answered',
    (all) => put(thing(all).properties, 'state', { enum: ['new', 'old', 'odd'] }),
  ],
  [
    'never null any more',
    (all) => put(thing(all).properties, 'at', { type: 'string', format: 'date-time' }),
  ],
  ['a failure', (all) => (post(all).responses['503'] = { description: '`away`', content: {} })],
  [
    'a code no longer answered',
    (all) => Object.assign(post(all).responses['400'] ?? {}, { description: '`bad`' }),
  ],
  [
    'words for people',
    (all) => put(thing(all).properties, 'hint', { type: 'string', description: 'A hint.' }),
  ],
]

describe('only adds', () => {
  test.each(ADDING)('%s', (_what, change) => {
    expect(found(change)).toEqual([])
  })

  test('a new route is reported as an addition', () => {
    const after = sample()
    after.paths['/more/'] = { get: { operationId: 'more' } }
    const documents = [sample(), after].map((one) => one as unknown as ApiDocument)
    const [before = { paths: {} }, now = { paths: {} }] = documents
    expect(additions(before, now)).toEqual(['GET /more/'])
  })
})

test('a break is accepted once the unreleased changelog names its operation', () => {
  const broken = [{ where: 'POST /things/', what: 'is gone' }]
  const line = '- Breaking: `POST /things/` is gone; use `POST /more/`.'
  expect(unannounced(broken, `## Unreleased\n\n${line}\n\n## 1.0.0\n`)).toEqual([])
  expect(unannounced(broken, `## Unreleased\n\n## 1.0.0\n${line}\n`)).toEqual(['POST /things/'])
})
