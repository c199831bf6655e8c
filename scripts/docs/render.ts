// One page of Markdown as HTML, its links pointing to where things are on the site.
import path from 'node:path'
import { Marked, type Tokens } from 'marked'
import { slug } from '../tidy/walls.ts'
import { escapeHtml, highlight } from './highlight.ts'
import { placeOf, targetOf } from './pages.ts'

export interface Heading {
  level: number
  text: string
  id: string
}

export interface Rendered {
  title: string
  html: string
  headings: Heading[]
  /** Files beside the pages that it shows or points to. */
  used: string[]
  faults: string[]
}

/** The words of a piece of HTML. */
export const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Where a link of this page leads on the site; one that leads nowhere is noted on the page. */
const addressesOf =
  (page: Rendered, file: string, files: ReadonlySet<string>) =>
  (href: string): string => {
    const [target = '', anchor] = href.split('#', 2)
    if (/^[a-z]+:/.test(target) || target === '') return href
    const found = targetOf(files, file, target)
    if (found === undefined) {
      page.faults.push(`${file}: ${href} leads nowhere`)
      return href
    }
    page.used.push(found)
    const here = path.posix.dirname(placeOf(file))
    const there = path.posix.relative(here, placeOf(found))
    return anchor === undefined ? there : `${there}#${anchor}`
  }

/** What stands behind the language is where the code belongs: a file, or a terminal. */
function codeHtml({ text, lang = '' }: Tokens.Code): string {
  const [language = '', ...title] = lang.split(/\s+/)
  const caption = title.length > 0 ? `<figcaption>${escapeHtml(title.join(' '))}</figcaption>` : ''
  return `<figure class="code">${caption}<pre tabindex="0"><code>${highlight(text, language)}</code></pre></figure>\n`
}

export function renderPage(file: string, markdown: string, files: ReadonlySet<string>): Rendered {
  const page: Rendered = { title: file, html: '', headings: [], used: [], faults: [] }
  const addressOf = addressesOf(page, file, files)
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const inner = this.parser.parseInline(tokens)
        const text = plain(inner)
        const same = page.headings.filter(({ id }) => id.replace(/-\d+$/, '') === slug(text))
        const id = same.length === 0 ? slug(text) : `${slug(text)}-${same.length}`
        page.headings.push({ level: depth, text, id })
        if (depth === 1) page.title = text
        return `<h${depth} id="${id}">${inner}<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(text)}">#</a></h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link): string {
        return `<a href="${escapeHtml(addressOf(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }: Tokens.Image): string {
        return `<img src="${escapeHtml(addressOf(href))}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      code: codeHtml,
      table(token: Tokens.Table): string {
        const cell = (name: string, tokens: Tokens.TableCell): string =>
          `<${name}>${this.parser.parseInline(tokens.tokens)}</${name}>`
        const head = token.header.map((one) => cell('th', one)).join('')
        const rows = token.rows.map(
          (row) => `<tr>${row.map((one) => cell('td', one)).join('')}</tr>`,
        )
        const empty = token.header.every((one) => one.text.trim() === '')
        return `<div class="table" tabindex="0"><table>${empty ? '' : `<thead><tr>${head}</tr></thead>`}<tbody>${rows.join('\n')}</tbody></table></div>\n`
      },
    },
  })
  page.html = marked.parse(markdown, { async: false })
  return page
}
