// Every message of the service has a text in both languages of the dashboard, found by its code.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ALARM_KINDS } from '../packages/service/src/domain/alarm.ts'
import { AUDIT_ACTIONS } from '../packages/service/src/domain/audit.ts'
import { ERRORS } from '../packages/service/src/domain/error_catalogue.ts'
import { JOURNAL_KINDS } from '../packages/service/src/domain/ledger.ts'
import { NOTIFICATION_EFFECTS } from '../packages/service/src/domain/notification.ts'
import { PROBLEMS } from '../packages/service/src/domain/problems.ts'
import {
  CAUSE_NAMES,
  ITEM_KINDS,
  ITEM_STATES,
  MATCH_KEYS,
  RECONCILIATION_ACTIONS,
} from '../packages/service/src/domain/reconciliation.ts'
import { FILE_FORMATS, STATEMENT_KINDS } from '../packages/service/src/domain/statement.ts'
import { PROBLEM_CODES } from '../packages/service/src/services/problem.ts'
import { ENGLISH } from '../packages/dashboard/src/texts/english.ts'
import { INDONESIAN } from '../packages/dashboard/src/texts/indonesian.ts'
import {
  inIndonesian,
  INDONESIAN_ALARMS,
} from '../packages/dashboard/src/texts/indonesian_alarms.ts'
import { INDONESIAN_REASONS } from '../packages/dashboard/src/texts/indonesian_reasons.ts'
import { RATE_NOTES } from '../packages/dashboard/src/texts/rate_notes.ts'

const LANGUAGES: Record<string, Readonly<Record<string, string>>> = {
  English: ENGLISH,
  Indonesian: INDONESIAN,
}

/** The names of texts that a language lacks. */
const missing = (texts: Readonly<Record<string, string>>, names: readonly string[]): string[] =>
  names.filter((name) => (texts[name] ?? '').trim() === '')

const CODES = PROBLEM_CODES.flatMap((code) => [`error_${code}`, `advice_${code}`])

describe.each(Object.entries(LANGUAGES))('%s', (_language, texts) => {
  test('has what every error code means and what to do', () => {
    expect(PROBLEM_CODES.length).toBe(Object.keys(ERRORS).length + Object.keys(PROBLEMS).length)
    expect(missing(texts, CODES)).toEqual([])
  })

  test('has no text for a code that the service does not know', () => {
    const unknown = Object.keys(texts).filter(
      (name) => /^(?:error|advice)_/.test(name) && !CODES.includes(name),
    )
    expect(unknown).toEqual([])
  })

  test('has the words of statements, journals and matching', () => {
    const words = {
      cause: CAUSE_NAMES,
      about: ITEM_KINDS,
      match: ITEM_STATES,
      matched_by: MATCH_KEYS.filter((key) => key !== ''),
      reconcile: RECONCILIATION_ACTIONS,
      reconcile_title: RECONCILIATION_ACTIONS,
      reconcile_do: RECONCILIATION_ACTIONS,
      reconcile_effect: RECONCILIATION_ACTIONS,
      journal: JOURNAL_KINDS,
      line: STATEMENT_KINDS,
      format: FILE_FORMATS,
    }
    const names = Object.entries(words).flatMap(([group, all]) =>
      all.map((word) => `${group}_${word}`),
    )
    expect(missing(texts, names)).toEqual([])
  })

  test('has what every action of the audit is, its object, and no other action', () => {
    const did = AUDIT_ACTIONS.map((action) => `did_${action}`)
    expect(did.length).toBeGreaterThan(100)
    expect(
      Object.keys(texts)
        .filter((name) => name.startsWith('did_'))
        .toSorted(),
    ).toEqual(did.toSorted())
    const objects = AUDIT_ACTIONS.map((action) => `object_${action.split('.')[0] ?? ''}`)
    expect(missing(texts, [...did, ...objects])).toEqual(['object_retention'])
  })

  test('has a name for every alarm and every effect of a notification', () => {
    const names = [
      ...ALARM_KINDS.flatMap((kind) => [`alarm_${kind}`, `alarm_means_${kind}`]),
      ...NOTIFICATION_EFFECTS.flatMap((effect) => [`effect_${effect}`, `effect_means_${effect}`]),
    ]
    expect(missing(texts, names)).toEqual([])
  })
})

