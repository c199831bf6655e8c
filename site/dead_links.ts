import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ADDRESS = /<(?:a|img|script|link)\b[^>]*?\b(?:href|src)="([^"]*)"/g

/** Dead links and anchors in the finished pages, after every build step. */
export function deadLinks(folder: string): string[] {
  const files = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
      ),
  )
  const pages = [...files].filter((file) => file.endsWith('.html'))
  const htmlOf = new Map(pages.map((page) => [page, readFileSync(path.join(folder, page), 'utf8')]))
  const ids = new Map(
    [...htmlOf].map(([page, html]) => [
      page,
      new Set([...html.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id)),
    ]),
  )
  return pages.flatMap((page) =>
    [...(htmlOf.get(page) ?? '').matchAll(ADDRESS)].flatMap(([, address = '']) => {
      if (/^[a-z]+:|^\/\//.test(address)) return []
      const [target = '', anchor] = address.split('#', 2)
      const found = placeOf(page, decodeURI(target))
      const isThere = files.has(found)
      const hasId =
        anchor === undefined || anchor === '' || ids.get(found)?.has(decodeURIComponent(anchor))
      return isThere && hasId ? [] : [`${page}: ${address} does not exist`]
    }),
  )
}

function placeOf(page: string, target: string): string {
  if (target === '') return page
  const folder = target.startsWith('/') ? '.' : path.posix.dirname(page)
  const place = path.posix.join(folder, target)
  return place.endsWith('/') ? path.posix.join(place, 'index.html') : place
}
