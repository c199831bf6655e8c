// What every bench runs on: its own schema on a real server, all invariants checked at the end, and
// nothing left behind.
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { createGapura, verifyDatabase } from 'gapura'
import { Pool } from 'pg'
import { SERVER_KEY } from './orders.ts'
import { stopChildren } from './processes.ts'

export interface Stage {
  /** Connections that carry the bench's name, so that its backends can be recognised. */
  url: string
  pool: Pool
  /** The service's tables. */
  schema: string
  /** The name of one more schema, dropped at the end as well. */
  another: (suffix: string) => string
}

const { DATABASE_URL, PGHOST, PGPORT, PGUSER, PGDATABASE } = process.env
const at = `${PGHOST ?? '127.0.0.1'}:${PGPORT ?? '5432'}`
const address = DATABASE_URL ?? `postgres://${PGUSER ?? 'root'}@${at}/${PGDATABASE ?? 'test'}`

/** Makes the tables, runs the bench on them, and drops them in any case. */
export async function onStage(
  work: (stage: Stage) => Promise<void>,
  server: string = address,
): Promise<void> {
  const schema = `bench_${randomBytes(4).toString('hex')}`
  const url = new URL(server)
  url.searchParams.set('application_name', schema)
  const pool = new Pool({ connectionString: url.href, max: 4 })
  const schemas = [schema]
  const another = (suffix: string): string => {
    schemas.push(`${schema}_${suffix}`)
    return `${schema}_${suffix}`
  }
  try {
    await migrate(url.href, schema)
    await work({ url: url.href, pool, schema, another })
  } finally {
    await stopChildren()
    for (const name of schemas.flatMap((one) => [one, `${one}_worker`])) {
      await pool.query(`drop schema if exists ${name} cascade`)
    }
    await pool.end()
  }
}

/** Options of a process of the service; without an address every call to the gateway fails. */
export const serviceOrder = (
  { url, schema }: Pick<Stage, 'url' | 'schema'>,
  base_url = 'http://127.0.0.1:9',
) => ({ databaseUrl: url, schema, gateway: { server_key: SERVER_KEY, base_url } })

/** Applies the migrations of this release to a schema. */
export async function migrate(url: string, schema: string): Promise<void> {
  const gapura = createGapura(serviceOrder({ url, schema }))
  await gapura.migrate()
  await gapura.close()
}

/** The invariants join whole tables: without statistics they take minutes. */
export async function analyze({ pool, schema }: Pick<Stage, 'pool' | 'schema'>): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1`,
    [schema],
  )
  for (const { name } of rows) await pool.query(`analyze ${name}`)
}

/** Throws if an invariant is broken; returns how many were checked. */
export async function provePromises(stage: Stage): Promise<string> {
  await analyze(stage)
  const { checked, broken } = await verifyDatabase(stage.url, { schema: stage.schema })
  if (broken.length > 0) throw new Error(`broken: ${broken.map(({ id }) => id).join(', ')}`)
  return `${checked.length} promises hold afterwards.`
}

/** Keeps the dirty pages of one case from slowing down the next one. */
export const settle = async (pool: Pool) => await pool.query('checkpoint')

/** Size of the schema on disk. */
export async function sizeOf(pool: Pool, schema: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(oid)) as bytes
     from pg_class
     where relnamespace = $1::regnamespace and relkind = 'r'`,
    [schema],
  )
  return Number(rows[0]?.bytes)
}

interface Results {
  result: object
  plot?: string
}

/** Saves the measurements with the machine and its load. */
export async function writeResults({ pool }: Stage, name: string, { result, plot }: Results) {
  const folder = new URL('results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  const { rows } = await pool.query<{ version: string }>('select version()')
  const machine = { cores: cpus().length, load: loadavg(), node: process.version }
  const text = JSON.stringify({ machine, server: rows[0]?.version, ...result }, null, 2)
  await writeFile(new URL(`${name}.json`, folder), `${text}\n`)
  if (plot !== undefined) await writeFile(new URL(`${name}.svg`, folder), plot)
}

/** Prints progress. */
export const progress = (words: string): void => void process.stderr.write(`${words}\n`)
