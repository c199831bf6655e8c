// What `gapura dev` looks like, on the quick start page, as it was printed.
import { readFileSync, writeFileSync } from 'node:fs'

const PAGE = 'docs/quick_start.md'
const BEGIN = '<!-- Made by npm run generate recording -->'
const END = '<!-- End of the recording -->'

/** Puts the recording in the place of the last one. */
export function writeRecording(command: string, printed: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no place for it`)
  const text = `$ ${command}\n${printed.trim()}`
  writeFileSync(PAGE, `${before}${BEGIN}\n\n\`\`\`text\n${text}\n\`\`\`\n\n${END}${after}`)
}
