import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildSite } from '../../scripts/docs/site.ts'

const site = buildSite('.')
const pages = [...site.files].flatMap(([place, content]) =>
  place.endsWith('.html') && typeof content === 'string' ? [{ place, content }] : [],
)

describe('the site', () => {
  test('has no dead link', () => {
    expect(pages.length).toBeGreaterThan(30)
    expect(site.faults).toEqual([])
  })

  test('asks for nothing from elsewhere', () => {
    const foreign = pages.flatMap(({ place, content }) =>
      [...content.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]*)"/g)].map(
        ([, address]) => `${place}: ${address}`,
      ),
    )
    expect(foreign).toEqual([])
  })

  test('every picture says in words what it shows', () => {
    const mute = pages.filter(({ content }) => /<img[^>]* alt=""/.test(content))
    expect(mute.map(({ place }) => place)).toEqual([])
  })

  test('llms.txt names every page of the contents, as Markdown that is there', () => {
    const text = String(site.files.get('llms.txt'))
    const listed = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, place]) => place ?? '')
    expect(listed.length).toBeGreaterThan(30)
    expect(listed.filter((place) => !site.files.has(place))).toEqual([])
  })
})

test('a dead link, a dead anchor and a missing picture are found', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'gapura-site-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(path.join(root, 'docs'))
  const links = '[a](gone.md) [b](#gone) [c](index.md#here) ![d](images/gone.png)'
  writeFileSync(path.join(root, 'docs/index.md'), `# Here\n\n${links}\n`)
  execFileSync('git', ['init', '-q'], { cwd: root })
  const { faults } = buildSite(root)
  for (const gone of ['gone.md', '#gone', 'images/gone.png']) {
    expect(faults.some((fault) => fault.includes(`${gone} leads nowhere`))).toBe(true)
  }
  expect(faults.some((fault) => fault.includes('#here'))).toBe(false)
})
