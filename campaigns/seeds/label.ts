// How a trace names a statement.
import { createHash } from 'node:crypto'
import type { Statement } from './sessions.ts'

const LABEL_MAX = 72

export const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8)

/** The beginning of a statement, and a digest of its values. */
export function labelOf({ text, config }: Statement): string {
  const { values = [] } = config as { values?: unknown[] }
  const short = text.replaceAll(/\s+/g, ' ').trim().slice(0, LABEL_MAX)
  // The number of a transaction differs from run to run.
  return values.length === 0 || text.includes('xid')
    ? short
    : `${short} [${digest(JSON.stringify(values))}]`
}
