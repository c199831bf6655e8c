// A database for one test file, copied from one that was migrated once: a copy takes a twentieth of
// the time, and a file's changes and locks in the catalogue affect no other file.
import { createHash, randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { openDatabase } from '../../src/store/connection/database.ts'
import { migrate, readMigrations } from '../../src/store/schema/migrate.ts'

const { PGHOST, PGPORT, PGUSER, PGDATABASE, GAPURA_TEST_POOLER } = process.env

const SERVER = `${PGHOST ?? '127.0.0.1'}:${PGPORT ?? '5432'}`
const urlOf = (database: string, server = SERVER): string =>
  `postgres://${PGUSER ?? 'root'}@${server}/${database}`

/** The one that exists before any test: for scripts, and to make others from. */
export const SHARED_URL = urlOf(PGDATABASE ?? 'test')

/** A later run drops what an interrupted run left, once no run can still use it. */
const ABANDONED_MS = 30 * 60_000
const OWN_NAME = /^t_([0-9a-z]+)_[0-9a-f]{8}$/
const TEMPLATE_NAME = /^gapura_template_([0-9]{8})_[0-9a-f]{16}(?:_new)?$/

/** A name no other run uses, with the time in it. */
export const freshName = (): string =>
  `t_${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`

/** Found once in each process. */
let template: string | undefined

/** Makes a database with the tables of this release in the schema `gapura`. */
export async function createOwnDatabase(): Promise<string> {
  const name = freshName()
  await withShared(async (client) => {
    template ??= await findTemplate(client)
    await client.query(`create database ${name} template ${template}`)
  })
  return urlOf(name, GAPURA_TEST_POOLER)
}

/** The server itself, for what a pooler between cannot do. */
export const directUrl = (url: string): string => urlOf(new URL(url).pathname.slice(1))

/** Waits for connections that are closing; then ends those that are still at work. */
export async function dropOwnDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await withShared(async (client) => {
    try {
      await client.query(`drop database ${name}`)
    } catch {
      await drop(client, name)
    }
  })
}

const drop = async (client: Client, name: string): Promise<void> => {
  await client.query(`drop database if exists ${name} with (force)`)
}

async function withShared<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: SHARED_URL })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** By the migrations and the day: the tables of a month are made when they are needed. */
async function templateName(): Promise<string> {
  const hash = createHash('sha256')
  for (const { name, checksum } of await readMigrations()) hash.update(name + checksum)
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  return `gapura_template_${day}_${hash.digest('hex').slice(0, 16)}`
}

/** The migrated one; the first caller makes it, and all others wait. */
async function findTemplate(client: Client): Promise<string> {
  const name = await templateName()
  await client.query("select pg_advisory_lock(hashtextextended('gapura_template', 0))")
  try {
    const { rows } = await client.query<{ name: string }>(
      'select datname::text as name from pg_database',
    )
    const names = rows.map((row) => row.name)
    if (names.includes(name)) return name
    for (const one of names.filter(isAbandoned)) await drop(client, one)
    await drop(client, `${name}_new`)
    await client.query(`create database ${name}_new`)
    const db = openDatabase(urlOf(`${name}_new`), { connections_max: 2 })
    await migrate(db)
    await db.close()
    // Renamed only once it is complete.
    await client.query(`alter database ${name}_new rename to ${name}`)
    return name
  } finally {
    await client.query("select pg_advisory_unlock(hashtextextended('gapura_template', 0))")
  }
}

function isAbandoned(name: string): boolean {
  const made = OWN_NAME.exec(name)?.[1]
  if (made !== undefined) return Date.now() - Number.parseInt(made, 36) > ABANDONED_MS
  const day = TEMPLATE_NAME.exec(name)?.[1]
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  return day !== undefined && day < yesterday.replaceAll('-', '')
}
