// Builds the documentation as a site into dist/docs: `npm run docs`. The pages are the repository's
// own Markdown files; they are first written to site/.pages for VitePress.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vitepress'
import { readContent, type Content } from './content.ts'
import { deadLinks } from './dead_links.ts'

const HERE = import.meta.dirname
const ROOT = path.join(HERE, '..')
const PAGES = path.join(HERE, '.pages')

function writeAll(folder: string, files: Iterable<readonly [string, string | Buffer]>): void {
  for (const [place, content] of files) {
    const file = path.join(folder, place)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}

/** Writes the pages, builds them with VitePress, and reports dead links. */
export async function buildSite(out: string): Promise<{ content: Content; faults: string[] }> {
  const content = readContent(ROOT)
  rmSync(PAGES, { recursive: true, force: true })
  writeAll(PAGES, content.pages)
  // VitePress bundles the pictures, so they are copied beside the pages.
  writeAll(
    PAGES,
    [...content.files].filter(([place]) => !place.endsWith('.md')),
  )
  cpSync(path.join(HERE, 'public'), path.join(PAGES, 'public'), { recursive: true })
  await build(HERE, { outDir: path.resolve(out) })
  writeAll(out, content.files)
  return { content, faults: [...content.faults, ...deadLinks(out)] }
}

if (process.argv[1] === import.meta.filename) {
  const began = performance.now()
  const out = path.join(ROOT, 'dist/docs')
  const { content, faults } = await buildSite(out)
  for (const fault of faults) console.error(fault)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${content.pages.size} pages in dist/docs, ${faults.length} dead links, ${seconds} s`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
