// Builds the documentation into dist/docs: plain files for any web server, or to open from disk.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildSite } from './docs/site.ts'

const OUT = 'dist/docs'

const began = performance.now()
const { files, faults } = buildSite('.')
rmSync(OUT, { recursive: true, force: true })
for (const [place, content] of files) {
  const file = path.join(OUT, place)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
}
for (const fault of faults) console.error(fault)
const pages = [...files.keys()].filter((place) => place.endsWith('.html')).length
const seconds = ((performance.now() - began) / 1000).toFixed(1)
console.log(`${pages} pages in ${OUT}, ${faults.length} dead links, ${seconds} s`)
process.exitCode = faults.length > 0 ? 1 : 0
