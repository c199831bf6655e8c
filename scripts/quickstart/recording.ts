// The output of `gapura dev` on the quick start page, in each language.
import { readFileSync, writeFileSync } from 'node:fs'

const PAGES = ['docs/quick_start.md', 'docs/id/quick_start.md']
const BEGIN = '<!-- Made by npm run generate recording -->'
const END = '<!-- End of the recording -->'

/** Replaces the last recording. */
export function writeRecording(command: string, printed: string): void {
  const text = `$ ${command}\n${printed.trim()}`
  for (const file of PAGES) {
    const [before, rest] = readFileSync(file, 'utf8').split(BEGIN)
    const after = rest?.split(END)[1]
    if (before === undefined || after === undefined)
      throw new Error(`${file} has no recording markers`)
    writeFileSync(file, `${before}${BEGIN}\n\n\`\`\`text\n${text}\n\`\`\`\n\n${END}${after}`)
  }
}
