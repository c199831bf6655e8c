// The gateway is unreachable for hours or days: callers ask for charges, refunds and captures, get
// no clear answer, and repeat their keys during it and after its return.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AMOUNT, cardToken, chargeInput } from './charge_inputs.ts'
import { Client } from './client.ts'
import type { Deployment } from './deployment.ts'
import { converge, heal, type Healed } from './heal.ts'
import type { CampaignCaller, Intent } from './intents.ts'
import { readOpenWork } from './our_records.ts'
import { seeded, type Random } from './random.ts'
import { runMaintenance } from '../../packages/service/src/services/sweeps/run_maintenance.ts'
import { progress } from './report.ts'

const CHARGES = 40
const REFUNDED = 12
const CAPTURED = 8
const REFUND = 20_000
const MINTED_ORDER_SHARE = 0.5
/** A long absence passes in steps of several hours, so that it takes minutes. */
const STEPS_MAX = 48
const HOURS_A_DAY = 24
const PAID_LOOKS_MAX = 50
const WATCH_MS_MAX = 150_000
const CONCURRENCY = 8

export interface Absence {
  hours: number
  seed: number
  quick: boolean
  /** Orders that a payer may pay meanwhile. */
  payable: readonly string[]
}

export interface Absent extends Healed {
  hours: number
  /** Connections tried while it was unreachable. */
  knocks: number
  open_at_return: number
  /** Until no operation was open; null if that was not seen or not waited for. */
  resolved_ms: number | null
  repeated: number
}

interface Asked {
  id: string
  order_id: string
  caller: CampaignCaller
}

export async function gatewayAway(deployment: Deployment, absence: Absence): Promise<Absent> {
  const { hours, seed, quick } = absence
  const { lines, witness, parts } = deployment
  const random = seeded(seed)
  const urls = deployment.apis.map(({ url }) => url)
  const single = { urls, api_key: deployment.api_key, random, rate: 200, timeout_ms: 15_000 }
  const patient = new Client(single)
  const paid = await prepare(deployment, patient, random, 'qris')
  const held = await prepare(deployment, patient, random, 'credit_card')
  progress(`the gateway is away for ${hours} hours`)
  await witness.control('faults', { effect: 'muted', match: { operation: 'notification' } })
  lines.gateway.weather = { black_hole: true }
  const asked = askAll(deployment, random, { paid, held })
  const impatient = new Client({ ...single, persistent: false })
  await sendAll(deployment, impatient, asked)
  const knocks_before = lines.gateway.counts.connections
  const repeated = await passAway(deployment, { ...absence, impatient, asked })
  const knocks = lines.gateway.counts.connections - knocks_before
  const open_at_return = (await readOpenWork(parts.ctx.db)).operations
  lines.gateway.weather = {}
  lines.gateway.resetAll()
  await witness.heal()
  // A 404 is believed only after a real minute; the quick form moves the clocks past it instead.
  const resolved_ms = quick ? null : await untilResolved(deployment)
  progress('the gateway is back')
  const healed = await heal(deployment)
  await converge(deployment)
  await runMaintenance(deployment.parts.ctx)
  patient.deadline = performance.now() + WATCH_MS_MAX
  await sendAll(deployment, patient, asked)
  await converge(deployment)
  return { ...healed, hours, knocks, open_at_return, resolved_ms, repeated }
}

