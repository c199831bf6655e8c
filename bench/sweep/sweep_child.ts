// Repeats the sweep over pending payments in its own process until its time is over. Its
// connections time the statement that claims a page.
import { writeFile } from 'node:fs/promises'
import { Pool, type PoolClient } from 'pg'
import { compose } from '../../packages/service/src/main/compose.ts'
import {
  checkPendingPayments,
  type Swept,
} from '../../packages/service/src/services/sweeps/check_payments.ts'
import { readBudget } from '../../packages/service/src/services/sweeps/sweep_pages.ts'

export interface SweepOrder {
  url: string
  schema: string
  server_key: string
  gateway_url: string
  reads_per_second: number
  seconds: number
}

export interface SweepResult {
  outcomes: Swept
  /** Milliseconds of each claim, in order. */
  claims: number[]
}

const order = JSON.parse(process.argv[2] ?? '{}') as SweepOrder & { output: string }
const { url, schema, server_key, gateway_url, reads_per_second, seconds } = order
const claims: number[] = []

/** Times the claims of a connection, and passes every other statement through. */
function time(client: PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const timed = (...given: unknown[]): unknown => {
    const [first] = given
    const text = typeof first === 'object' && first !== null && 'text' in first ? first.text : first
    const answer = query(...given)
    if (typeof text !== 'string' || !text.includes('skip locked')) return answer
    const began = performance.now()
    return (answer as Promise<unknown>).finally(() => claims.push(performance.now() - began))
  }
  Object.assign(client, { query: timed })
}

const pool = new Pool({ connectionString: url, max: 10 })
pool.on('connect', time)
const { ctx, close } = compose({ pool, schema, gateway: { server_key, base_url: gateway_url } })
const budget = readBudget(reads_per_second)
const aborted = AbortSignal.timeout(seconds * 1_000)
const outcomes: Swept = { skipped: 0, moved: 0, unchanged: 0, not_found: 0, unreachable: 0 }
while (!aborted.aborted) {
  const swept = await checkPendingPayments(ctx, { budget, aborted })
  for (const name of Object.keys(outcomes) as (keyof Swept)[]) outcomes[name] += swept[name]
}
await close()
await pool.end()
const result: SweepResult = { outcomes, claims }
await writeFile(order.output, JSON.stringify(result))
