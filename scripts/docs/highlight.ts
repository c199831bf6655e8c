// Enough colour to read by: comments, strings, numbers, words of the language. No grammar.

const WORDS: Readonly<Record<string, string>> = {
  ts: 'as async await const class constructor default else export extends finally for from function if implements import in interface let new null of readonly return this throw true false try type typeof undefined void while',
  sql: 'and as begin by case check commit conflict count create default delete distinct do drop from group having if in insert into is join key limit not null on or order over primary references returning rollback select set table then union unique update using values when where with',
  sh: 'cd cp curl do docker done echo export for if in node npm npx psql pg_dump pg_restore then while',
  json: 'true false null',
  yaml: 'true false null',
}
const SAME: Readonly<Record<string, string>> = { js: 'ts', tsx: 'ts', mjs: 'ts', bash: 'sh' }
const COMMENT: Readonly<Record<string, string>> = {
  ts: String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`,
  sql: '--[^\\n]*',
  sh: '(?<=^|\\s)#[^\\n]*',
  yaml: '#[^\\n]*',
}

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** The code as HTML. A language it does not know stays plain. */
export function highlight(code: string, language: string): string {
  const known = SAME[language] ?? language
  const words = WORDS[known]
  if (words === undefined) return escapeHtml(code)
  const parts = [
    ['comment', COMMENT[known] ?? '(?!)'],
    ['string', String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|\x60(?:[^\x60\\]|\\.)*\x60`],
    ['number', String.raw`\b\d[\d_.]*\b`],
    ['word', String.raw`(?<![\w.-])(?:${words.split(' ').join('|')})(?![\w-])`],
  ]
  const pattern = parts.map(([name, source]) => `(?<${name}>${source})`).join('|')
  let html = ''
  let end = 0
  for (const match of code.matchAll(new RegExp(pattern, known === 'sql' ? 'gi' : 'gm'))) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text === match[0])?.[0]
    html += `${escapeHtml(code.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeHtml(code.slice(end))
}
