// What a reader makes of a file: every record is a line to store, a refused line with its reason, or
// a part of the file that is known to be none.
import type { StatementContent } from '../../../domain/statement.ts'
import { formatMoney, type Money } from '../../../domain/money.ts'

/** A file that cannot be read at all; nothing of it is stored. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
}

export interface AcceptedLine {
  line_number: number
  content: StatementContent
  raw: Readonly<Record<string, unknown>>
}

export interface RefusedLine {
  line_number: number
  reason: string
  /** The line as it stands in the file, cut to a bound. */
  content: string
}

export interface FileSummary {
  account: string | null
  opening_balance: string | null
  closing_balance: string | null
  /** Whether opening balance, lines and closing balance agree; null if the file does not say. */
  balanced: boolean | null
  /** Headers, footers and empty lines. */
  other_lines: number
}

export interface ParsedFile {
  accepted: AcceptedLine[]
  refused: RefusedLine[]
  summary: FileSummary
}

/** A line without a column for it, or with a value that is no such thing. */
export type LineResult = StatementContent | { reason: string }

export const isRefusal = (result: LineResult): result is { reason: string } => 'reason' in result

/** More lines than a merchant has in a file; a larger one is divided. */
export const LINES_MAX = 100_000
const CONTENT_LENGTH_MAX = 2_000
const ID_LENGTH_MAX = 200

/** Ids are looked up by indexes, which hold no longer ones. */
const hasLongId = ({ order_id, transaction_id, reference }: StatementContent): boolean =>
  [order_id, transaction_id, reference].some((id) => (id ?? '').length > ID_LENGTH_MAX)

/** Collects a file's records and proves at the end that none was left out. */
export class FileCollector {
  readonly #accepted: AcceptedLine[] = []
  readonly #refused: RefusedLine[] = []
  #other = 0

  take(line: { line_number: number; text: string; raw: object }, result: LineResult): void {
    const { line_number, text, raw } = line
    if (isRefusal(result)) this.refuse(line_number, result.reason, text)
    else if (hasLongId(result)) this.refuse(line_number, 'an id is too long', text)
    else this.#accepted.push({ line_number, content: result, raw: { ...raw } })
    this.#bound()
  }

  /** A workbook may number two lines alike: the second gets the next number. */
  refuse(given: number, reason: string, text: string): void {
    const line_number = Math.max(given, (this.#refused.at(-1)?.line_number ?? 0) + 1)
    this.#refused.push({ line_number, reason, content: text.slice(0, CONTENT_LENGTH_MAX) })
    this.#bound()
  }

  /** A header, a footer or an empty line. */
  skip(): void {
    this.#other += 1
  }

  /** `records`: how many the reader met, counted apart. */
  finish(records: number, said: Partial<Statement> = {}): ParsedFile {
    const counted = this.#accepted.length + this.#refused.length + this.#other
    if (counted !== records) throw new Error(`${records} records were read and ${counted} kept`)
    const { account = null, opening = null, closing = null } = said
    const sum = this.#accepted.reduce((all, { content }) => all + (content.amount ?? 0n), 0n)
    return {
      accepted: this.#accepted,
      refused: this.#refused,
      summary: {
        account,
        opening_balance: opening === null ? null : formatMoney(opening),
        closing_balance: closing === null ? null : formatMoney(closing),
        balanced:
          said.balanced ??
          (opening === null || closing === null ? null : opening + sum === closing),
        other_lines: this.#other,
      },
    }
  }

  #bound(): void {
    if (this.#accepted.length + this.#refused.length > LINES_MAX) {
      throw new FileProblem(`must have at most ${LINES_MAX} lines; divide the file`)
    }
  }
}

interface Statement {
  account: string | null
  opening: Money | null
  closing: Money | null
  balanced: boolean | null
}
