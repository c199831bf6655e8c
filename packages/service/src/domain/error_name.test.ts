import { expect, test } from 'vitest'
import { errorName } from './error_name.ts'

test('names an error by its name, its code and the rule it broke, never by its message', () => {
  const broken = Object.assign(new Error('Mid-server-abc'), { code: '23514', constraint: 'sum' })
  expect(errorName(broken)).toBe('Error 23514 sum')
  expect(errorName(new RangeError('secret'))).toBe('RangeError')
  expect(errorName(Object.assign(new Error('x'), { code: 7 }))).toBe('Error')
  expect(errorName('secret')).toBe('unknown')
})
