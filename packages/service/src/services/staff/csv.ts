// CSV that spreadsheets read as text.

/** Without it spreadsheets do not recognise UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * What a spreadsheet would run instead of showing: a formula, or what it takes for the start of
 * one. An amount is none, also a negative one.
 */
const FORMULA = /^(?!-\d+\.\d{2}$)[=+\-@\t\r\n|%]/

/** Always quoted, so that any content is safe. An apostrophe keeps a formula a text. */
const cell = (text: string): string =>
  `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** A line by RFC 4180. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`
