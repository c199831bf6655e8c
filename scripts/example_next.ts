// examples/nextjs as a newcomer would have it: copied out of the repository, installed, built,
// started and called. Not part of CI, for the size of Next.
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
  // The one thing that differs: until it is published, the service comes out of a file.
  const manifest = path.join(folder, 'package.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/ *"gapura": .*\n/, ''))
  buildApp(folder, [])
  process.exitCode = testApp(folder, 'test/examples/nextjs.ts')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
