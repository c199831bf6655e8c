import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { bundle } from '../../../../test/bundle.ts'
import type { useService } from '../services/service_bench.ts'
import { DATABASE_URL, eventually } from '../store/test_database.ts'
import type { ChildOrder } from './child.ts'

export type CrashOrder = Pick<ChildOrder, 'flow' | 'payment_id' | 'body' | 'request' | 'plant'>

const script = bundle('packages/service/test/crash/child.ts')

/** Runs a flow in a process that is killed at the point. True if it died there. */
export async function crash(
  { simulator, database }: ReturnType<typeof useService>,
  crash_at: string,
  order: CrashOrder,
): Promise<boolean> {
  const { url: simulator_url, server_key } = simulator
  const { schema } = database.db
  const application_name = `crash-${randomUUID()}`
  const database_url = new URL(DATABASE_URL)
  database_url.searchParams.set('application_name', application_name)
  const place = { database_url: database_url.href, schema, simulator_url, server_key }
  const whole: ChildOrder = { ...place, crash_at, ...order }
  const child = spawn(process.execPath, [await script, JSON.stringify(whole)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const signal = await new Promise<string | null>((resolve) => {
    child.on('close', (_code, name) => resolve(name))
  })
  // Until PostgreSQL has noticed, the transaction of the dead process holds its locks.
  await eventually(
    async () =>
      await database.sql(
        `select from pg_stat_activity
         where application_name = $1 and xact_start is not null and pid <> pg_backend_pid()`,
        [application_name],
      ),
    (backends) => backends.length === 0,
  )
  return signal === 'SIGKILL'
}
