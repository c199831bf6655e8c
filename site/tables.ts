import type { MarkdownRenderer } from 'vitepress'

/** A table with more columns keeps its form on a phone and scrolls horizontally. */
export const STACKED_COLUMNS_MAX = 6

type Tokens = Parameters<MarkdownRenderer['renderer']['render']>[0]

/**
 * On a phone each row of a table becomes a block. Every cell therefore carries the heading of its
 * column, which the style sheet shows there.
 */
export function labelCells(md: MarkdownRenderer): void {
  md.core.ruler.push('label_cells', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      if (token.type === 'table_open') labelTable(tokens, at)
    }
  })
}

function labelTable(tokens: Tokens, start: number): void {
  const end = tokens.findIndex((token, at) => at > start && token.type === 'table_close')
  const within = tokens.slice(start, end)
  const labels = within.flatMap((token, at) =>
    token.type === 'th_open' ? [(within[at + 1]?.content ?? '').replace(/[`*]/g, '')] : [],
  )
  const isStacked = labels.length <= STACKED_COLUMNS_MAX
  tokens[start]?.attrJoin('class', isStacked ? 'stacked' : 'wide')
  let column = 0
  for (const token of within) {
    if (token.type === 'tr_open') column = 0
    if (token.type === 'td_open') token.attrSet('data-label', labels[column++] ?? '')
  }
}
