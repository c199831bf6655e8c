// What the lock file says of everything that is installed: the source of the bill of materials, of
// the list of licences, and of the checks over both.
import { readFileSync } from 'node:fs'

interface LockEntry {
  name?: string
  version?: string
  license?: string
  integrity?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export interface Lock {
  packages: Record<string, LockEntry>
}

export interface Installed {
  /** Where it lies, which tells two versions of one package apart. */
  path: string
  name: string
  version: string
  licence: string | null
  integrity: string | null
  resolved: string | null
  has_install_script: boolean
}

export const readLock = (root: URL): Lock =>
  JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as Lock

/** Written in a form npm does not read: their LICENSE files and an old `licenses` field say it. */
const OLD_FORM: Readonly<Record<string, string>> = { busboy: 'MIT', streamsearch: 'MIT' }

const nameAt = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13)

const installedAt = (lock: Lock, path: string): Installed => {
  const entry = lock.packages[path] ?? {}
  return {
    path,
    name: entry.name ?? nameAt(path),
    version: entry.version ?? '',
    licence: entry.license ?? OLD_FORM[nameAt(path)] ?? null,
    integrity: entry.integrity ?? null,
    resolved: entry.resolved ?? null,
    has_install_script: entry.hasInstallScript ?? false,
  }
}

/** Everything from elsewhere, development included. Our own packages are links and not here. */
export const everything = (lock: Lock): Installed[] =>
  Object.keys(lock.packages)
    .filter((path) => path.includes('node_modules/') && lock.packages[path]?.link !== true)
    .toSorted()
    .map((path) => installedAt(lock, path))

/** Where Node would find it from there: beside, or in one of the folders above. */
function resolve(lock: Lock, from: string, name: string): string | undefined {
  for (
    let at = from;
    ;
    at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : ''
  ) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (path in lock.packages) return path
    if (at === '') return undefined
  }
}

/** What a user of this package installs with it, and what that brings along. */
export function closureOf(lock: Lock, workspace: string): Installed[] {
  const seen = new Set<string>()
  const waiting = [workspace]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = lock.packages[path] ?? {}
    const peers = Object.keys(peerDependencies).filter(
      (name) => peerDependenciesMeta[name]?.optional !== true,
    )
    for (const name of [
      ...Object.keys(dependencies),
      ...Object.keys(optionalDependencies),
      ...peers,
    ]) {
      const found = resolve(lock, path, name)
      if (found === undefined || seen.has(found)) continue
      seen.add(found)
      const linked = lock.packages[found]
      waiting.push(linked?.link === true ? (linked.resolved ?? found) : found)
    }
  }
  return [...seen]
    .filter((path) => lock.packages[path]?.link !== true)
    .toSorted()
    .map((path) => installedAt(lock, path))
}

/** The packages we publish. */
export const WORKSPACES = ['packages/service', 'packages/simulator', 'packages/sdk', 'packages/cli']
