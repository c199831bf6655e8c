// Lints each migration as the runner runs it: in a transaction, or outside of one if the first line
// of the file says so.
import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

const folder = process.argv[2] ?? 'packages/service/src/store/migrations'
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => path.join(folder, name))
const outside = (file: string): boolean =>
  readFileSync(file, 'utf8').startsWith('-- gapura: no transaction')

function lint(chosen: readonly string[], more: readonly string[] = []): boolean {
  if (chosen.length === 0) return true
  const options = ['--config', '.squawk.toml', ...more]
  return spawnSync('squawk', [...options, ...chosen], { stdio: 'inherit' }).status === 0
}

const results = [
  lint(files.filter((file) => !outside(file))),
  lint(files.filter(outside), ['--no-assume-in-transaction']),
]
process.exitCode = results.every(Boolean) ? 0 : 1
