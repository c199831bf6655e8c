// Copies examples/nextjs out of the repository, installs, builds, starts and calls it. Not part of CI,
// because Next is large.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildApp, testApp } from './next/packed_app.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'gapura-example-next-'))
try {
  cpSync('examples/nextjs', folder, {
    recursive: true,
    filter: (file) => !/node_modules|\.next$/.test(file),
  })
  // The service is installed from a file until it is published.
  const manifest = path.join(folder, 'package.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/ *"gapura": .*\n/, ''))
  buildApp(folder, [])
  process.exitCode = testApp(folder, 'test/examples/nextjs.ts')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
