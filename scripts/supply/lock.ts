// The installed packages by the lock file: the source of the bill of materials, the list of licences
// and the checks of both.
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
  /** Its path, which is unique for each version of a package. */
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

/** npm does not read their licence: it is in a LICENSE file and an old `licenses` field. */
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

/** Every third-party package, development included. Our own packages are links and left out. */
export const everything = (lock: Lock): Installed[] =>
  Object.keys(lock.packages)
    .filter((path) => path.includes('node_modules/') && lock.packages[path]?.link !== true)
    .toSorted()
    .map((path) => installedAt(lock, path))

/** Where Node finds it from there: in the same folder or one of the folders above. */
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

/** The dependencies of this package, direct and indirect. */
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

/** What the container image holds beside the dependencies of our own packages. */
export const IMAGE = 'deploy/image'

/** Our packages in the image. */
export const IMAGE_WORKSPACES = [...WORKSPACES, 'packages/dashboard', IMAGE]
