// The architecture as checks over a tree of files. `test/tidy.test.ts` runs them on the repository
// and on planted faults; `npm run tidy` prints what they find beside the measurements.
import path from 'node:path'
import {
  PAYMENT_TYPES,
  QRIS_ACQUIRERS,
  STORES,
  VA_BANKS,
} from '../../packages/service/src/domain/payment_type.ts'
import { findCycles } from './cycles.ts'
import {
  importsOf,
  isGenerated,
  isSource,
  isTest,
  lineAt,
  packageOf,
  resolveImport,
  layerOf,
  withoutComments,
  type Fault,
  type Tree,
} from './tree.ts'

export const LINES_PER_FILE_MAX = 300

/** Imports point down: a layer may import itself and the layers listed, nothing else. */
const LAYERS: Record<string, readonly string[]> = {
  domain: [],
  gateway: ['domain'],
  store: ['domain'],
  services: ['domain', 'gateway', 'store', 'events'],
  events: ['domain', 'store'],
  http: ['domain', 'services'],
  tasks: ['domain', 'store', 'services'],
  main: ['domain', 'gateway', 'store', 'services', 'events', 'http', 'tasks'],
}

/** npm links every workspace, so an undeclared import of a sibling would run; only this stops it. */
const PACKAGES: Record<string, readonly string[]> = {
  service: [],
  simulator: [],
  sdk: [],
  dashboard: ['@gapura/sdk'],
  cli: ['@gapura/sdk', 'gapura', '@gapura/simulator'],
}

/** Packages that one layer alone may import; every layer but domain may import the others. */
const PACKAGE_OWNERS: readonly { package: RegExp; layer: string }[] = [
  { package: /^pg(?:-|$)/, layer: 'store' },
  { package: /^graphile-worker$/, layer: 'tasks' },
  { package: /^undici$|^(?:node:)?(?:https?|http2|net|tls|dgram)$/, layer: 'gateway' },
]

interface BannedText {
  rule: string
  text: RegExp
  where: (file: string) => boolean
  why: string
}

const inService = (file: string): boolean => packageOf(file) === 'service' && isSource(file)
/** The command line uses the service's public interface: it has no SQL and no database driver. */
const inCli = (file: string): boolean => packageOf(file) === 'cli' && isSource(file)
const outsideLayer = (layer: string) => (file: string) => inService(file) && layerOf(file) !== layer

const METHOD = [...PAYMENT_TYPES, ...VA_BANKS, ...STORES, ...QRIS_ACQUIRERS].join('|')

/** `=== 'dana'`, `'dana' ===`, `case 'dana'`, `['dana'`, `.has('dana'`, `<> 'dana'`, `in ('dana'`. */
const METHOD_RULE = new RegExp(
  `(?:[=<>]\\s*|\\bcase\\s+|\\[\\s*|\\.\\w+\\(|\\bin\\s*\\(\\s*)['"](?:${METHOD})['"]|['"](?:${METHOD})['"]\\s*[!=]=`,
)

