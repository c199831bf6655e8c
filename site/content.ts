// The input of VitePress: every page of the repository under its address on the site, with links to
// other pages of the site, and the files that pages show or link to.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { hasAnchor } from '../scripts/tidy/rules.ts'
import { llmsText } from './llms.ts'
import {
  isMoved,
  mdPlaceOf,
  pagesOf,
  placeOf,
  sectionsOf,
  targetOf,
  type Section,
} from './pages.ts'

export interface Content {
  /** Markdown pages, by their place: `errors.md`. */
  pages: Map<string, string>
  /** Files beside them: pictures, `openapi.json`, and each page as Markdown with `llms.txt`. */
  files: Map<string, string | Buffer>
  sections: readonly Section[]
  titles: ReadonlyMap<string, string>
  /** Dead links. */
  faults: string[]
}

const tracked = (root: string): Set<string> =>
  new Set(
    execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\0')
      .filter((file) => file !== ''),
  )

export function readContent(root: string): Content {
  const files = tracked(root)
  const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')
  const sections = sectionsOf(files)
  const sources = pagesOf(files)
  const titles = new Map(sources.map((file) => [file, titleOf(textOf(file)) ?? file]))
  const content: Content = { pages: new Map(), files: new Map(), sections, titles, faults: [] }
  const linked = new Set<string>()
  for (const file of sources) {
    const page = withLinks(textOf(file), (link) => {
      const { address, target, fault } = addressOf(files, textOf, file, link)
      if (fault !== undefined) content.faults.push(`${file}: ${fault}`)
      if (target !== undefined && !sources.includes(target)) linked.add(target)
      return address
    })
    if (content.pages.has(mdPlaceOf(file)))
      content.faults.push(`${file}: another page is at ${mdPlaceOf(file)}`)
    content.pages.set(mdPlaceOf(file), isMoved(file) ? `---\nsearch: false\n---\n\n${page}` : page)
  }
  for (const target of linked) {
    const within = files.has(target)
      ? []
      : [...files].filter((file) => file.startsWith(`${target}/`))
    if (within.length > 0) content.pages.set(mdPlaceOf(target), folderPage(target, within))
    for (const file of files.has(target) ? [target] : within) {
      if (placeOf(file).endsWith('.html'))
        content.pages.set(mdPlaceOf(file), sourcePage(file, textOf))
      else content.files.set(placeOf(file), readFileSync(path.join(root, file)))
    }
  }
  for (const [place, text] of llmsText({ sections, titles, textOf })) content.files.set(place, text)
  return content
}

const titleOf = (markdown: string): string | undefined =>
  /^# (.*)$/m.exec(markdown)?.[1]?.replaceAll('`', '')

/** A folder that a page links to: its files. */
function folderPage(folder: string, within: readonly string[]): string {
  const here = path.posix.dirname(mdPlaceOf(folder))
  const items = within.map(
    (file) =>
      `- [${path.posix.relative(folder, file)}](./${path.posix.relative(here, mdPlaceOf(file))})`,
  )
  return `---\nsearch: false\n---\n\n# ${folder}\n\n${items.join('\n')}\n`
}

/** A file that a page links to, shown as code and not searched. */
function sourcePage(file: string, textOf: (file: string) => string): string {
  const language = path.extname(file).slice(1)
  const fence = '`'.repeat(6)
  return `---\nsearch: false\n---\n\n# ${file}\n\n${fence}${language}\n${textOf(file)}\n${fence}\n`
}

interface Address {
  address: string
  target?: string
  fault?: string
}

/** The address of a link on the site. */
function addressOf(
  files: ReadonlySet<string>,
  textOf: (file: string) => string,
  file: string,
  link: string,
): Address {
  const [target = '', anchor] = link.split('#', 2)
  if (/^[a-z]+:/.test(target)) return { address: link }
  const found = target === '' ? file : targetOf(files, file, target)
  if (found === undefined) return { address: link, fault: `${link} does not exist` }
  const isDead = anchor !== undefined && !hasAnchor(textOf(found), anchor)
  const there = path.posix.relative(path.posix.dirname(mdPlaceOf(file)), mdPlaceOf(found))
  const relative = there.startsWith('.') ? there : `./${there}`
  const address = target === '' ? '' : relative
  return {
    address: anchor === undefined ? address : `${address}#${anchor}`,
    target: found,
    ...(isDead && { fault: `${link} does not exist` }),
  }
}

const FENCE = /^\s*(`{3,}|~{3,})/
const LINK = /(\]\()([^()\s]+)(\))/g

/** The page with every link and picture address replaced, except in code. */
function withLinks(markdown: string, replace: (link: string) => string): string {
  let open: string | undefined
  return markdown
    .split('\n')
    .map((line) => {
      const fence = FENCE.exec(line)?.[1]
      if (fence !== undefined && (open === undefined || fence.startsWith(open))) {
        open = open === undefined ? fence : undefined
        return line
      }
      if (open !== undefined) return line
      return line.replace(LINK, (_, before: string, link: string, after: string) =>
        [before, replace(link), after].join(''),
      )
    })
    .join('\n')
}
