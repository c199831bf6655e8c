// XML, with every value as the text that stands in the file: a library that made numbers of amounts
// would lose their last digits.
import { parseXml as parseDocument, XmlCdata, XmlElement, XmlText } from '@rgrove/parse-xml'
import { FileProblem } from './parsed_file.ts'

/** Children by their names without prefix, attributes with `@`, and the text as `#text`. */
export type XmlNode = Readonly<Record<string, unknown>>

const DEPTH_MAX = 60

/** The document, or a problem of the file. Entities of its own could grow without bound. */
export function parseXml(text: string): XmlNode {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new FileProblem('must not have a DOCTYPE')
  if (depthOf(text) > DEPTH_MAX) throw new FileProblem('is nested too deeply')
  const { root } = documentOf(text)
  if (root === null) throw new FileProblem('must be well-formed XML')
  return { [localName(root.name)]: nodeOf(root) }
}

/** Its own error quotes the file. */
function documentOf(text: string): ReturnType<typeof parseDocument> {
  try {
    return parseDocument(text)
  } catch {
    throw new FileProblem('must be well-formed XML')
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function nodeOf({ attributes, children: inner }: XmlElement): XmlNode {
  const node = new Map<string, unknown>()
  for (const [name, value] of Object.entries(attributes)) node.set(`@${localName(name)}`, value)
  let text = ''
  const below = new Map<string, XmlNode[]>()
  for (const one of inner) {
    if (one instanceof XmlElement) {
      const name = localName(one.name)
      const list = below.get(name) ?? []
      list.push(nodeOf(one))
      below.set(name, list)
    } else if (one instanceof XmlText || one instanceof XmlCdata) text += one.text
  }
  if (text.trim() !== '') node.set('#text', text.trim())
  return Object.fromEntries([...node, ...below])
}

/** By the tags alone: the parser's own descent has no bound. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [, closing, , self] of text.matchAll(/<(\/?)([A-Za-z_][^\s/>]*)[^<>]*?(\/?)>/g)) {
    if (closing === '/') depth -= 1
    else if (self !== '/') depth += 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

export const isNode = (value: unknown): value is XmlNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The child of that name, or an empty one, so that readers can be chained. */
export function child(node: XmlNode, ...names: string[]): XmlNode {
  let at: unknown = node
  for (const name of names) at = isNode(at) ? first(at[name]) : undefined
  return isNode(at) ? at : {}
}

const first = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : value)

/** All children of that name; text is a node with only text. */
export function children(node: XmlNode, name: string): XmlNode[] {
  const found = node[name]
  if (found === undefined) return []
  const list: unknown[] = Array.isArray(found) ? found : [found]
  return list.map((one) => (isNode(one) ? one : { '#text': one }))
}

/** The text at the end of the path; empty if there is none. */
export function textAt(node: XmlNode, ...names: string[]): string {
  const last = names.at(-1)
  const parent = child(node, ...names.slice(0, -1))
  const value = last === undefined ? node : first(parent[last])
  if (typeof value === 'string') return value
  const inner = isNode(value) ? value['#text'] : undefined
  return typeof inner === 'string' ? inner : ''
}
