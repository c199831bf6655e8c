import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../src/commands.ts'
import { EXIT, EXIT_MEANINGS } from '../src/exit_codes.ts'
import { rupiah, span, timeOf } from '../src/formats.ts'
import { helpOf } from '../src/help.ts'
import { table } from '../src/output.ts'
import { referenceOf } from '../src/reference.ts'
import { SETTINGS } from '../src/settings.ts'
import { SCENARIOS } from '../src/trigger/scenarios.ts'
import { SIGNALS } from '../../service/src/domain/signals.ts'

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')

test('docs/cli.md is what the table of commands says; npm run generate cli writes it', () => {
  expect(read('../../../docs/cli.md')).toBe(referenceOf(COMMANDS))
})

test('every exit code has its own number and a meaning', () => {
  expect(new Set(Object.values(EXIT)).size).toBe(Object.keys(EXIT).length)
  expect(Object.keys(EXIT_MEANINGS)).toEqual(Object.keys(EXIT))
})

test('config print knows every setting that the service reads, and no other', () => {
  const files = ['config', 'gateway_config']
  const text = files.map((name) => read(`../../service/src/main/${name}.ts`)).join('')
  const names = [...text.matchAll(/reader\.\w+\(\s*'([A-Z_]+)'/g)].map((match) => match[1] ?? '')
  expect([...new Set(names)].sort()).toEqual(SETTINGS.map(({ name }) => name).sort())
})

test('every signal can be triggered', () => {
  // A page ends by the clock alone.
  const by_clock = ['checkout_expired']
  expect([...Object.keys(SCENARIOS), ...by_clock].sort()).toEqual([...SIGNALS].sort())
})

describe('every command', () => {
  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    '%s: help names each flag, examples begin with it',
    (name, command) => {
      const help = helpOf(command)
      for (const flag of Object.keys(command.flags)) expect(help).toContain(`--${flag}`)
      for (const example of command.examples) expect(example).toMatch(new RegExp(`^gapura ${name}`))
      expect(command.summary).toMatch(/\.$/)
    },
  )
})

describe('what people read', () => {
  test('rupiah with dots, cents only where there are any', () => {
    expect(['150000.00', '999.50', '1234567.00', '5.00'].map(rupiah)).toEqual([
      'Rp 150.000',
      'Rp 999,50',
      'Rp 1.234.567',
      'Rp 5',
    ])
  })

  test('times in Jakarta, the zone written', () => {
    expect(timeOf('2026-11-14T17:30:00Z')).toBe('2026-11-15 00:30:00 WIB')
    expect(timeOf(null)).toBe('-')
  })

  test('spans in the largest unit that fits', () => {
    expect([400, 5_000, 300_000, 7_200_000, 172_800_000].map(span)).toEqual([
      '400 ms',
      '5 s',
      '5 min',
      '2 h',
      '2 d',
    ])
  })

  test('tables are aligned, numbers to the right, colour not counted', () => {
    const rows = [
      { name: '\u001B[31mred\u001B[39m', n: '5' },
      { name: 'longer', n: '150' },
    ]
    const text = table(rows, [
      { title: 'NAME', of: ({ name }) => name },
      { title: 'N', of: ({ n }) => n, align: 'right' },
    ])
    expect(text.split('\n')).toEqual([
      'NAME      N',
      '\u001B[31mred\u001B[39m       5',
      'longer  150',
    ])
  })
})
