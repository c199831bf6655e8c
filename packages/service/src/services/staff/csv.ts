/**
 * What a spreadsheet would run instead of showing: a formula, or what it takes for the start of
 * one. Our numbers never start like that: an amount in an export is never negative.
 */
const FORMULA = /^[=+\-@\t\r\n|%]/

/** Always quoted, so that any content is safe. An apostrophe keeps a formula a text. */
const cell = (text: string): string =>
  `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** A line by RFC 4180. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`
