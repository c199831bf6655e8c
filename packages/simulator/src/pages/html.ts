/** Safe markup: only `html` creates it, so text cannot be taken for markup. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

/** Values of a template: text is escaped, markup is not, a list is joined, undefined is empty. */
export type Piece = Html | string | number | false | undefined | readonly Piece[]

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

function markupOf(piece: Piece): string {
  if (piece === false || piece === undefined) return ''
  if (piece instanceof Html) return piece.markup
  if (typeof piece === 'string') return escape(piece)
  if (typeof piece === 'number') return String(piece)
  return piece.map(markupOf).join('')
}

/** A template whose values are escaped. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  const [first = '', ...rest] = strings
  return new Html(first + rest.map((text, index) => markupOf(pieces[index]) + text).join(''))
}
