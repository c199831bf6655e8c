// Prints the size of the built dashboard that a browser loads.
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const folder = new URL('../packages/dashboard/dist/', import.meta.url)
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
const files = names.filter((name) => /\.(?:html|js|css|svg)$/.test(name))
let bytes = 0
let gzipped = 0
for (const name of files) {
  const content = readFileSync(new URL(name, folder))
  const packed = gzipSync(content, { level: 9 }).length
  console.log(`${name}: ${content.length} bytes, ${packed} gzipped`)
  bytes += content.length
  gzipped += packed
}
console.log(`@gapura/dashboard: ${bytes} bytes, ${gzipped} gzipped, in ${files.length} files`)
