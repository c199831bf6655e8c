import { spawn } from 'node:child_process'
import { bundle } from '../../../../test/bundle.ts'
import type { useService } from '../services/service_bench.ts'
import { DATABASE_URL } from '../store/test_database.ts'
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
  const place = { database_url: DATABASE_URL, schema, simulator_url, server_key }
  const whole: ChildOrder = { ...place, crash_at, ...order }
  const child = spawn(process.execPath, [await script, JSON.stringify(whole)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const signal = await new Promise<string | null>((resolve) => {
    child.on('close', (_code, name) => resolve(name))
  })
  return signal === 'SIGKILL'
}
