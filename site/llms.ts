// llms.txt, as llmstxt.org describes it: a list of all pages for language models, and every page as
// Markdown beside its HTML.
import { mdPlaceOf, type Section } from './pages.ts'

interface Source {
  sections: readonly Section[]
  titles: ReadonlyMap<string, string>
  textOf: (file: string) => string
}

const SUMMARY =
  'A payment service for Node in front of the Midtrans gateway (Indonesia): mounted in an application or run alone, on PostgreSQL. It charges, refunds, receives webhooks and publishes events, and stores every call before it is sent.'

/** The first sentence of the text, after a link to the page in another language. */
function firstOf(markdown: string): string {
  const paragraph = markdown
    .split(/\n{2,}/)
    .find((part) => /^[A-Z*`[]/.test(part.trim()) && !/^Made |^\[[^\]]*\]\([^)]*\)$/.test(part))
  const text = (paragraph ?? '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*`]/g, '')
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/\s+/g, ' ') ?? ''
}

export function llmsText({ sections, titles, textOf }: Source): [string, string][] {
  const lines = ['# Gapura', '', `> ${SUMMARY}`, '']
  for (const { title, files } of sections) {
    lines.push(`## ${title}`, '')
    for (const file of files) {
      lines.push(`- [${titles.get(file) ?? file}](${mdPlaceOf(file)}): ${firstOf(textOf(file))}`)
    }
    lines.push('')
  }
  const files = sections.flatMap((section) => section.files)
  return [
    ['llms.txt', lines.join('\n')],
    ...files.map((file): [string, string] => [mdPlaceOf(file), textOf(file)]),
  ]
}
