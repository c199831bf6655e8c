import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { indexStepsOf } from './concurrent_indexes.ts'

export interface Migration {
  /** The number its file name begins with. */
  version: number
  name: string
  sql: string
  checksum: string
}

/** Beside this file, in the sources as in the build. */
const FOLDER = new URL('./migrations/', import.meta.url)
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/

/** All migrations in order. Throws where one could not be run, or a number is missing or double. */
export async function readMigrations(folder: URL = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(names.map(async (name) => await readOne(folder, name)))
  for (const [index, { version, name }] of migrations.entries()) {
    if (version !== index + 1) throw new RangeError(`migration ${name} is out of order`)
  }
  return migrations
}

async function readOne(folder: URL, name: string): Promise<Migration> {
  const version = FILE_NAME.exec(name)?.[1]
  if (version === undefined) throw new RangeError(`not the name of a migration: ${name}`)
  // A checkout that turned line ends must not look like a changed migration.
  const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
  indexStepsOf(name, sql)
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { version: Number(version), name, sql, checksum }
}
