// A copy of the checkout in which bugs are planted, so that the checkout itself is never changed.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import path from 'node:path'

const LEFT_OUT = new Set(['node_modules', '.git', '.node'])

/** Copies a tree into an existing empty folder. */
export function copyTree(root: string, copy: string): void {
  cpSync(root, copy, {
    recursive: true,
    filter: (source) => !LEFT_OUT.has(path.basename(source)),
  })
  linkModules(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  if (existsSync(path.join(root, '.git'))) trackFiles(copy)
}

/**
 * Links each installed package. A workspace is a relative link already and stays one: it must point
 * to the copy, where the bug is, and not to the checkout.
 */
function linkModules(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name)
    const target = path.join(to, entry.name)
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (entry.name.startsWith('@')) linkModules(source, target)
    // Caches are not copied: a test run writes its own.
    else if (entry.name === '.bin' || !entry.name.startsWith('.')) symlinkSync(source, target)
  }
}

/** Some tests of the whole suite list the files that git tracks. */
function trackFiles(copy: string): void {
  const options = { cwd: copy, env: environmentOfCopy(), stdio: 'ignore' } as const
  execFileSync('git', ['init', '--quiet'], options)
  execFileSync('git', ['add', '--all'], options)
}

/** Without variables of the caller's checkout (git hook) or test run (vitest). */
export const environmentOfCopy = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:GIT_|VITEST)/.test(name)))
