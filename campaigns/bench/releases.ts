// Releases side by side, each in its own folder: the code of an earlier commit, and the current
// code with migrations and a column that the earlier one does not know.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMigrations } from '../../packages/service/src/store/schema/migrate.ts'

const HERE = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = ['packages/service', 'packages/cli', 'packages/sdk', 'packages/simulator']
/** The worker with its one subscriber is the campaign's; everything it imports is the release's. */
const WORKER = ['processes/worker.ts', 'processes/process_order.ts', 'bench/effects.ts']
const MIGRATIONS = 'packages/service/src/store/migrations'
const PAYMENTS = 'packages/service/src/store/payments/rows.ts'

export interface Release {
  name: string
  folder: string
}

/**
 * Additive: what the earlier code uses stays unchanged. In turn over the kinds of statements that
 * lock differently.
 */
const additions: readonly ((number: number) => string)[] = [
  (number) => `alter table gapura.gateway_payment add column extra_${number} text;`,
  (number) =>
    `-- gapura: no transaction\ncreate index concurrently if not exists campaign_${number}\n  on gapura.gateway_payment (made_by);`,
  (number) =>
    `alter table gapura.gateway_notification add column extra_${number} integer not null default 0;`,
  (number) => `create table gapura.campaign_${number} (id bigint primary key, note text);`,
  (number) =>
    `alter table gapura.gateway_operation add column extra_${number} integer not null default 1;\n` +
    `alter table gapura.gateway_operation\n  add constraint campaign_${number} check (extra_${number} > 0) not valid;\n` +
    `alter table gapura.gateway_operation validate constraint campaign_${number};`,
]
const FIRST = 'alter table gapura.gateway_payment add column made_by text;'

export class Releases {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'gapura-releases-'))
  #next: Release | undefined
  #added = 0

  constructor() {
    process.on('exit', () => rmSync(this.#folder, { recursive: true, force: true }))
  }

  /** The code of a commit, or the current code where there is no history. */
  earlier(commit: string | undefined): Release {
    const release = this.#make(commit === undefined ? 'earlier' : `commit ${commit}`, 'earlier')
    if (commit === undefined) this.#copy(release)
    else {
      const archive = path.join(this.#folder, 'earlier.tar')
      execFileSync('git', ['archive', '-o', archive, commit, ...SOURCES], { cwd: HERE })
      execFileSync('tar', ['-xf', archive, '-C', release.folder])
    }
    return release
  }

  /**
   * The current code, one migration further than the last one made, writing its new column. The
   * folder is the same each time, so no process may still run the one before.
   */
  async next(): Promise<Release> {
    const newest = (await readMigrations()).at(-1)?.version ?? 0
    const release = this.#next ?? this.#make('the next release', 'next')
    if (this.#next === undefined) this.#begin(release)
    this.#next = release
    this.#added += 1
    const number = newest + this.#added
    const kind = additions[(this.#added - 2) % additions.length]
    const sql = this.#added === 1 ? FIRST : (kind?.(number) ?? FIRST)
    const name = `${String(number).padStart(4, '0')}_campaign.sql`
    writeFileSync(path.join(release.folder, MIGRATIONS, name), `${sql}\n`)
    return release
  }

  #begin(release: Release): void {
    this.#copy(release)
    const file = path.join(release.folder, PAYMENTS)
    writeFileSync(file, writingItsName(readFileSync(file, 'utf8'), release.name))
  }

  #make(name: string, folder: string): Release {
    const place = path.join(this.#folder, folder)
    mkdirSync(path.join(place, 'campaigns'), { recursive: true })
    writeFileSync(path.join(place, 'package.json'), '{ "type": "module" }\n')
    for (const file of WORKER) {
      cpSync(path.join(HERE, 'campaigns', file), path.join(place, 'campaigns', file))
    }
    linkModules(place)
    return { name, folder: place }
  }

  #copy({ folder }: Release): void {
    const filter = (file: string): boolean => !/\/(?:node_modules|dist)$/.test(file)
    for (const source of SOURCES) {
      cpSync(path.join(HERE, source), path.join(folder, source), { recursive: true, filter })
    }
  }
}

/** The newest commit before the last one that changed the service; undefined outside a checkout. */
export function earlierCommit(): string | undefined {
  const { GAPURA_CAMPAIGN_OLD } = process.env
  const given = GAPURA_CAMPAIGN_OLD ?? lastChange()
  if (given === undefined) return undefined
  return git('rev-parse', '--short', given)
}

function lastChange(): string | undefined {
  const last = git('rev-list', '-1', 'HEAD', '--', 'packages/service/src')
  return last === undefined || last === '' ? undefined : `${last}^`
}

function git(...given: string[]): string | undefined {
  try {
    return execFileSync('git', given, { cwd: HERE, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return undefined
  }
}

/** Our packages resolve to the release's own folders, all others to those installed here. */
function linkModules(folder: string): void {
  const modules = path.join(HERE, 'node_modules')
  for (const name of readdirSync(modules, { recursive: false }).map(String)) {
    if (name.startsWith('.')) continue
    const parts = name.startsWith('@')
      ? readdirSync(path.join(modules, name)).map((one) => path.join(name, one))
      : [name]
    for (const part of parts) {
      const target = realpathSync(path.join(modules, part))
      const own = path.relative(HERE, target)
      const link = path.join(folder, 'node_modules', part)
      mkdirSync(path.dirname(link), { recursive: true })
      const to = SOURCES.includes(own) ? path.join(folder, own) : target
      if (SOURCES.includes(own) || existsSync(target)) symlinkSync(to, link)
    }
  }
}

const INSERT =
  /(insert into gapura\.gateway_payment \(\$\{NEW_COLUMNS\}[^)]*)\)(\s+select \$\{NEW_COLUMNS\})/g

/** New code that needs its migration: without the column no payment can be written. */
function writingItsName(source: string, name: string): string {
  if (source.match(INSERT)?.length !== 1) {
    throw new Error(`${PAYMENTS} does not write payments as the campaign expects`)
  }
  const columns = /select \$\{NEW_COLUMNS\}/
  return source.replace(INSERT, (_, insert: string, select: string) => {
    const selected = select.replace(columns, (start) => `select '${name}', ${start.slice(7)}`)
    return `${insert.replace('(', '(made_by, ')})${selected}`
  })
}
