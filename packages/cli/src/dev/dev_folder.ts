import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { EXIT } from '../exit_codes.ts'
import { CommandFailure } from '../failure.ts'
import { DEV_ENV_FILE } from '../session.ts'

const FOLDER = '.gapura'
const KEYS_FILE = path.join(FOLDER, 'keys.json')

export const POSTGRES_FOLDER = path.resolve(FOLDER, 'postgres')

/** What `gapura dev` keeps in the folder it runs in. Only its owner reads the keys. */
export function openDevFolder({ fresh }: { fresh: boolean }): void {
  refuseSecond()
  if (fresh) rmSync(FOLDER, { recursive: true, force: true })
  ensureDevFolder()
}

export function ensureDevFolder(): void {
  // The embedded server may run as another user, who must get through but need not see.
  mkdirSync(FOLDER, { recursive: true, mode: 0o711 })
  // Must not be committed to a repository.
  writeFileSync(path.join(FOLDER, '.gitignore'), '*\n')
}

/** Two in one folder would share a database and stop it under each other. */
function refuseSecond(): void {
  const running = runningDev()
  if (running === undefined) return
  const { pid } = running
  throw new CommandFailure({
    exit_code: EXIT.refused,
    code: 'already_running',
    message: `gapura dev runs here already (process ${pid})`,
    advice: ['Stop it with Ctrl-C, or start another one in another folder.'],
  })
}

/** The settings of a running `gapura dev` of this folder; a killed one leaves the file behind. */
export function runningDev(): { pid: number; env: string } | undefined {
  const env = textOf(DEV_ENV_FILE) ?? ''
  const pid = Number(/^# pid (\d+)$/m.exec(env)?.[1])
  return pid > 0 && isAlive(pid) ? { pid, env } : undefined
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** How a second terminal reaches what runs here. */
export function writeDevEnv(settings: Readonly<Record<string, string>>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  const text = `# Written by gapura dev, and removed when it ends.\n# pid ${process.pid}\n${lines.join('\n')}\n`
  writeFileSync(DEV_ENV_FILE, text, { mode: 0o600 })
}

export const removeDevEnv = (): void => rmSync(DEV_ENV_FILE, { force: true })

/** A secret of this folder, made once: a new one at every start would have to be pasted again. */
export function keptSecret(name: string, make: () => string): string {
  const kept = keptSecrets()
  const known = kept[name]
  if (known !== undefined) return known
  const made = make()
  keepSecret(name, made)
  return made
}

export function keepSecret(name: string, value: string): void {
  writeFileSync(KEYS_FILE, JSON.stringify({ ...keptSecrets(), [name]: value }), { mode: 0o600 })
}

export function keptSecrets(): Record<string, string> {
  const kept: unknown = JSON.parse(textOf(KEYS_FILE) ?? '{}')
  if (typeof kept !== 'object' || kept === null) return {}
  const texts = Object.entries(kept).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(texts)
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
