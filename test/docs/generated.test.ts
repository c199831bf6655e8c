// Generated pages must agree with the code.
import { existsSync, readFileSync } from 'node:fs'
import { PAYMENT_TYPES } from 'gapura'
import { describe, expect, test } from 'vitest'
import { DATABASE_URL } from '../../packages/service/test/store/test_database.ts'
import { isDefault, isRequired, settingNames } from '../../scripts/docs/generated/configuration.ts'
import { generatedFiles } from '../../scripts/docs/generated/files.ts'
import { SETTING_TEXTS } from '../../scripts/docs/generated/setting_texts.ts'

const files = await generatedFiles(DATABASE_URL)

describe('generated pages and pictures', () => {
  test.each([...files.keys()])('%s is up to date (else: npm run generate docs)', (file) => {
    expect(existsSync(file) ? readFileSync(file, 'utf8') : 'missing').toBe(files.get(file))
  })

  test('every payment type has its page', () => {
    for (const type of PAYMENT_TYPES) expect(files.has(`docs/payments/${type}.md`)).toBe(true)
  })
})

describe('configuration', () => {
  test('every setting that the code reads is documented', () => {
    const names = settingNames()
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => SETTING_TEXTS[name] === undefined)).toEqual([])
  })

  const defaults = Object.entries(SETTING_TEXTS).flatMap(([name, { otherwise }]) =>
    otherwise === undefined ? [] : [{ name, otherwise }],
  )
  test.each(defaults)('$name is $otherwise if not set', ({ name, otherwise }) => {
    expect(isDefault(name, otherwise)).toBe(true)
    expect(isRequired(name)).toBe(false)
  })

  test('a wrong default is found', () => {
    expect(isDefault('GAPURA_PORT', '3001')).toBe(false)
  })
})