/** Payments to refund, or card holds to capture, while the gateway is unreachable. */
async function prepare(
  deployment: Deployment,
  client: Client,
  random: Random,
  payment_type: 'qris' | 'credit_card',
): Promise<Asked[]> {
  const { intents, callers, witness, parts } = deployment
  const made: Asked[] = []
  for (let at = 0; at < (payment_type === 'qris' ? REFUNDED : CAPTURED); at++) {
    const caller = random.pick(callers)
    const card = payment_type === 'credit_card' && {
      token_id: await cardToken(parts.ctx.gateway),
      authentication: false,
      capture: false,
    }
    const answer = await intents.perform(client, {
      kind: 'charge',
      caller,
      path: '/charge/',
      amount: AMOUNT,
      body: (intent_id) => chargeInput(payment_type, { metadata: { intent_id }, ...card }),
    })
    if (answer?.status !== 201) continue
    const { id, order_id } = answer.body
    made.push({ id: String(id), order_id: String(order_id), caller })
    if (payment_type === 'qris') await witness.control(`transactions/${String(order_id)}/pay`)
  }
  if (payment_type === 'qris') for (const one of made) await untilPaid(client, one)
  return made
}

async function untilPaid(client: Client, { id, caller }: Asked): Promise<void> {
  const look = { method: 'GET', path: `/payments/${id}/`, api_key: caller.api_key } as const
  for (let looks = 0; looks < PAID_LOOKS_MAX; looks++) {
    if ((await client.wish(look))?.body['is_paid'] === true) return
    await sleep(100)
  }
}

function askAll(
  { intents, callers }: Deployment,
  random: Random,
  { paid, held }: { paid: readonly Asked[]; held: readonly Asked[] },
): Intent[] {
  const charges = Array.from({ length: CHARGES }, () => {
    const chosen = random.chance(MINTED_ORDER_SHARE) ? undefined : `a-${randomUUID()}`
    const order = chosen === undefined ? {} : { order_id: chosen }
    return intents.begin({
      kind: 'charge',
      caller: random.pick(callers),
      path: '/charge/',
      amount: AMOUNT,
      ...(chosen !== undefined && { chosen_order_id: chosen }),
      body: (intent_id) => chargeInput('bank_transfer', { metadata: { intent_id }, ...order }),
    })
  })
  const refunds = paid.map(({ id, order_id, caller }) =>
    intents.begin({
      kind: 'refund',
      caller,
      path: `/payments/${id}/refund/`,
      target: order_id,
      amount: REFUND,
      body: (reason) => ({ amount: REFUND, reason }),
    }),
  )
  const captures = held.map(({ id, order_id, caller }) => {
    const path = `/payments/${id}/capture/`
    return intents.begin({ kind: 'capture', caller, path, target: order_id, amount: AMOUNT })
  })
  return [...charges, ...refunds, ...captures]
}

async function sendAll(
  { intents }: Deployment,
  client: Client,
  asked: readonly Intent[],
): Promise<void> {
  const waiting = asked.values()
  const runNext = async (): Promise<void> => {
    for (const intent of waiting) await intents.send(client, intent)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runNext))
}

/** Time passes; once a day maintenance runs, and callers repeat their requests. */
async function passAway(
  deployment: Deployment,
  {
    hours,
    quick,
    payable,
    impatient,
    asked,
  }: Absence & { impatient: Client; asked: readonly Intent[] },
): Promise<number> {
  const steps = Math.min(hours, STEPS_MAX)
  let repeated = 0
  let days = 0
  for (let step = 0; step < steps; step++) {
    await deployment.pass((hours / steps) * 60)
    const order_id = payable[step]
    if (order_id !== undefined && step % 2 === 0)
      await deployment.witness.control(`transactions/${order_id}/pay`)
    await sleep(quick ? 200 : 2_000)
    const day = Math.floor(((step + 1) * hours) / steps / HOURS_A_DAY)
    if (day === days && step < steps - 1) continue
    days = day
    await runMaintenance(deployment.parts.ctx)
    await sendAll(deployment, impatient, asked)
    repeated += asked.length
  }
  return repeated
}

async function untilResolved({ parts }: Deployment): Promise<number | null> {
  const returned = performance.now()
  while (performance.now() - returned < WATCH_MS_MAX) {
    if ((await readOpenWork(parts.ctx.db)).operations === 0) return performance.now() - returned
    await sleep(250)
  }
  return null
}
