import { readFileSync } from 'node:fs'

/** One fenced block of a page: its language, and the terminal or file named after it. */
export interface Block {
  language: string
  place: string
  code: string
}

const FENCED = /^```(\w+)[ ]?([^\n]*)\n([\s\S]*?)^```/gm

/** The blocks of a page, or of one section of it, in their order, without `text` blocks. */
export function blocksOf(file: string, section?: string): Block[] {
  const page = readFileSync(file, 'utf8')
  const part = section === undefined ? page : sectionOf(page, section)
  return [...part.matchAll(FENCED)]
    .map(([, language = '', place = '', code = '']) => ({ language, place, code }))
    .filter(({ language }) => language !== 'text')
}

function sectionOf(page: string, title: string): string {
  const section = page.split(/^(?=## )/m).find((part) => part.startsWith(`## ${title}\n`))
  if (section === undefined) throw new Error(`the page has no section ${title}`)
  return section
}

/** A page whose blocks are run one after another; `left` returns the blocks that were not run. */
export class Page {
  readonly #blocks: readonly Block[]
  readonly #taken = new Set<Block>()
  /** The ports of the page, and the ones used instead. */
  readonly ports: Record<string, number> = {}

  constructor(blocks: readonly Block[]) {
    this.#blocks = blocks
  }

  /** The n-th block for this place, with its ports replaced. */
  take(place: string, index = 0): string {
    const block = this.#blocks.filter((one) => one.place === place)[index]
    if (block === undefined) throw new Error(`the page has no block ${index} for ${place}`)
    this.#taken.add(block)
    // In one pass: a port that was put in is not replaced again.
    return block.code.replace(/(?<=:)\d+\b|(?<=\()\d+(?=,)/g, (port) =>
      String(this.ports[port] ?? port),
    )
  }

  left(): Block[] {
    return this.#blocks.filter((block) => !this.#taken.has(block))
  }
}
