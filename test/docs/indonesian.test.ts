// The Indonesian pages have the same commands, examples and sections as the English ones.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

/** English pages that must have an Indonesian version, as paths under docs/. */
const PAGES = [
  'quick_start.md',
  'go_live.md',
  ...readdirSync('docs/payments').map((name) => `payments/${name}`),
]

const FENCED = /^ *```([^\n]*)\n([\s\S]*?)^ *```/gm
const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** What a translation must not change: fenced blocks, inline code, and the order of headings. */
function fixedParts(page: string): Readonly<Record<string, string[]>> {
  const prose = page.replace(FENCED, '')
  return {
    block: [...page.matchAll(FENCED)].map(([, info = '', code = '']) => `${info}\n${code}`),
    code: [...new Set([...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code))].toSorted(),
    heading: [...prose.matchAll(/^#+(?= )/gm)].map(([marks]) => marks),
  }
}

/** How the Indonesian page differs from the English one in parts that must be the same. */
function differences(english: string, indonesian: string): string[] {
  if (indonesian === '') return ['missing']
  const expected = fixedParts(english)
  return Object.entries(fixedParts(indonesian)).flatMap(([part, found]) => {
    const wanted = expected[part] ?? []
    const lost = wanted.filter((one) => !found.includes(one)).map((one) => `no ${part} ${one}`)
    const added = found.filter((one) => !wanted.includes(one)).map((one) => `new ${part} ${one}`)
    const moved = found.join('\0') === wanted.join('\0') ? [] : [`other ${part} order or count`]
    return [...lost, ...added].length > 0 ? [...lost, ...added] : moved
  })
}

/** The link to the other language, under the title. */
const linkFrom = (file: string, target: string, label: string): string =>
  `\n[${label}](${path.posix.relative(path.posix.dirname(file), target)})\n`

describe.each(PAGES)('docs/id/%s', (page) => {
  const [english, indonesian] = [`docs/${page}`, `docs/id/${page}`]

  test('has the blocks, the inline code and the headings of the English page', () => {
    expect(differences(textOf(english), textOf(indonesian))).toEqual([])
  })

  test('is linked from the English page, and links back', () => {
    const head = (file: string): string => textOf(file).split(/^## /m)[0] ?? ''
    expect(head(english)).toContain(linkFrom(english, indonesian, 'Bahasa Indonesia'))
    expect(head(indonesian)).toContain(linkFrom(indonesian, english, 'English'))
  })
})

test('no Indonesian page is without its English page', () => {
  const all = readdirSync('docs/id', { recursive: true, encoding: 'utf8' })
  const pages = all.filter((name) => name.endsWith('.md'))
  expect(pages.toSorted()).toEqual([...PAGES, 'index.md'].toSorted())
})

test('a missing page, another command, another setting and a missing section are found', () => {
  const page = '# A\n\nSet `PORT`.\n\n```sh\nnpm test\n```\n\n## B\n'
  expect(differences(page, page)).toEqual([])
  expect(differences(page, '')).toEqual(['missing'])
  expect(differences(page, page.replace('npm test', 'npm run'))).toEqual([
    'no block sh\nnpm test\n',
    'new block sh\nnpm run\n',
  ])
  expect(differences(page, page.replace('PORT', 'HOST'))).toEqual(['no code PORT', 'new code HOST'])
  expect(differences(page, page.replace('## B', 'B'))).toEqual(['no heading ##'])
  expect(differences(page, `${page}## C\n`)).toEqual(['other heading order or count'])
})
