// What goes into a published package, and what must not.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { brokenLinksOf, faultsOf, published } from '../scripts/quickstart/packages.ts'

/** A package with these sources, and a packed file with these entries. */
function planted(sources: readonly string[], carried: readonly string[], readme = '') {
  const folder = mkdtempSync(path.join(tmpdir(), 'gapura-packed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const write = (file: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), file.endsWith('README.md') ? readme : '')
  }
  for (const source of sources) write(source)
  for (const file of carried) write(`package/${file}`)
  const packed = path.join(folder, 'planted.tgz')
  const entries = carried.map((file) => `package/${file}`)
  execFileSync('tar', ['-czf', packed, '-C', folder, ...entries])
  return faultsOf({ name: 'planted', folder }, packed)
}

const NEEDED = ['package.json', 'README.md', 'LICENSE']

describe('a packed file', () => {
  test('with built files, a licence and a README has no fault', () => {
    const sources = ['src/index.ts', 'src/page.css', 'bin/tool.js']
    const built = ['dist/index.js', 'dist/index.d.ts', 'dist/page.css', 'bin/tool.js']
    expect(planted(sources, [...NEEDED, ...built])).toEqual([])
  })

  test('with a README that links to a page outside of it has a fault', () => {
    const readme = 'see [all](../../docs/cli.md#x), [this](LICENSE) and [that](https://x.example)'
    const files = [...NEEDED, 'dist/index.js']
    expect(planted(['src/index.ts'], files, readme)).toEqual([
      'planted has a README that links to ../../docs/cli.md, which is not in the package',
    ])
  })

  test('with a test, a map, a source, a stale file or no file has one fault each', () => {
    const sources = ['src/index.ts', 'src/index.test.ts']
    expect(planted(sources, [...NEEDED, 'dist/index.js', 'dist/index.test.js'])).toEqual([
      'planted contains the test dist/index.test.js',
    ])
    expect(planted(sources, [...NEEDED, 'dist/index.js.map'])).toEqual([
      'planted contains dist/index.js.map, which does not belong in a package',
      'planted contains dist/index.js.map, which has no source any more',
    ])
    expect(planted(sources, [...NEEDED, 'src/index.ts'])).toEqual([
      'planted contains src/index.ts, which does not belong in a package',
    ])
    expect(planted(sources, [...NEEDED, 'dist/renamed.js'])).toEqual([
      'planted contains dist/renamed.js, which has no source any more',
    ])
    expect(planted(sources, ['package.json', 'README.md'])).toEqual([
      'planted lacks LICENSE',
      'planted is empty: build it first',
    ])
  })
})

test('every published package has the licence of the repository', () => {
  const licence = readFileSync('LICENSE', 'utf8')
  const packages = published()
  expect(packages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['gapura', '@gapura/cli', '@gapura/sdk', '@gapura/simulator']),
  )
  for (const { folder } of packages) {
    expect(readFileSync(path.join(folder, 'LICENSE'), 'utf8')).toBe(licence)
  }
})

test('every link of a README leads to a file that npm packs with it', () => {
  for (const { name, folder } of published()) {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']
    const packed = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' })
    const files = [...packed.matchAll(/"path": "([^"]+)"/g)].map(([, file = '']) => file)
    expect(files).toContain('README.md')
    const readme = readFileSync(path.join(folder, 'README.md'), 'utf8')
    expect([name, brokenLinksOf(readme, files)]).toEqual([name, []])
  }
}, 60_000)
