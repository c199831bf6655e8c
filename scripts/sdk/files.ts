// The SDK's generated files: the types of the interface, and the methods of its resources.
import { camel, methodsOf, pascal, singular, type Method, type OpenApi } from './document.ts'
import { comment, Shapes, type Declaration } from './shapes.ts'

const HEADER =
  '// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.\n'

/** Hand-written names and their files. */
const BY_HAND: Readonly<Record<string, string>> = {
  Money: '../values.ts',
  AmountInput: '../values.ts',
  Timestamp: '../values.ts',
  Uuid: '../values.ts',
  Feed: '../feed.ts',
  Pages: '../pages.ts',
  CallOptions: '../settings.ts',
  WriteOptions: '../settings.ts',
}

/** File name to text, unformatted: `model.ts` holds every type, `resources.ts` the methods. */
export function sdkFiles(document: OpenApi): Map<string, string> {
  const methods = methodsOf(document)
  const shapes = new Shapes(document)
  shapes.typeOf({ $ref: '#/components/schemas/Problem' }, { parent: '', property: '' })
  const groups = Map.groupBy(methods, resourceOf)
  const resources = [...groups].map(([name, own]) => {
    const signatures = own.map((method) => signatureOf(method, shapes))
    return { name, text: `export interface ${name} {\n${signatures.join('\n')}}` }
  })
  const declared = [...resources, ...shapes.declarations.values()]
  if (new Set(declared.map(({ name }) => name)).size !== declared.length) {
    throw new Error('a schema has the name of a resource')
  }
  return new Map([
    ['model.ts', modelOf(groups, declared)],
    ['resources.ts', runtimeOf(groups, shapes)],
  ])
}

const resourceOf = ({ group }: Method): string => group.map(pascal).join('')

function signatureOf(method: Method, shapes: Shapes): string {
  const { ids, query, body, replies, verb } = method
  const parent = singular(resourceOf(method))
  const typed = (schema: Method['replies'][number], property: string): string =>
    shapes.typeOf(schema, { parent, property })
  const listed = listedBy(method, shapes)
  const given = [
    ...ids.map((one) => `${idOf(one.name)}: ${typed(one.schema, one.name)}`),
    ...(body ? [`input${body.required ? '' : '?'}: ${typed(body.schema, 'input')}`] : []),
  ]
  const result = listed
    ? `${listed.kind === 'list' ? 'Pages' : 'Feed'}<${typed(listed.items, 'item')}>`
    : `Promise<${replies.map((one) => typed(one, 'reply')).join(' | ') || FILE}>`
  // After the replies, so that a filter's values have the name of the field.
  if (query.length > 0) {
    const required = query.filter((one) => one.required === true).map(({ name }) => name)
    const properties = Object.fromEntries(
      query.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description !== undefined && { description }) },
      ]),
    )
    const type = typed({ type: 'object', properties, required }, `${parent}_${method.name}_query`)
    given.push(`query${required.length > 0 ? '' : '?'}: ${type}`)
  }
  const options = verb === 'GET' ? 'CallOptions' : 'WriteOptions'
  const about = comment(`${method.about.replace(/\.?$/, '.')}\n\`${verb} ${method.path}\``)
  return `${about}${method.name}: (${[...given, `options?: ${options}`].join(', ')}) => ${result}\n`
}

/** A file is returned as a stream, because it may be too large for memory. */
const FILE = 'ReadableStream<Uint8Array>'

interface Listed {
  /** A feed has no page before and no last one: its next page may be asked for later. */
  kind: 'list' | 'feed'
  items: Method['replies'][number]
}

/** The items of a page, if the reply is a page. */
function listedBy({ replies }: Method, shapes: Shapes): Listed | undefined {
  const [reply] = replies
  const page = reply && (shapes.resolve(reply)?.schema ?? reply).properties
  const items = page?.['results']?.items
  if (items === undefined || !page?.['next']) return undefined
  if (page['previous']) return { kind: 'list', items }
  return page['has_more'] ? { kind: 'feed', items } : undefined
}

const idOf = (name: string): string => (name === 'pk' ? 'id' : camel(name))

/** Imports of the hand-written names that the text uses. */
function importsOf(text: string): string {
  const code = text.replaceAll(/\/\*\*[\s\S]*?\*\/|'[^']*'/g, '')
  const used = [...new Set(code.match(/\b[A-Z]\w+/g))].sort()
  const from = Map.groupBy(used, (name) => BY_HAND[name] ?? '')
  return [...from]
    .filter(([source]) => source !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([source, names]) => `import type { ${names.join(', ')} } from '${source}'\n`)
    .join('')
}

/** Groups as a tree: `staff` holds resources of its own. */
function treeOf(groups: ReadonlyMap<string, Method[]>): Map<string, Map<string, Method[]>> {
  const tree = new Map<string, Map<string, Method[]>>()
  for (const methods of groups.values()) {
    const [outer = '', inner = ''] = methods[0]?.group ?? []
    tree.set(outer, (tree.get(outer) ?? new Map<string, Method[]>()).set(inner, methods))
  }
  return tree
}

const nested = (
  groups: ReadonlyMap<string, Method[]>,
  leaf: (first: Method) => string,
  separator: string,
): string =>
  [...treeOf(groups)]
    .map(([outer, inner]) => {
      const leaves = [...inner].map(([name, [first]]) => [name, first ? leaf(first) : ''] as const)
      const own = leaves.find(([name]) => name === '')
      if (own) return `${outer}: ${own[1]}`
      const members = leaves.map(([name, text]) => `${name}: ${text}`)
      return `${outer}: { ${members.join(separator)} }`
    })
    .join(separator)

function modelOf(groups: ReadonlyMap<string, Method[]>, declared: readonly Declaration[]): string {
  const body = declared.map(({ text }) => text).join('\n\n')
  const members = nested(groups, resourceOf, '\n')
  return `${HEADER}${importsOf(body)}\nexport interface Resources {\n${members}\n}\n\n${body}\n`
}

function runtimeOf(groups: ReadonlyMap<string, Method[]>, shapes: Shapes): string {
  const functions = [...groups].map(([name, methods]) => {
    const bodies = methods.map((method) => bodyOf(method, listedBy(method, shapes)?.kind))
    return `const ${camel(name)} = (call: Call): ${name} => ({\n${bodies.join('')}})\n`
  })
  const members = nested(groups, (first) => `${camel(resourceOf(first))}(call)`, ', ')
  return `${HEADER}import { path, type Call } from '../call.ts'
import type { ${[...groups.keys(), 'Resources'].sort().join(', ')} } from './model.ts'

${functions.join('\n')}
export const resourcesOf = (call: Call): Resources => ({ ${members} })
`
}

function bodyOf(method: Method, lists: Listed['kind'] | undefined): string {
  const { name, ids, query, body, verb, path } = method
  const given = [
    ...ids.map((one) => idOf(one.name)),
    ...(body ? ['input'] : []),
    ...(query.length > 0 ? ['query'] : []),
    'options',
  ]
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, id: string) => `\${${idOf(id)}}`)
  const url = filled === path ? `'${path}'` : `path\`${filled}\``
  const asked = query.length > 0 ? 'query' : 'undefined'
  const call =
    verb === 'GET'
      ? `call.${lists ?? (method.replies.length === 0 ? 'file' : 'read')}(${url}, ${asked}, options)`
      : `call.write('${verb}', ${url}, ${body ? 'input' : 'undefined'}, options)`
  return `${name}: (${given.join(', ')}) => ${call},\n`
}
