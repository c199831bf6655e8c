// The whole site in memory, as path to content: written by `npm run docs`, looked at by a test.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { highlight } from './highlight.ts'
import { llmsText } from './llms.ts'
import { pagesOf, placeOf, sectionsOf } from './pages.ts'
import { plain, renderPage, type Rendered } from './render.ts'
import { pageHtml } from './template.ts'

export interface Site {
  files: Map<string, string | Buffer>
  /** Dead links and pictures that are not there. */
  faults: string[]
}

const ASSETS = ['site.css', 'text.css', 'site.js', 'icon.svg']

const tracked = (root: string): Set<string> =>
  new Set(
    execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\0')
      .filter((file) => file !== ''),
  )

export function buildSite(root: string): Site {
  const files = tracked(root)
  const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')
  const site: Site = { files: new Map(), faults: [] }
  const sections = sectionsOf(files)
  const pages = new Map<string, Rendered>(
    pagesOf(files).map((file) => [file, renderPage(file, textOf(file), files)]),
  )
  const titles = new Map([...pages].map(([file, { title }]) => [file, title]))
  for (const [file, page] of pages) {
    site.files.set(placeOf(file), pageHtml({ file, page, sections, titles }))
    site.faults.push(...page.faults)
    for (const used of page.used.filter((one) => !pages.has(one))) {
      const code = `<h1>${used}</h1><figure class="code"><pre><code>${highlight(textOf(used), path.extname(used).slice(1))}</code></pre></figure>`
      const source = { title: used, html: code, headings: [], used: [], faults: [] }
      const raw = !placeOf(used).endsWith('.html')
      const shown = raw
        ? readFileSync(path.join(root, used))
        : pageHtml({ file: used, page: source, sections, titles })
      site.files.set(placeOf(used), shown)
    }
  }
  for (const asset of ASSETS) {
    site.files.set(asset, readFileSync(new URL(`assets/${asset}`, import.meta.url)))
  }
  site.files.set('search.json', searchIndex(pages))
  for (const [place, text] of llmsText({ sections, titles, textOf })) site.files.set(place, text)
  site.faults.push(...deadLinks(site.files))
  return site
}

/** Every heading, with the words under it. */
function searchIndex(pages: ReadonlyMap<string, Rendered>): string {
  const entries = [...pages].flatMap(([file, { title, html }]) =>
    html.split(/(?=<h[1-3] id=)/).map((part) => {
      const id = /^<h[1-3] id="([^"]*)"/.exec(part)?.[1] ?? ''
      const text = plain(part.replace(/<a class="anchor".*?<\/a>/g, '').replaceAll('<', ' <'))
      const words = text.replace(/\s+/g, ' ').trim()
      return { page: title, place: `${placeOf(file)}#${id}`, words: words.slice(0, 600) }
    }),
  )
  return JSON.stringify(entries.filter(({ words }) => words !== ''))
}

const ADDRESS = /\b(?:href|src)="([^"]*)"/g

/** Read from the finished pages, so that no step of making them can hide one. */
function deadLinks(files: ReadonlyMap<string, string | Buffer>): string[] {
  const ids = new Map<string, Set<string>>()
  for (const [place, content] of files) {
    if (typeof content !== 'string') continue
    ids.set(place, new Set([...content.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id ?? '')))
  }
  return [...files].flatMap(([place, content]) => {
    if (typeof content !== 'string' || !place.endsWith('.html')) return []
    return [...content.matchAll(ADDRESS)].flatMap(([, address = '']) => {
      if (/^[a-z]+:/.test(address)) return []
      const [target = '', anchor] = address.split('#', 2)
      const found = target === '' ? place : path.posix.join(path.posix.dirname(place), target)
      const good =
        files.has(found) && (anchor === undefined || ids.get(found)?.has(anchor) === true)
      return good ? [] : [`${place}: ${address} leads nowhere`]
    })
  })
}
