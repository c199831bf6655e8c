// Builds and packs every package twice from an empty folder: the tarballs must have the same bytes, so
// that a published package can be compared with this repository.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { WORKSPACES } from './supply/lock.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

function packed(): Map<string, string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gapura-pack-'))
  try {
    for (const workspace of WORKSPACES) {
      rmSync(path.join(ROOT, workspace, 'dist'), { recursive: true, force: true })
    }
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' })
    for (const workspace of WORKSPACES) {
      const to = ['--pack-destination', folder, '--ignore-scripts', '--silent']
      execFileSync('npm', ['pack', ...to], { cwd: path.join(ROOT, workspace) })
    }
    return new Map(
      readdirSync(folder)
        .toSorted()
        .map((name) => {
          const bytes = readFileSync(path.join(folder, name))
          return [name, createHash('sha256').update(bytes).digest('hex')]
        }),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const first = packed()
const second = packed()
let different = 0
for (const [name, digest] of first) {
  const same = second.get(name) === digest
  if (!same) different += 1
  process.stdout.write(`${same ? 'same' : 'DIFFERENT'}  ${digest}  ${name}\n`)
}
process.stdout.write(`${first.size} tarballs packed twice, ${different} different\n`)
process.exitCode = different === 0 && first.size === WORKSPACES.length ? 0 : 1
