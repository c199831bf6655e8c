// Results go to standard output and everything else to standard error, so that a pipe carries only
// the result. Colour only on a terminal (NO_COLOR is obeyed).
import { stripVTControlCharacters, styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

export interface Column<Row> {
  title: string
  of: (row: Row) => string
  align?: 'right'
}

export interface OutputStreams {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
}

export class Output {
  readonly json: boolean
  readonly #streams: OutputStreams

  constructor(streams: OutputStreams, json: boolean) {
    this.#streams = streams
    this.json = json
  }

  /** The result: for people as text, for programs as one JSON document. */
  result(value: unknown, text: () => string): void {
    this.write(this.json ? JSON.stringify(value, decimal, 2) : text())
  }

  /** One line of a stream of results: JSON lines for programs. */
  event(value: unknown, text: () => string): void {
    this.write(this.json ? JSON.stringify(value, decimal) : text())
  }

  write(text: string): void {
    this.#streams.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  }

  /** A message that is not part of the result. */
  note(text: string): void {
    this.#streams.stderr.write(`${text}\n`)
  }

  /** Progress of long work; not printed with --json. */
  progress(text: string): void {
    if (!this.json) this.note(this.#styled('dim', `… ${text}`, this.#streams.stderr))
  }

  style(style: Style, text: string): string {
    return this.#styled(style, text, this.#streams.stdout)
  }

  #styled(style: Style, text: string, stream: NodeJS.WritableStream): string {
    return styleText(style, text, { stream })
  }
}

/** Money is a bigint of hundredths inside the service and never leaves it as one. */
const decimal = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value

const widthOf = (text: string): number => stripVTControlCharacters(text).length

/** Rows under their titles, each column as wide as its content. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map((c) => c.of(row))),
  ]
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((line) => widthOf(line[index] ?? ''))),
  )
  const padded = (text: string, index: number): string => {
    const gap = ' '.repeat((widths[index] ?? 0) - widthOf(text))
    return columns[index]?.align === 'right' ? gap + text : text + gap
  }
  return lines.map((line) => line.map(padded).join('  ').trimEnd()).join('\n')
}

/** Names and values, one per line; missing values are left out. */
export function record(fields: readonly (readonly [string, string | null | undefined])[]): string {
  const shown = fields.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value ?? ''}`).join('\n')
}
