// The references: pgbench on bare tables, with the same kilobyte of JSON. It has less to do: the
// text is a constant of the script, and it has no HTTP, no signature and no rules.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Pool } from 'pg'

const run = promisify(execFile)

export async function createBareTables(pool: Pool, schema: string): Promise<void> {
  const text = await readFile(new URL('bare_tables.sql', import.meta.url), 'utf8')
  await pool.query(text.replaceAll('SCHEMA', schema))
}

const LITERAL = (body: string): string => `'${body.replaceAll("'", "''")}'`

const three = (schema: string, body: string): string => `\\set id random(1, 100000)
begin;
update ${schema}.payment set status = 'settlement', updated_at = now() where id = :id;
insert into ${schema}.notification (order_id, payload) values ('bare-' || :id, ${LITERAL(body)});
insert into ${schema}.outbox (payment_id, type, payload) values (:id, 'payment_settled', ${LITERAL(body)});
commit;
`

const one = (schema: string, body: string): string => `\\set id random(1, 100000)
select ${schema}.receive(:id, ${LITERAL(body)});
`

interface PgbenchOptions {
  url: string
  schema: string
  statements: 'three' | 'one'
  clients: number
  transactions: number
  body: string
}

/** Transactions per second, and how many rows it must have left. */
export async function pgbench(options: PgbenchOptions): Promise<{ per_second: number }> {
  const { schema, statements, body } = options
  const script = statements === 'three' ? three(schema, body) : one(schema, body)
  return await runScript({ ...options, script })
}

interface ScriptOptions {
  url: string
  script: string
  clients: number
  /** Runs of the script. */
  transactions: number
}

/** Runs of a pgbench script per second; throws unless all of them were made. */
export async function runScript(options: ScriptOptions): Promise<{ per_second: number }> {
  const { url, script, clients, transactions } = options
  const folder = await mkdtemp(join(tmpdir(), 'gapura-bench-'))
  try {
    const file = join(folder, 'script.sql')
    await writeFile(file, script)
    const each = Math.ceil(transactions / clients)
    const { stdout } = await run('pgbench', [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${clients}`,
      '--jobs=1',
      `--transactions=${each}`,
      `--file=${file}`,
      url,
    ])
    const tps = /^tps = ([\d.]+)/m.exec(stdout)?.[1]
    const done = /actually processed: (\d+)\/(\d+)/.exec(stdout)
    if (tps === undefined || done?.[1] !== done?.[2]) throw new Error(`pgbench said: ${stdout}`)
    return { per_second: Number(tps) }
  } finally {
    await rm(folder, { recursive: true })
  }
}
