// The architecture as checks over a tree of files. `test/tidy.test.ts` runs them on the repository
// and on planted faults; `npm run tidy` prints what they find beside the measurements.
import path from 'node:path'
import { findCycles } from './cycles.ts'
import {
  importsOf,
  isSource,
  isTest,
  lineAt,
  packageOf,
  resolveImport,
  roomOf,
  type Fault,
  type Tree,
} from './tree.ts'

export const LINES_PER_FILE_MAX = 300

/** Imports point down. A room may import itself and the rooms listed, nothing else. */
const ROOMS: Record<string, readonly string[]> = {
  domain: [],
  gateway: ['domain'],
  store: ['domain'],
  services: ['domain', 'gateway', 'store'],
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

interface BannedText {
  rule: string
  text: RegExp
  where: (file: string) => boolean
  why: string
}

const inService = (file: string): boolean => packageOf(file) === 'service' && isSource(file)
const outsideRoom = (room: string) => (file: string) => inService(file) && roomOf(file) !== room

const BANNED: readonly BannedText[] = [
  {
    rule: 'sql',
    text: /[`'"]\s*(?:select|insert\s+into|update|delete\s+from|begin|with)\s[\s\S]{0,400}?\b(?:from|into|set|values|;)\b/i,
    where: outsideRoom('store'),
    why: 'SQL lives in store',
  },
  {
    rule: 'env',
    text: /process\.env/,
    where: (file) => isSource(file) && roomOf(file) !== 'main' && !file.endsWith('/src/main.ts'),
    why: 'the environment is read once, in main',
  },
  {
    rule: 'fetch',
    text: /\bfetch\(|from 'undici'/,
    where: outsideRoom('gateway'),
    why: 'the gateway room is the one door out',
  },
  {
    rule: 'pure',
    text: /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.now\b|\bcrypto\b|from 'node:|\bsetTimeout\b/,
    where: (file) => inService(file) && roomOf(file) === 'domain',
    why: 'domain has no clock, no randomness and no input or output',
  },
  {
    rule: 'dynamic-import',
    text: /\bimport\(/,
    where: isSource,
    why: 'a dynamic import is invisible to the walls',
  },
  {
    rule: 'unfinished',
    text: /\b(?:TODO|FIXME|XXX|HACK)\b/,
    where: (file) => file.endsWith('.ts') && !file.startsWith('scripts/tidy/') && !isTest(file),
    why: 'finish it, or open an issue',
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
  const room = roomOf(file)
  const owner = packageOf(file)
  return importsOf(text).flatMap(({ specifier, line }) => {
    const fault = (rule: string, why: string): Fault[] => [{ rule, file, line, why }]
    const target = resolveImport(file, specifier)
    if (target === undefined) {
      const ours = /^(?:gapura|@gapura\/[^/]+)/.exec(specifier)?.[0]
      if (ours === undefined || PACKAGES[owner ?? '']?.includes(ours)) return []
      return fault('package', `${owner} must not import ${ours}`)
    }
    if (packageOf(target) !== owner) return fault('package', `${specifier} leaves its package`)
    const targetRoom = roomOf(target)
    if (room === undefined || targetRoom === undefined || room === targetRoom) return []
    if (ROOMS[room]?.includes(targetRoom)) return []
    return fault('room', `${room} must not import ${targetRoom}`)
  })
}

const NAMELESS = /(?:^|\/)(?:utils?|helpers?|common|misc|types)(?:\/|\.tsx?$)/

function nameFaults(file: string): Fault[] {
  if (!isSource(file)) return []
  const faults: Fault[] = []
  const room = roomOf(file)
  if (room !== undefined && !(room in ROOMS)) {
    faults.push({ rule: 'room', file, line: 1, why: `there is no room called ${room}` })
  }
  if (
    path.posix.basename(file) === 'index.ts' &&
    path.posix.basename(path.posix.dirname(file)) !== 'src'
  ) {
    faults.push({ rule: 'barrel', file, line: 1, why: 'one index.ts per package, none inside' })
  }
  if (NAMELESS.test(file)) {
    faults.push({ rule: 'name', file, line: 1, why: 'a file without a noun has no size limit' })
  }
  if (/[A-Z-]/.test(path.posix.basename(file))) {
    faults.push({ rule: 'name', file, line: 1, why: 'file names are snake_case' })
  }
  return faults
}

function lengthFaults(file: string, text: string): Fault[] {
  if (!/\.tsx?$/.test(file)) return []
  const lines = lineCount(text)
  if (lines <= LINES_PER_FILE_MAX) return []
  const why = `${lines} lines, at most ${LINES_PER_FILE_MAX}`
  return [{ rule: 'length', file, line: LINES_PER_FILE_MAX + 1, why }]
}

export const lineCount = (text: string): number => text.replace(/\n$/, '').split('\n').length

function textFaults(file: string, text: string): Fault[] {
  return BANNED.filter((banned) => banned.where(file)).flatMap(({ rule, text: pattern, why }) => {
    const found = pattern.exec(text)
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

const hasAnchor = (markdown: string, anchor: string): boolean =>
  markdown.includes(`id="${anchor}"`) ||
  [...markdown.matchAll(/^#+\s+(.*)$/gm)].some((heading) => slug(heading[1] ?? '') === anchor)

const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
