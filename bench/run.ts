// `npm run bench webhooks`: runs the service, its references and the load in interleaved rounds.
// Checks every answer against its rows and every invariant at the end, so that a figure reached by
// losing something is never printed. `--quick` runs these checks only.
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createGapura, verifyDatabase } from 'gapura'
import { Pool } from 'pg'
import { createBareTables } from './bare.ts'
import { casesOf, startServers, type Bench } from './cases.ts'
import { SERVER_KEY } from './orders.ts'
import { stopChildren } from './processes.ts'
import { goalsOf, plotOf, tableOf, type Rounds } from './report.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '6000' },
  },
})
const WARM_UPS = 3
const { PGHOST, PGPORT, PGUSER, PGDATABASE } = process.env
const at = `${PGHOST ?? '127.0.0.1'}:${PGPORT ?? '5432'}`
const url =
  process.env['DATABASE_URL'] ?? `postgres://${PGUSER ?? 'root'}@${at}/${PGDATABASE ?? 'test'}`
const schema = `bench_${randomBytes(4).toString('hex')}`
const pool = new Pool({ connectionString: url, max: 2 })
const bench: Bench = {
  url,
  pool,
  schema,
  bare: `${schema}_bare`,
  requests: values.quick ? 512 : Number(values.requests),
}

async function prepare(): Promise<void> {
  const gateway = { server_key: SERVER_KEY, base_url: 'http://127.0.0.1:9' }
  const gapura = createGapura({ databaseUrl: url, schema, gateway })
  await gapura.migrate()
  await gapura.close()
  await createBareTables(pool, bench.bare)
}

async function measure(): Promise<Rounds> {
  const cases = Object.entries(casesOf(await startServers(bench)))
  const rounds: Rounds = Object.fromEntries(cases.map(([name]) => [name, []]))
  const count = values.quick ? 1 : Number(values.rounds)
  // The first rounds warm up code and caches and are not counted; their rows are checked all the
  // same. Two are needed: a Node process is still a third slower in its second round.
  for (let round = values.quick ? 1 : 1 - WARM_UPS; round <= count; round++) {
    const turn = Math.abs(round) % cases.length
    for (const [name, run] of [...cases.slice(turn), ...cases.slice(0, turn)]) {
      const measured = await run(bench, round)
      process.stderr.write(`${round} ${name}: ${measured.per_second.toFixed(0)}/s\n`)
      if (round > 0) rounds[name]?.push(measured)
    }
  }
  return rounds
}

async function write(rounds: Rounds): Promise<void> {
  const folder = new URL('results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  const machine = { cores: cpus().length, load: loadavg(), node: process.version }
  const { rows } = await pool.query<{ version: string }>('select version()')
  const result = { machine, server: rows[0]?.version, requests: bench.requests, rounds }
  const goals = goalsOf(rounds)
  await writeFile(new URL('webhooks.json', folder), JSON.stringify({ ...result, goals }, null, 2))
  await writeFile(new URL('webhooks.svg', folder), plotOf(rounds))
}

/** The invariants join whole tables: without statistics they take minutes. */
async function analyze(): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1`,
    [schema],
  )
  for (const { name } of rows) await pool.query(`analyze ${name}`)
}

try {
  await prepare()
  const rounds = await measure()
  await analyze()
  const { checked, broken } = await verifyDatabase(url, { schema })
  if (broken.length > 0) throw new Error(`broken: ${broken.map(({ id }) => id).join(', ')}`)
  if (!values.quick) await write(rounds)
  process.stdout.write(`${tableOf(rounds)}\n\n${checked.length} promises hold afterwards.\n`)
} finally {
  await stopChildren()
  for (const name of [schema, bench.bare, `${schema}_worker`]) {
    await pool.query(`drop schema if exists ${name} cascade`)
  }
  await pool.end()
}