const BANNED: readonly BannedText[] = [
  {
    rule: 'payment-type',
    text: METHOD_RULE,
    where: (file) => inService(file) && !/\/domain\/payment_type(?:_row)?\.ts$/.test(file),
    why: 'a rule of one payment type, bank or store is a column of domain/payment_type.ts',
  },
  {
    rule: 'sql',
    text: /[`'"](?:\s|--.*\n)*(?:(?:select|with)\s[\s\S]{0,400}?(?:\bfrom\b|\()|insert\s+into\b|update\s+[\w.]+\s+(?:as\s+\w+\s+)?set\b|delete\s+from\b|truncate\s|lock\s+table\b|create\s+(?:table|index|schema|function)\b|(?:begin|commit|rollback)\s*[;`'"])/,
    where: (file) => outsideLayer('store')(file) || inCli(file),
    why: 'SQL belongs in store',
  },
  {
    rule: 'driver',
    text: /\.(?:pipeline|readyForQuery|stream|activeQuery|cork|uncork)\b/,
    where: (file) =>
      inService(file) && layerOf(file) === 'store' && !file.endsWith('/pipelining.ts'),
    why: 'undocumented parts of the driver may be used in pipelining.ts only',
  },
  {
    rule: 'env',
    text: /process\.env|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b|\{[^}]*\benv\b[^}]*\}\s*from\s*['"](?:node:)?process/,
    where: (file) => isSource(file) && layerOf(file) !== 'main' && !file.endsWith('/src/main.ts'),
    why: 'the environment is read once, in main',
  },
  {
    rule: 'fetch',
    text: /(?<!sec-)\bfetch\b(?!['"`:])/,
    where: outsideLayer('gateway'),
    why: 'only the gateway layer makes outgoing calls',
  },
  {
    rule: 'pure',
    text: /\bDate\.now\b|\bnew Date(?:\(\)|\b(?!\())|(?<!new )\bDate\(|=\s*(?:Date|Math)\b(?!\.)|\bMath\.random\b|\bperformance\b|\bcrypto\b|\bset(?:Timeout|Interval|Immediate)\b|\bprocess\b/,
    where: (file) => inService(file) && layerOf(file) === 'domain',
    why: 'domain has no clock, no randomness and no input or output',
  },
  {
    rule: 'browser',
    text: /\bXMLHttpRequest\b|\bWebSocket\b|\bEventSource\b|\bsendBeacon\b|dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|\beval\(|\bdocument\.(?:write|cookie)\b/,
    where: (file) => packageOf(file) === 'dashboard' && isSource(file),
    why: 'the dashboard calls the service through the sdk only and makes no HTML out of text',
  },
  {
    rule: 'sdk',
    text: /\bfetch\b(?!['"`:])/,
    where: (file) =>
      packageOf(file) === 'dashboard' && isSource(file) && !file.endsWith('/src/client.ts'),
    why: 'the dashboard calls the service through the sdk only, except to sign in and out',
  },
  {
    rule: 'portable',
    text: /\bprocess\b|\bBuffer\b|\bsetImmediate\b|\b__dirname\b|\bwindow\b|\bdocument\b/,
    // The one file that is for pages alone.
    where: (file) =>
      packageOf(file) === 'sdk' && isSource(file) && !file.endsWith('/sdk/src/browser.ts'),
    why: 'the sdk runs in Node, browsers and workers, so it uses only what all of them have',
  },
  {
    rule: 'dynamic-import',
    text: /\bimport\s*\(|\bcreateRequire\b|\brequire\(/,
    // Packages that are installed only by those who use them are imported in the first, by their
    // names; pages of the dashboard, which load with their first visit, in the second.
    where: (file) =>
      isSource(file) &&
      !file.endsWith('/service/src/main/optional_packages.ts') &&
      !file.endsWith('/dashboard/src/router.tsx'),
    why: 'these rules see only a dynamic import that names its file',
  },
  {
    rule: 'unfinished',
    text: /\b(?:TODO|FIXME|XXX|HACK)\b/,
    where: (file) => /\.tsx?$/.test(file) && !file.startsWith('scripts/tidy/') && !isTest(file),
    why: 'finish it or open an issue',
  },
]

export function findFaults(tree: Tree): Fault[] {
  return [...tree]
    .flatMap(([file, text]) => [
      ...importFaults(file, text),
      ...nameFaults(file),
      ...lengthFaults(file, text),
      ...textFaults(file, text),
      ...linkFaults(tree, file, text),
    ])
    .concat(findCycles(tree))
}

function importFaults(file: string, text: string): Fault[] {
  if (!isSource(file)) return []
  return importsOf(text).flatMap(({ specifier, line }) => {
    const target = resolveImport(file, specifier)
    const found =
      target === undefined ? packageFault(file, specifier) : siblingFault(file, target, specifier)
    return found === undefined ? [] : [{ ...found, file, line }]
  })
}

type Found = Pick<Fault, 'rule' | 'why'> | undefined

function packageFault(file: string, specifier: string): Found {
  const owner = packageOf(file) ?? ''
  const ours = /^(?:gapura|@gapura\/[^/]+)(?=\/|$)/.exec(specifier)?.[0]
  if (ours !== undefined) {
    if (PACKAGES[owner]?.includes(ours)) return undefined
    return { rule: 'package', why: `${owner} must not import ${ours}` }
  }
  // Built-in modules of Node count as well: a browser has none.
  if (owner === 'sdk') return { rule: 'portable', why: `the sdk imports nothing, not ${specifier}` }
  if (inCli(file) && /^(?:pg(?:-|$)|graphile-worker$)/.test(specifier)) {
    return { rule: 'dependency', why: `the command line must not import ${specifier}` }
  }
  const layer = layerOf(file)
  if (owner !== 'service' || layer === undefined) return undefined
  if (layer === 'domain') return { rule: 'pure', why: `domain imports nothing, not ${specifier}` }
  const owned = PACKAGE_OWNERS.find((one) => one.package.test(specifier))
  if (owned === undefined || owned.layer === layer || layer === 'main') return undefined
  return { rule: 'dependency', why: `only ${owned.layer} may import ${specifier}` }
}

function siblingFault(file: string, target: string, specifier: string): Found {
  if (packageOf(target) !== packageOf(file)) {
    return { rule: 'package', why: `${specifier} is outside the package` }
  }
  const layer = layerOf(file)
  const targetLayer = layerOf(target)
  if (layer === undefined || layer === targetLayer) return undefined
  // The package's index.ts imports every layer, so importing it would bypass the layer rule.
  if (targetLayer === undefined)
    return { rule: 'layer', why: `${layer} must not import ${specifier}` }
  if (LAYERS[layer]?.includes(targetLayer)) return undefined
  return { rule: 'layer', why: `${layer} must not import ${targetLayer}` }
}

const VAGUE_NAME = /(?:^|\/)(?:utils?|helpers?|common|misc|types)(?:\/|\.tsx?$)/

function nameFaults(file: string): Fault[] {
  if (!isSource(file)) return []
  const faults: Fault[] = []
  const layer = layerOf(file)
  if (layer !== undefined && !(layer in LAYERS)) {
    faults.push({ rule: 'layer', file, line: 1, why: `${layer} is not one of the layers` })
  }
  if (
    path.posix.basename(file) === 'index.ts' &&
    path.posix.basename(path.posix.dirname(file)) !== 'src'
  ) {
    faults.push({
      rule: 'barrel',
      file,
      line: 1,
      why: 'a package has one index.ts, directly under src',
    })
  }
  if (VAGUE_NAME.test(file)) {
    faults.push({ rule: 'name', file, line: 1, why: 'the name does not say what the file holds' })
  }
  if (/[A-Z-]/.test(path.posix.basename(file))) {
    faults.push({ rule: 'name', file, line: 1, why: 'file names must be snake_case' })
  }
  return faults
}

function lengthFaults(file: string, text: string): Fault[] {
  if (!/\.(?:tsx?|js|css)$/.test(file) || isGenerated(file)) return []
  const lines = lineCount(text)
  if (lines <= LINES_PER_FILE_MAX) return []
  const why = `${lines} lines, at most ${LINES_PER_FILE_MAX}`
  return [{ rule: 'length', file, line: LINES_PER_FILE_MAX + 1, why }]
}

export const lineCount = (text: string): number => text.replace(/\n$/, '').split('\n').length

function textFaults(file: string, text: string): Fault[] {
  const banned = BANNED.filter(({ where }) => where(file))
  return banned.flatMap(({ rule, text: pattern, why }) => {
    const found = pattern.exec(rule === 'unfinished' ? text : withoutComments(text))
    return found ? [{ rule, file, line: lineAt(text, found.index), why }] : []
  })
}

const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g

function linkFaults(tree: Tree, file: string, text: string): Fault[] {
  if (!file.endsWith('.md')) return []
  return [...text.matchAll(LINK)].flatMap((match) => {
    const [target = '', anchor] = (match[1] ?? '').split('#')
    if (/^[a-z]+:/.test(target)) return []
    const line = lineAt(text, match.index)
    const found = target === '' ? file : path.posix.join(path.posix.dirname(file), target)
    const exists =
      tree.has(found) ||
      [...tree.keys()].some((name) => name.startsWith(`${found.replace(/\/$/, '')}/`))
    if (!exists) return [{ rule: 'link', file, line, why: `${target} does not exist` }]
    if (anchor === undefined || hasAnchor(tree.get(found) ?? '', anchor)) return []
    return [{ rule: 'link', file, line, why: `${target}#${anchor} does not exist` }]
  })
}

export const hasAnchor = (markdown: string, anchor: string): boolean =>
  markdown.includes(`id="${anchor}"`) ||
  [...markdown.matchAll(/^#+\s+(.*)$/gm)].some((heading) => slug(heading[1] ?? '') === anchor)

/** The anchor of a heading, as code hosts make it. */
export const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
