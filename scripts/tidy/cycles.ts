import path from 'node:path'
import { importsOf, isSource, resolveImport, type Fault, type Tree } from './tree.ts'

/** Reports each import cycle once with its files; type-only imports count. */
export function findCycles(tree: Tree): Fault[] {
  const faults: Fault[] = []
  const done = new Set<string>()
  const walk = (file: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(file)
    if (seen >= 0) {
      const cycle = [...trail.slice(seen), file]
      faults.push({ rule: 'cycle', file, line: 1, why: cycle.join(' → ') })
      return
    }
    if (done.has(file)) return
    for (const { specifier } of importsOf(tree.get(file) ?? '')) {
      const target = resolveImport(file, specifier)
      if (target !== undefined && tree.has(target)) walk(target, [...trail, file])
    }
    done.add(file)
  }
  for (const file of tree.keys()) {
    if (/\.tsx?$/.test(file)) walk(file, [])
  }
  return faults
}

/**
 * Groups of folders that import one another, directly or through others. Files directly under the
 * root are a folder of their own; imports of types count.
 */
export function folderCycles(tree: Tree, root: string): string[][] {
  const imports = new Map<string, Set<string>>()
  for (const [file, text] of tree) {
    if (!file.startsWith(root) || !isSource(file)) continue
    const from = path.posix.dirname(file)
    const to = imports.get(from) ?? new Set<string>()
    imports.set(from, to)
    for (const { specifier } of importsOf(text)) {
      const target = resolveImport(file, specifier)
      if (target?.startsWith(root)) to.add(path.posix.dirname(target))
    }
  }
  const reached = new Map(
    [...imports.keys()].map((folder) => [folder, reachedFrom(imports, folder)]),
  )
  const cycles = [...imports.keys()].map((one) =>
    [...imports.keys()].filter(
      (other) => one === other || (reached.get(one)?.has(other) && reached.get(other)?.has(one)),
    ),
  )
  return cycles.filter(
    (cycle, at) => cycle.length > 1 && cycles.findIndex(([first]) => first === cycle[0]) === at,
  )
}

function reachedFrom(imports: ReadonlyMap<string, Set<string>>, start: string): Set<string> {
  const reached = new Set<string>()
  const waiting = [start]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const next of imports.get(folder) ?? []) {
      if (reached.has(next)) continue
      reached.add(next)
      waiting.push(next)
    }
  }
  return reached
}
