import { html, type Html, type Piece } from './html.ts'

/** A column: its heading, and how the cell of a row looks. */
export interface Column<Row> {
  heading: string
  cell: (row: Row) => Piece
  /** `number` stands to the right, `end` holds a button and hides its heading. */
  kind?: 'number' | 'end'
}

/** A list whose first column names the row; on a narrow screen each row becomes a card. */
export function listTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  const heading = ({ heading: text, kind }: Column<Row>): Html =>
    html`<th scope="col" class="${kind}">
      ${kind === 'end' ? html`<span class="sr">${text}</span>` : text}
    </th>`
  const cells = (row: Row): Html[] =>
    columns.map(({ cell, kind = '' }, index) =>
      index === 0
        ? html`<th scope="row">${cell(row)}</th>`
        : html`<td class="${kind}">${cell(row)}</td>`,
    )
  return html`<table class="list">
    <thead>
      <tr>
        ${columns.map(heading)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${cells(row)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** Names and values; what is not known is left out. */
export const factList = (facts: readonly (readonly [name: string, value: Piece])[]): Html =>
  html`<dl class="facts">
    ${facts
      .filter(([, value]) => value !== false)
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`
