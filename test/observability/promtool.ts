import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const PROGRAM = '/usr/bin/promtool'

/** CI installs it; elsewhere its tests are left out. */
export const hasPromtool = existsSync(PROGRAM)

/** Runs it beside files of these names and texts; returns its exit code and what it printed. */
export function promtool(
  given: readonly string[],
  files: Readonly<Record<string, string>>,
): { code: number | null; said: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'gapura-promtool-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
    const { status, stdout, stderr } = spawnSync(PROGRAM, given, { cwd: folder, encoding: 'utf8' })
    return { code: status, said: `${stdout}${stderr}` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
