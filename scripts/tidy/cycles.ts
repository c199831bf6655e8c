import { importsOf, resolveImport, type Fault, type Tree } from './tree.ts'

/** Each import ring once, named by the files on it. Type-only imports count: rings start as types. */
export function findCycles(tree: Tree): Fault[] {
  const faults: Fault[] = []
  const done = new Set<string>()
  const walk = (file: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(file)
    if (seen >= 0) {
      const ring = [...trail.slice(seen), file]
      faults.push({ rule: 'cycle', file, line: 1, why: ring.join(' → ') })
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
