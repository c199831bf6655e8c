// After the last fault: ends every fault, then the sweeps and the resolver do the work of the next
// half hour, with both clocks moved in step.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { resolveOperations } from '../../packages/service/src/services/sweeps/resolve_operations.ts'
import { matchUnmatched } from '../../packages/service/src/services/notifications/match_unmatched.ts'
import { checkDueCheckouts } from '../../packages/service/src/services/sweeps/check_checkouts.ts'
import { checkDueInvoices } from '../../packages/service/src/services/sweeps/check_invoices.ts'
import { checkPendingPayments } from '../../packages/service/src/services/sweeps/check_payments.ts'
import { syncSubscriptionStatus } from '../../packages/service/src/services/sweeps/sync_subscription_status.ts'
import { readBudget } from '../../packages/service/src/services/sweeps/sweep_pages.ts'
import { chargeInput } from './charge_inputs.ts'
import { Client } from './client.ts'
import { OWNER, type Deployment } from './deployment.ts'
import { readOpenWork } from './our_records.ts'
import { seeded } from './random.ts'
import { progress } from './report.ts'

/** Past the time-outs of unclear calls, the first looks of every method, and webhooks' retries. */
const STEPS_MINUTES = [1.1, 1.1, 3, 8, 10]
const PASSES_MAX = 200
const QUIET_WITHIN_MS = 60_000
const QUERIES_PER_SECOND = 100_000

export interface Healed {
  /** From the end of the faults to the answer of a new charge. */
  first_charge_ms: number | null
  /** From the end of the faults until the queue was empty and every event delivered. */
  drained_ms: number | null
}

/** Ends every fault and measures how soon the service has recovered. */
export async function heal(deployment: Deployment): Promise<Healed> {
  const { apis, workers, lines, witness, parts } = deployment
  for (const line of Object.values(lines)) line.weather = {}
  await witness.heal()
  await Promise.all(
    [...apis.map(({ process }) => process), ...workers].map((one) => one.untilReady()),
  )
  const began = performance.now()
  const first_charge_ms = await newCharge(deployment)
  const drained = await until(async () => {
    const { jobs, events } = await readOpenWork(parts.ctx.db)
    return jobs === 0 && events === 0
  })
  return { first_charge_ms, drained_ms: drained ? performance.now() - began : null }
}

async function newCharge({ apis, api_key, callers, intents }: Deployment): Promise<number | null> {
  const began = performance.now()
  const urls = apis.map(({ url }) => url)
  const client = new Client({ urls, api_key, random: seeded(1), rate: 10 })
  client.deadline = began + QUIET_WITHIN_MS
  const order_id = `after-${randomUUID()}`
  const caller = callers[0] ?? { owner_id: OWNER, api_key }
  const answer = await intents.perform(client, {
    kind: 'charge',
    caller,
    path: '/charge/',
    chosen_order_id: order_id,
    body: (intent_id) => chargeInput('bank_transfer', { order_id, metadata: { intent_id } }),
  })
  return answer?.status === 201 ? performance.now() - began : null
}

/** Half an hour passes; then nothing is open, or the verdict reports it. */
export async function converge(deployment: Deployment): Promise<void> {
  for (const minutes of STEPS_MINUTES) {
    progress(`${minutes} minutes pass`)
    await deployment.pass(minutes)
    await sweep(deployment)
  }
  await until(async () => {
    const { operations, jobs, events } = await readOpenWork(deployment.parts.ctx.db)
    if (operations > 0) await resolveOperations(deployment.parts.ctx, 100)
    return operations + jobs + events === 0
  })
}

/** Runs everything that is due. */
export async function sweep(
  { parts: { ctx } }: Pick<Deployment, 'parts'>,
  passes_max = PASSES_MAX,
): Promise<void> {
  // Of this run: in the simulation the clock starts over with each seed.
  const budget = readBudget(QUERIES_PER_SECOND)
  for (let pass = 0; pass < passes_max; pass++) {
    const resolved = await resolveOperations(ctx, 1_000)
    const { skipped, ...swept } = await checkPendingPayments(ctx, { budget })
    await matchUnmatched(ctx, budget)
    await checkDueInvoices(ctx, { budget })
    await checkDueCheckouts(ctx, { budget })
    await syncSubscriptionStatus(ctx, { budget })
    const asked = Object.values(swept).reduce((sum, count) => sum + count, skipped)
    if (resolved + asked === 0) return
  }
}

async function until(isSo: () => Promise<boolean>, within_ms = QUIET_WITHIN_MS): Promise<boolean> {
  const end = performance.now() + within_ms
  while (performance.now() < end) {
    if (await isSo()) return true
    await sleep(250)
  }
  return false
}
