// Processor time per request, in the service and in the database. Unlike a rate it depends little
// on what else runs on the machine.
import { measured, type Measured } from './cases.ts'
import type { LoadResult } from './load_child.ts'
import { backendsOf, processorOf, processorsOf } from './proc.ts'
import { medianOf, shown } from './report.ts'
import type { Stage } from './stage.ts'

export interface Costed extends Measured {
  /** Milliseconds of processor time per request. */
  service_ms: number
  database_ms: number
}

/** Sends the requests and measures the processor time of the service and of its backends. */
export async function costOf(
  { pool, schema }: Pick<Stage, 'pool' | 'schema'>,
  pids: readonly number[],
  send: () => Promise<LoadResult>,
): Promise<{ costed: Costed; answers: LoadResult['answers'] }> {
  const known = await backendsOf(pool, schema)
  const used = new Map(
    await Promise.all(known.map(async (pid) => [pid, await processorOf(pid)] as const)),
  )
  const before = await processorsOf(pids)
  const { answers, ...times } = await send()
  const service = (await processorsOf(pids)) - before
  // A backend that was opened meanwhile has used all its time for us.
  const now = await backendsOf(pool, schema)
  const each = await Promise.all(
    now.map(async (pid) => (await processorOf(pid)) - (used.get(pid) ?? 0)),
  )
  const database = each.reduce((sum, one) => sum + one, 0)
  const per = 1_000 / answers.length
  const costed = { ...measured(times), service_ms: service * per, database_ms: database * per }
  return { costed, answers }
}

const COLUMNS = ['per_second', 'p50_ms', 'p99_ms', 'service_ms', 'database_ms'] as const

/** One line per case with the medians of its rounds. */
export function costTable(rounds: Record<string, readonly Costed[]>): string {
  const lines = Object.entries(rounds).map(([name, runs]) => {
    const cells = COLUMNS.map((column) => shown(medianOf(runs.map((run) => run[column] ?? 0))))
    return `| ${name} | ${cells.join(' | ')} |`
  })
  return [
    '| case | per second | p50 ms | p99 ms | service, ms of processor a request | database |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}
