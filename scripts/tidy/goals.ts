// The size and structure of the code beside the goals that were set for them.
import { outsideCitations } from '../docs/citations.ts'
import { folderCycles } from './cycles.ts'
import { descriptionsOf } from './descriptions.ts'
import { importsOf, isSource, resolveImport, type Tree } from './tree.ts'
import { lineCount } from './rules.ts'
import { wordsLeft } from './words.ts'

const SERVICE = 'packages/service/src/'
const SERVICES = `${SERVICE}services/`

interface Goal {
  measured: string
  goal: string
}

export function goalsOf(tree: Tree, openapi: unknown, scripts: object): Record<string, Goal> {
  const sources = [...tree].filter(([file]) => file.startsWith(SERVICE) && isSource(file))
  const filesIn = (folder: string): number =>
    sources.filter(([file]) => file.startsWith(folder)).length
  const lines = sources.reduce((sum, [, text]) => sum + lineCount(text), 0)
  const loaded = [...loadedBy(tree, `${SERVICES}payments/create_charge.ts`)]
  const words = wordsLeft(tree)
  const naming = (name: string): number => filesNaming(tree, name)
  const { described, properties } = descriptionsOf(openapi)
  return {
    'services: files': goal(filesIn(SERVICES), '≤ 155'),
    'services: folders in import cycles': goal(cyclesOf(tree), '0'),
    'http: files': goal(filesIn(`${SERVICE}http/`), '≤ 42'),
    'packages/service/src: lines': goal(lines, '≤ 26,500'),
    'operation lifecycle: files that send': goal(senders(tree).length, '1'),
    'create_charge loads: files / of services': goal(
      `${loaded.length} / ${loaded.filter((file) => file.startsWith(SERVICES)).length}`,
      '≤ 70 / ≤ 18',
    ),
    'service files naming akulaku / invoice_voided': goal(
      `${naming('akulaku')} / ${naming('invoice_voided')}`,
      '≤ 3 / ≤ 3',
    ),
    'words of the list: service / everywhere': goal(
      `${words.filter(({ file }) => file.startsWith(SERVICE)).length} / ${words.length}`,
      '0 / 0',
    ),
    'OpenAPI properties described': goal(`${described} of ${properties}`, 'all'),
    'npm scripts': goal(Object.keys(scripts).length, '≤ 16'),
    'citations of documents elsewhere': goal(outsideCitations(tree).length, '0'),
  }
}

const goal = (measured: number | string, wanted: string): Goal => ({
  measured: String(measured),
  goal: wanted,
})

function cyclesOf(tree: Tree): string {
  const cycles = folderCycles(tree, SERVICES).map((folders) => folders.length)
  return cycles.length === 0 ? '0' : cycles.join(' + ')
}

/** What Node loads with a file: imports of types load nothing. */
function loadedBy(tree: Tree, start: string): Set<string> {
  const found = new Set<string>()
  const waiting = tree.has(start) ? [start] : []
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    for (const { specifier, type_only } of importsOf(tree.get(file) ?? '')) {
      const target = resolveImport(file, specifier)
      if (!type_only && target !== undefined && tree.has(target)) waiting.push(target)
    }
  }
  return found
}

/** Files that send an operation to the gateway; one lifecycle needs one. */
const senders = (tree: Tree): string[] =>
  [...tree.keys()].filter(
    (file) =>
      file.startsWith(SERVICES) &&
      /(?<!function )\bsendWritten(?:<\w+>)?\(/.test(tree.get(file) ?? ''),
  )

/** Sources and migrations of the service in which the name of a payment type or event stands. */
const filesNaming = (tree: Tree, name: string): number =>
  [...tree].filter(
    ([file, text]) =>
      file.startsWith(SERVICE) &&
      (isSource(file) || file.endsWith('.sql')) &&
      new RegExp(`\\b${name}\\b`).test(text),
  ).length
