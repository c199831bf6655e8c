// Installed and delivered packages: no install script runs, every licence is known, and the bill of
// materials agrees with the lock file.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  closureOf,
  everything,
  readLock,
  WORKSPACES,
  type Lock,
} from '../../scripts/supply/lock.ts'
import { SERVICE_DEPENDENCIES_MAX, supplyFaults } from '../../scripts/supply/rules.ts'
import { sbomOf } from '../../scripts/supply/sbom.ts'

const ROOT = new URL('../..', import.meta.url)
const lock = readLock(ROOT)

describe('the lock file', () => {
  test('breaks no rule for dependencies', () => {
    expect(everything(lock).length).toBeGreaterThan(100)
    expect(supplyFaults(lock)).toEqual([])
  })

  test('the service has few direct dependencies, and a line for each', () => {
    const direct = Object.keys(lock.packages['packages/service']?.dependencies ?? {})
    expect(direct.length).toBeLessThanOrEqual(SERVICE_DEPENDENCIES_MAX)
    const page = readFileSync(new URL('docs/dependencies.md', ROOT), 'utf8')
    expect(direct.filter((name) => !page.includes(name))).toEqual([])
  })

  test('the SDK has no dependency, the simulator only its QR encoder', () => {
    expect(closureOf(lock, 'packages/simulator').map(({ name }) => name)).toEqual(['uqr'])
    expect(closureOf(lock, 'packages/sdk')).toEqual([])
  })

  test('CI, images and the guide install without scripts', () => {
    for (const file of ['.ci/run', 'deploy/Dockerfile', 'CONTRIBUTING.md']) {
      const text = readFileSync(new URL(file, ROOT), 'utf8')
      for (const [line] of text.matchAll(/npm (?:ci|install)\b[^\n`]*/g))
        expect([file, line]).toEqual([file, expect.stringContaining('--ignore-scripts')])
    }
  })
})

/** One planted fault for each rule, so a rule that finds nothing fails here. */
describe('each rule finds its planted fault', () => {
  const plant = (more: object, dependencies: Record<string, string> = { planted: '1' }): Lock => ({
    packages: {
      'packages/service': { name: 'gapura', version: '1.0.0', dependencies },
      'node_modules/planted': {
        version: '1.0.0',
        license: 'MIT',
        integrity: 'sha512-AAAA',
        ...more,
      },
    },
  })

  test('a correct package has no fault', () => {
    expect(supplyFaults(plant({}))).toEqual([])
  })

  test.each([
    ['a script', plant({ hasInstallScript: true }), 'planted 1.0.0 has an install script'],
    ['a licence', plant({ license: 'AGPL-3.0' }), 'planted 1.0.0 is under AGPL-3.0'],
    ['no licence', plant({ license: undefined }), 'planted 1.0.0 is under no licence'],
    ['copyleft, delivered', plant({ license: 'MPL-2.0' }), 'planted 1.0.0 is under MPL-2.0'],
    ['no hash', plant({ integrity: undefined }), 'planted 1.0.0 has no hash'],
    ['plain HTTP', plant({ resolved: 'http://a.example/x.tgz' }), 'is from http://a.example'],
    ['a repository', plant({ resolved: 'git+ssh://a.example/x' }), 'is from git+ssh'],
    [
      'too many',
      plant({}, Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`d${at}`, '1']))),
      '21 direct dependencies',
    ],
  ])('%s', (_what, planted, sentence) => {
    expect(supplyFaults(planted).join('; ')).toContain(sentence)
  })

  test('a copyleft development dependency is no fault', () => {
    expect(supplyFaults(plant({ license: 'MPL-2.0' }, {}))).toEqual([])
  })
})

describe('the bill of materials', () => {
  const sbom = sbomOf(lock)

  test('lists every delivered package with hash and licence, and no other', () => {
    const delivered = new Set(
      WORKSPACES.flatMap((workspace) => closureOf(lock, workspace)).map(({ path }) => path),
    )
    const refs = sbom.components.map((component) => component['bom-ref'])
    expect(new Set(refs)).toEqual(new Set([...WORKSPACES, ...delivered]))
    expect(refs).toHaveLength(new Set(refs).size)
    expect(delivered.size).toBeGreaterThan(50)
    for (const component of sbom.components) {
      expect(component.purl).toMatch(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d/)
      if (delivered.has(component['bom-ref']))
        expect(component).toMatchObject({ hashes: [{ alg: 'SHA-512' }], licenses: [{}] })
    }
  })

  test('is CycloneDX, and the same bytes each time', () => {
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
    expect(sbom.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    expect(JSON.stringify(sbomOf(readLock(ROOT)))).toBe(JSON.stringify(sbom))
  })
})
