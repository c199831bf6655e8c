import { createHash } from 'node:crypto'
import { NO_CONTENT, type KeyedLine, type StatementContent } from '../../domain/statement.ts'
import { newId, toJson } from '../../store/sql/values.ts'
import type { NewLine } from '../../store/statements/lines.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The same value gives the same text, whatever the order of its fields. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([name, inner]) => [name, canonical(inner)]))
}

export const hashOf = (value: unknown): string => sha256(toJson(canonical(value)))

/** Of what was read from the gateway: any change of a line is a new version. */
export function versionedLine(line: Omit<KeyedLine, 'line_number'>): NewLine {
  const { line_key: _key, ...content } = line
  return { ...line, line_number: null, id: newId(), content_sha256: hashOf(content) }
}

/** A line of the gateway that has not the documented shape is kept as it is. */
export const unreadableLine = (key: string, raw: unknown): NewLine =>
  versionedLine({ ...NO_CONTENT, line_key: `${key}:${hashOf(raw)}`, raw: { line: raw } })

interface FileLine {
  content: StatementContent
  line_number: number
  raw: Readonly<Record<string, unknown>>
}

/**
 * Lines of a file, which has no ids: equal lines are distinguished by their order among equals, so that
 * a file that repeats a part of another stores that part once.
 */
export function fileLines(lines: readonly FileLine[]): NewLine[] {
  const seen = new Map<string, number>()
  return lines.map(({ content, line_number, raw }) => {
    const content_sha256 = hashOf(content)
    const ordinal = (seen.get(content_sha256) ?? 0) + 1
    seen.set(content_sha256, ordinal)
    const line_key = `${content_sha256}:${ordinal}`
    return { ...content, line_key, line_number, raw, id: newId(), content_sha256 }
  })
}
