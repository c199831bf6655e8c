import { expect, test } from 'vitest'
import { isObject, parseAnswer, parseJson } from '../../src/gateway/json.ts'

test('an integer beyond 2^53 keeps its digits, as text', () => {
  expect(parseJson('{"refund_chargeback_id":9007199254740993}')).toEqual({
    refund_chargeback_id: '9007199254740993',
  })
  expect(parseJson('[-90071992547409931]')).toEqual(['-90071992547409931'])
})

test('other numbers stay numbers, also beside a long one', () => {
  expect(parseJson('[1, 2.5, 9007199254740991, 0.1234567890123456]')).toEqual([
    1, 2.5, 9_007_199_254_740_991, 0.123_456_789_012_345_6,
  ])
  expect(parseJson('{"va":"1234567890123456"}')).toEqual({ va: '1234567890123456' })
})

test.each(['', '{', '<html>', '{"a":1}x', 'undefined'])('%j is not JSON', (text) => {
  expect(parseJson(text)).toBeUndefined()
})

test('an object is neither null nor a list', () => {
  expect([isObject({}), isObject(null), isObject([]), isObject('x')]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('an answer nested too deeply is rejected', () => {
  const deep = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
  expect(parseAnswer(deep(20))).toBeDefined()
  expect(parseAnswer(deep(40))).toBeUndefined()
  expect(parseAnswer(deep(20_000))).toBeUndefined()
  expect(parseAnswer('['.repeat(20_000) + ']'.repeat(20_000))).toBeUndefined()
})

test('text that no table could store is replaced, in names and in values', () => {
  expect(parseAnswer(String.raw`{"a\u0000":["b\u0000","\ud800x","😀\ud83d\ude00"],"n":1}`)).toEqual(
    {
      'a\ufffd': ['b\ufffd', '\ufffdx', '😀😀'],
      n: 1,
    },
  )
})
