// The content of the site. test/e2e/site.test.ts opens the finished site in a browser.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readContent } from '../../site/content.ts'
import { deadLinks } from '../../site/dead_links.ts'

const content = readContent('.')

const folderWith = (files: Readonly<Record<string, string>>): string => {
  const root = mkdtempSync(path.join(tmpdir(), 'gapura-site-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  return root
}

describe('the content of the site', () => {
  test('has no dead link and no two pages at one address', () => {
    expect(content.pages.size).toBeGreaterThan(60)
    expect(content.faults).toEqual([])
  })

  test('every page is in the contents', () => {
    expect(content.sections.map(({ title }) => title)).not.toContain('More')
  })

  test('every picture has an alternative text', () => {
    const mute = [...content.pages].filter(([, text]) => /!\[\]\(/.test(text))
    expect(mute.map(([place]) => place)).toEqual([])
  })

  test('llms.txt names every page of the contents, as Markdown that exists', () => {
    const text = String(content.files.get('llms.txt'))
    const listed = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, place]) => place ?? '')
    expect(listed.length).toBeGreaterThan(60)
    expect(listed.filter((place) => !content.files.has(place))).toEqual([])
  })
})

test('a dead link, a dead anchor, a missing picture and a doubled address are found', () => {
  const links = '[a](gone.md) [b](#gone) [c](index.md#here) ![d](images/gone.png)'
  const root = folderWith({
    'docs/index.md': `# Here\n\n${links}\n\n\`\`\`\n[e](in_code.md)\n\`\`\`\n`,
    'docs/SAME.md': '# Same',
    'docs/same.md': '# Same',
  })
  execFileSync('git', ['init', '-q'], { cwd: root })
  expect(readContent(root).faults).toEqual([
    'docs/index.md: gone.md does not exist',
    'docs/index.md: #gone does not exist',
    'docs/index.md: images/gone.png does not exist',
    'docs/same.md: another page is at same.md',
  ])
})

test('in finished pages a dead link, anchor and script are found', () => {
  const folder = folderWith({
    'index.html': '<a href="./a/">x</a><a href="/a/index.html#there">x</a><a href="#top">x</a>',
    'a/index.html': '<h1 id="there">x</h1><a href="../gone.html">x</a><script src="/gone.js">',
  })
  expect(deadLinks(folder).toSorted()).toEqual([
    'a/index.html: ../gone.html does not exist',
    'a/index.html: /gone.js does not exist',
    'index.html: #top does not exist',
  ])
})
