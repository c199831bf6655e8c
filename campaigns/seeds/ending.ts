// The time after the faults of a run: sweeps and the resolver do their work, and nothing may be open.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Parts } from '../../packages/service/src/main/compose.ts'
import type { Context } from '../../packages/service/src/services/context.ts'
import { runMaintenance } from '../../packages/service/src/services/sweeps/run_maintenance.ts'
import type { Client } from '../bench/client.ts'
import { sweep } from '../bench/heal.ts'
import type { IntentLog } from '../bench/intents.ts'
import { readOpenWork } from '../bench/our_records.ts'
import type { Simulation } from './simulation.ts'

/** Half an hour. */
export const STEPS_MINUTES = [1.1, 1.1, 3, 8, 10]
export const RUSH_MINUTES = [1.1, 30]
/** An unclear operation is looked at again after an hour at the latest. */
const LAST_STEPS_MINUTES = [61, 61, 121]
const SWEEPS_MAX = 4
const REPEATED_AFTER_HOURS = [25, 7 * 24]
const LOOKS_MAX = 40

interface Repeats {
  sim: Simulation
  ctx: Context
  intents: IntentLog
  client: Pick<Client, 'wish'>
}

/** Every key is repeated a day and eight days later, after maintenance has purged replies. */
export async function repeatLater({ sim, ctx, intents, client }: Repeats): Promise<void> {
  const all = [...intents.all]
  for (const hours of REPEATED_AFTER_HOURS) {
    await sim.outside('days pass', async () => await sim.pass(hours * 3_600_000))
    await runMaintenance(ctx)
    await Promise.all(all.map(async (intent) => await intents.send(client, intent)))
  }
}

/** Time without faults; then nothing may be open. */
export async function converge(
  sim: Simulation,
  parts: Parts,
  steps_minutes: readonly number[],
): Promise<void> {
  /** Whether no notification was on its way: what one records afterwards needs time of its own. */
  const passTime = async (minutes: number): Promise<boolean> => {
    const settled = sim.traffic.open_notices === 0
    await sim.outside('time passes', async () => await sim.pass(minutes * 60_000))
    await sweep({ parts }, SWEEPS_MAX)
    return settled
  }
  let settled = false
  for (const minutes of steps_minutes) settled = await passTime(minutes)
  for (const minutes of LAST_STEPS_MINUTES) {
    if ((await isQuiet(sim, parts)) && settled) return
    settled = await passTime(minutes)
  }
  await isQuiet(sim, parts)
}

/** Whether nothing is open any more, after waiting for what the workers still do. */
async function isQuiet(sim: Simulation, { ctx }: Parts): Promise<boolean> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    const { operations, events } = await readOpenWork(ctx.db)
    const webhooks = (await sim.receivers.judge(ctx.db)).length
    if (events + sim.traffic.open_notices + webhooks === 0) return operations === 0
    await sleep(2_000)
  }
  return false
}
