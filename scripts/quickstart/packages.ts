// Our packages as they would be published.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

export interface Package {
  name: string
  folder: string
}

interface Manifest {
  name: string
  private?: boolean
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest

/** Every workspace that is published. */
export const published = (): Package[] =>
  readdirSync('packages')
    .map((name) => path.join('packages', name))
    .filter((folder) => existsSync(path.join(folder, 'package.json')))
    .flatMap((folder) => {
      const { name, private: kept = false } = manifestOf(folder)
      return kept ? [] : [{ name, folder }]
    })

/** Builds all of them from an empty folder, so that no file of an older build is packed. */
export function buildAll(): void {
  for (const { folder } of published()) {
    rmSync(path.join(folder, 'dist'), { recursive: true, force: true })
  }
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
}

/** Packs a built package and returns the file. */
export function pack({ folder }: Package, into: string): string {
  mkdirSync(into, { recursive: true })
  const args = ['pack', '--silent', '--pack-destination', path.resolve(into)]
  const name = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim()
  return path.resolve(into, name)
}

const KINDS = /\.(?:js|d\.ts|sql|css|html|svg)$/
const REQUIRED = ['package.json', 'README.md', 'LICENSE']

/** Relative links of a package's README that lead to no file of the package. */
export function brokenLinksOf(readme: string, files: readonly string[]): string[] {
  const targets = [...readme.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = '']) => target)
  return targets.filter(
    (target) => !/^[a-z]+:/.test(target) && !files.includes(path.posix.normalize(target)),
  )
}

/** Faults of a packed file: unexpected, missing or stale files, and links that lead out of it. */
export function faultsOf({ name, folder }: Package, file: string): string[] {
  const listed = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n')
  const files = listed.map((entry) => entry.replace(/^package\//, ''))
  const missing = REQUIRED.filter((one) => !files.includes(one))
  const built = files.filter((one) => !REQUIRED.includes(one))
  const unknown = built.filter((one) => !/^(?:bin|dist)\//.test(one) || !KINDS.test(one))
  const tests = built.filter((one) => /(?:^|\/)tests?\/|\.test\./.test(one))
  // Files of a bundle have no source of the same name; its builder empties the folder first.
  const bundled = built.includes('dist/index.html')
  const stale = built.filter(
    (one) => !bundled && one.startsWith('dist/') && !hasSource(folder, one),
  )
  const packed = execFileSync('tar', ['-xzOf', file, '--wildcards', 'package/README*'], {
    encoding: 'utf8',
  })
  const links = brokenLinksOf(packed, files)
  return [
    ...missing.map((one) => `${name} lacks ${one}`),
    ...unknown.map((one) => `${name} contains ${one}, which does not belong in a package`),
    ...tests.map((one) => `${name} contains the test ${one}`),
    ...stale.map((one) => `${name} contains ${one}, which has no source any more`),
    ...links.map((one) => `${name} has a README that links to ${one}, which is not in the package`),
    ...(built.length === 0 ? [`${name} is empty: build it first`] : []),
  ]
}

function hasSource(folder: string, built: string): boolean {
  const source = path.join(folder, built.replace(/^dist\//, 'src/'))
  return existsSync(source) || existsSync(source.replace(/\.(?:js|d\.ts)$/, '.ts'))
}
