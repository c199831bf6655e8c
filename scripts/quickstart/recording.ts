// The output of `gapura dev` on the quick start page.
import { readFileSync, writeFileSync } from 'node:fs'

const PAGE = 'docs/quick_start.md'
const BEGIN = '<!-- Made by npm run generate recording -->'
const END = '<!-- End of the recording -->'

/** Replaces the last recording. */
export function writeRecording(command: string, printed: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined)
    throw new Error(`${PAGE} has no recording markers`)
  const text = `$ ${command}\n${printed.trim()}`
  writeFileSync(PAGE, `${before}${BEGIN}\n\n\`\`\`text\n${text}\n\`\`\`\n\n${END}${after}`)
}
