import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { descriptionsOf } from '../scripts/tidy/descriptions.ts'

const text = readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8')

describe('descriptions in docs/openapi.json', () => {
  test('every property and parameter has one, of one sentence', () => {
    const { properties, described, faults } = descriptionsOf(JSON.parse(text))
    expect(faults).toEqual([])
    expect(described).toBe(properties)
    expect(properties).toBeGreaterThan(600)
  })

  test.each([
    ['a property of a component', { components: { schemas: { A: { properties: { b: {} } } } } }],
    ['a nested property', { a: { items: { anyOf: [{ properties: { b: { type: 'string' } } }] } } }],
    ['a reference without its own', { properties: { b: { $ref: '#/components/schemas/A' } } }],
    ['a query parameter', { paths: { '/a/': { get: { parameters: [{ name: 'b' }] } } } }],
    ['words that are no sentence', { properties: { b: { description: 'how many' } } }],
  ])('%s that is planted without a description is found', (_name, planted) => {
    expect(descriptionsOf(planted).faults).toHaveLength(1)
  })

  test('what is planted into the document itself is found by its place', () => {
    const document = JSON.parse(text) as {
      components: { schemas: { Payment: { properties: Record<string, object> } } }
    }
    document.components.schemas.Payment.properties['colour'] = { type: 'string' }
    expect(descriptionsOf(document).faults).toEqual(['/components/schemas/Payment.colour'])
  })
})
