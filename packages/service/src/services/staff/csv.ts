/**
 * What a spreadsheet would run instead of show: a formula, or what it takes for the beginning of
 * one. Numbers of ours never begin so: an amount in an export is never negative.
 */
const FORMULA = /^[=+\-@\t\r\n|%]/

/** Quoted always: what is inside can then be anything. An apostrophe keeps a formula a text. */
const cell = (text: string): string =>
  `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** A line by RFC 4180. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`
