import path from 'node:path'
import { escapeHtml } from './highlight.ts'
import { placeOf, type Section } from './pages.ts'
import type { Rendered } from './render.ts'

export interface Shown {
  file: string
  page: Rendered
  sections: readonly Section[]
  titles: ReadonlyMap<string, string>
}

/** The page around the text. Nothing comes from elsewhere, and all of it reads without scripts. */
export function pageHtml({ file, page, sections, titles }: Shown): string {
  const here = path.posix.dirname(placeOf(file))
  const to = (place: string): string => path.posix.relative(here, place)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Gapura</title>
<link rel="icon" href="${to('icon.svg')}">
<link rel="stylesheet" href="${to('text.css')}">
<link rel="stylesheet" href="${to('site.css')}">
<script type="module" src="${to('site.js')}" data-root="${to('search.json')}"></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header><a class="name" href="${to('index.html')}">Gapura</a><search hidden><input type="search" placeholder="Search" aria-label="Search the documentation"><ul></ul></search><button type="button" id="theme" aria-label="Light or dark" hidden>◐</button></header>
<div class="columns">
<details class="nav" open><summary>Contents</summary><nav aria-label="Contents">${navHtml({ file, sections, titles, to })}</nav></details>
<main id="text">
${page.html}${aroundHtml({ file, sections, titles, to })}</main>
${tocHtml(page)}
</div>
</body>
</html>
`
}

interface Around {
  file: string
  sections: readonly Section[]
  titles: ReadonlyMap<string, string>
  to: (place: string) => string
}

function navHtml({ file, sections, titles, to }: Around): string {
  const item = (one: string): string => {
    const current = one === file ? ' aria-current="page"' : ''
    return `<li><a href="${to(placeOf(one))}"${current}>${escapeHtml(titles.get(one) ?? one)}</a></li>`
  }
  return sections
    .map(({ title, files }) => `<h2>${title}</h2><ul>${files.map(item).join('')}</ul>`)
    .join('\n')
}

/** Before and after, in the order of reading. */
function aroundHtml({ file, sections, titles, to }: Around): string {
  const order = sections.flatMap((section) => section.files)
  const place = order.indexOf(file)
  if (place === -1) return ''
  const link = (one: string | undefined, name: string): string =>
    one === undefined
      ? '<span></span>'
      : `<a class="${name}" href="${to(placeOf(one))}">${escapeHtml(titles.get(one) ?? one)}</a>`
  return `<nav class="around" aria-label="Neighbours">${link(order[place - 1], 'before')}${link(order[place + 1], 'after')}</nav>\n`
}

const TOC_MAX = 40

function tocHtml({ headings }: Rendered): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 2) return '<aside></aside>'
  const items = shown
    .slice(0, TOC_MAX)
    .map(
      ({ level, id, text }) =>
        `<li class="l${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
    )
  return `<aside><nav aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav></aside>`
}