test('no Indonesian message is the English one', () => {
  const texts: Readonly<Record<string, string>> = INDONESIAN
  const same = Object.entries<string>(ENGLISH).filter(
    ([name, text]) =>
      /^(?:error|advice|alarm_means|effect_means|did)_/.test(name) && texts[name] === text,
  )
  expect(same).toEqual([])
})

test('the check finds a code whose text is missing', () => {
  const { error_refund_held: _text, ...damaged } = INDONESIAN
  expect(missing(damaged, CODES)).toEqual(['error_refund_held'])
})

test('every reason why a line or a file cannot be read has an Indonesian text', () => {
  const folder = new URL('../packages/service/src/services/statements/files/', import.meta.url)
  const source = readdirSync(folder)
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n')
  const said =
    /(?:reason: |broken(?: =|:) |FileProblem\(\s*|refuse\(\w+, |is_before\) return )'([^']+)'/g
  const reasons = [...source.matchAll(said)].map(([, reason = '']) => reason)
  expect(reasons.length).toBeGreaterThan(40)
  expect(reasons.filter((reason) => INDONESIAN_REASONS[reason] === undefined)).toEqual([])
  const kept = new Set(reasons)
  expect(Object.keys(INDONESIAN_REASONS).filter((reason) => !kept.has(reason))).toEqual([])
})

/** A text in three pieces. */
const JOINED = /` \+\s+'([^']+)' \+\s+'([^']+)'/g

/** What an alarm says beyond its kind, with `{}` for each part that differs. */
function alarmDetails(): string[] {
  const folder = new URL('../packages/service/src/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:services|events)\/.*\.ts$/.test(name))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .filter((source) => /(?:openAlarm|alarmAbout\w*)\(/.test(source))
  const said =
    /(?:detail(?: =|:)|(?:said|words|both|paid) =|string =>|[?:] (?=`)|#disable\(tx,|(?:'[a-z_]+'|kind|surprise),)\s*(`[^`]+`|'[^']+ [^']+')/g
  return files
    .flatMap((source) => [...source.replaceAll(JOINED, '$1$2`').matchAll(said)])
    .map(([, literal = '']) => literal.slice(1, -1).replaceAll(/\$\{[^}]+\}/g, '{}'))
    .filter((text) => /^[a-z{].* /.test(text) && text !== '{}; {}')
}

test('every detail of an alarm has an Indonesian text', () => {
  const details = alarmDetails()
  expect(details.length).toBeGreaterThan(30)
  const sample = (text: string): string => text.replaceAll('{}', 'x1')
  expect(details.filter((text) => inIndonesian(sample(text)) === undefined)).toEqual([])
  const parts = new Set(details.flatMap((text) => [text, ...text.split('; ')]))
  expect(Object.keys(INDONESIAN_ALARMS).filter((text) => !parts.has(text))).toEqual([])
})

test('a detail keeps its own parts, and words of another release stay as they are', () => {
  expect(inIndonesian('charge of A-1 was given up, and the gateway has it')).toBe(
    'tagihan untuk order A-1 sudah dilepas, tetapi ada di gateway',
  )
  expect(
    inIndonesian('order A-1 was already paid by payment p; approve the refund request over 5.00'),
  ).toBe('order A-1 sudah dibayar dengan pembayaran p; setujui permintaan refund sebesar 5.00')
  expect(inIndonesian('something new happened')).toBeUndefined()
})

test('every rate that the service comes with has a note in both languages', () => {
  const folder = new URL('../packages/service/src/store/migrations/', import.meta.url)
  const source = readFileSync(new URL('0046_fee_rates.sql', folder), 'utf8')
  const notes = [...source.matchAll(/'([^']+)', 'gapura'\)/g)].map(([, note = '']) => note)
  expect(notes.length).toBeGreaterThan(5)
  expect([...new Set(notes)].toSorted()).toEqual(Object.keys(RATE_NOTES).toSorted())
})

test('no name of a text is in two files, where the last one would win', () => {
  const folder = new URL('../packages/dashboard/src/texts/', import.meta.url)
  const names = readdirSync(folder)
    .filter((file) => file.startsWith('english_'))
    .flatMap((file) => [
      ...readFileSync(new URL(file, folder), 'utf8').matchAll(/^ {2}'?([\w.]+)'?:/gm),
    ])
    .map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(500)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
