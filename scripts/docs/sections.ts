import { slug } from '../tidy/rules.ts'
import type { Tree } from '../tidy/tree.ts'

/** The text under a heading, without what is under the next heading of the same or a higher level. */
export function sectionOf(tree: Tree, address: string): string {
  const [file = '', anchor] = address.split('#')
  const text = tree.get(file) ?? ''
  if (anchor === undefined) return text
  const parts = text.split(/^(?=#+ )/m)
  const start = parts.findIndex((part) => slug(/^#+\s+(.*)$/m.exec(part)?.[1] ?? '') === anchor)
  const level = levelOf(parts[start])
  const end = parts.findIndex((part, index) => index > start && levelOf(part) <= level)
  return start < 0 ? '' : parts.slice(start, end < 0 ? undefined : end).join('')
}

const levelOf = (part = ''): number => /^#+/.exec(part)?.[0].length ?? Infinity
