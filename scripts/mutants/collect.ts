// Imports the test files of a part, each with its own copy of the modules below test/, as vitest
// does: a database or a simulator that such a module opens belongs to one file.
import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { beginFile, collected, type CollectedTest } from './test_api.ts'

let copies = 0

const SETUP = 'packages/service/test/store/test_setup.ts'

export async function collectTests(): Promise<CollectedTest[]> {
  collected.length = 0
  const globs = (process.env['GAPURA_MUTANT_TESTS'] ?? '').split(',')
  for (const file of globSync(globs).toSorted()) {
    beginFile(file)
    copies += 1
    for (const one of [SETUP, file])
      await import(`${pathToFileURL(path.resolve(one)).href}?copy=${copies}`)
  }
  return [...collected]
}

const TEST_MODULE = /\/packages\/\w+\/test\/.*\.ts$/

/** Tests that import `vitest` get test_api.ts, and packages resolve to their sources. */
export function useTestApi(): void {
  // Test modules ask for it.
  process.env['VITEST'] = 'true'
  const test_api = new URL('test_api.ts', import.meta.url).href
  registerHooks({
    resolve(specifier, resolving, next) {
      const { parentURL = '', conditions } = resolving
      if (specifier === 'vitest' && parentURL !== test_api) {
        return { url: test_api, shortCircuit: true }
      }
      const found = next(specifier, {
        ...resolving,
        conditions: ['@gapura/source', ...conditions],
      })
      const [, copy] = parentURL.split('?copy=')
      if (copy === undefined || !TEST_MODULE.test(found.url)) return found
      return { ...found, url: `${found.url}?copy=${copy}` }
    },
  })
}
