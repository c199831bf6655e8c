// Rushes about a charge or a refund whose outcome is unclear: what is shown late, what is repeated
// late, and processes that wake up after another has taken over.
import { runMaintenance } from '../../packages/service/src/services/sweeps/run_maintenance.ts'
import { cardToken } from '../bench/charge_inputs.ts'
import { isDefiniteStatus } from '../bench/client.ts'
import type { Intent } from '../bench/intents.ts'
import { act, charge } from '../bench/payment_stories.ts'
import { waitUntilPaid } from '../bench/refund_stories.ts'
import type { Scene } from '../bench/scene.ts'
import type { Course } from './rush_actors.ts'
import {
  beginCharge,
  beginRefund,
  control,
  look,
  pass,
  pause,
  resolveOpen,
  send,
  some,
  together,
  type Actor,
} from './rush_actors.ts'

const TYPES = ['bank_transfer', 'gopay', 'qris', 'shopeepay']
const REFUND_AMOUNT = 60_000
const HOUR_MS = 3_600_000
const PAYER_LOOKS_MAX = 6

const orderIdOf = ({ chosen_order_id }: Intent): string => chosen_order_id ?? ''

/** The payer pays, or the gateway's dashboard cancels, as soon as the gateway has the order. */
const payerOf =
  (scene: Scene, course: Course, intent: Intent, action: 'pay' | 'cancel' = 'pay'): Actor =>
  async () => {
    const path = `transactions/${orderIdOf(intent)}/${action}`
    for (let looks = 0; looks < PAYER_LOOKS_MAX; looks++) {
      const reply = await scene.deployment.witness.control(path)
      if (reply.status === 200) return
      await pass(course, 4_000)()
    }
  }

/** A charge whose answer is lost, and which queries show only after a while. */
export async function rushLateCharge(scene: Scene, course: Course): Promise<void> {
  const { random, deployment } = scene
  const { sim } = course
  sim.traffic.hidden_ms = random.pick([0, 12_000, 30_000, 50_000])
  const payment_type = random.pick([...TYPES, 'credit_card'])
  const card = payment_type === 'credit_card' && {
    token_id: await cardToken(deployment.parts.ctx.gateway),
  }
  const intent = beginCharge(scene, { payment_type, minted: random.chance(0.2), ...card })
  sim.rush()
  // A caller who repeats at once ends most operations before the resolver looks.
  if (random.chance(0.7)) course.patience(0)
  const again =
    (...times_ms: number[]): Actor =>
    async () => {
      await pass(course, ...times_ms)()
      await send(scene, intent)()
    }
  await together([
    send(scene, intent),
    ...(random.chance(0.4) ? [send(scene, intent)] : []),
    ...some(
      scene,
      [
        payerOf(scene, course, intent),
        payerOf(scene, course, intent, card ? 'cancel' : 'pay'),
        again(7_000),
        again(12_000, 20_000),
        again(100_000, 160_000),
        again(100_000, 160_000, 50_000),
        pass(course, 8_000, 8_000, 8_000),
        async () => {
          await pass(course, 6_000, 2_000)()
          await resolveOpen(course, 'resolver-1')()
        },
      ],
      0.4,
    ),
  ])
}

/** Queries do not show the charge for longer than the service waits; then it is there. */
export async function rushGivenUp(scene: Scene, course: Course): Promise<void> {
  const { random } = scene
  const { sim } = course
  sim.traffic.hidden_ms = random.pick([100_000, 150_000])
  const minted = random.chance(0.3)
  const intent = beginCharge(scene, { payment_type: random.pick(TYPES), minted })
  sim.rush()
  course.patience(0)
  await send(scene, intent)()
  await pass(course, 70_000)()
  await resolveOpen(course, 'resolver-1')()
  // Its notification names an order id that we have made.
  const order_id = intent.chosen_order_id ?? sim.traffic.received.at(-1)?.order_id
  // The gateway never heard of it.
  if (order_id === undefined) return
  const rival = beginCharge(scene, { payment_type: 'bank_transfer', order_id })
  const late = random.chance(0.6) ? [pass(course, 90_000)] : []
  const next = random.pick([[send(scene, intent)], [send(scene, rival)], []])
  await together([...late, ...next])
  await together([
    control(scene, `transactions/${order_id}/pay`),
    ...(random.chance(0.5) ? [send(scene, intent)] : []),
    pass(course, 30_000, 30_000),
  ])
}

/** A process pauses during its work, another takes over, and the first goes on. */
export async function rushSleeper(scene: Scene, course: Course): Promise<void> {
  const { random, deployment } = scene
  const { sim } = course
  const caller = random.pick(deployment.callers)
  const charged = await charge(scene, caller, { payment_type: random.pick(['gopay', 'qris']) })
  if (charged === undefined) return
  const paid = random.chance(0.6)
  if (paid) await waitUntilPaid(scene, charged)
  sim.rush()
  if (random.chance(0.6)) course.patience(0)
  const created = beginCharge(scene, { payment_type: random.pick(TYPES) })
  const work: Actor[] = [
    send(scene, created),
    paid
      ? send(scene, beginRefund(scene, charged, REFUND_AMOUNT))
      : async () => await act(scene, charged, random.pick(['cancel', 'expire'])),
  ]
  const resolver =
    (name: string, ...times_ms: number[]): Actor =>
    async () => {
      await pass(course, ...times_ms)()
      await resolveOpen(course, name)()
      await pass(course, 17_000)()
      await resolveOpen(course, name)()
    }
  await together([
    random.pick(work),
    pause(scene, course, random.pick([18_000, 40_000, 100_000])),
    pause(scene, course, random.pick([18_000, 40_000])),
    resolver('resolver-1', 17_000),
    ...(random.chance(0.5) ? [resolver('resolver-2', 31_000)] : []),
    ...(random.chance(0.5) ? [look(scene, charged)] : []),
    ...(random.chance(0.5) ? [control(scene, `transactions/${charged.order_id}/pay`)] : []),
  ])
}

/** The gateway is away for hours or days while an outcome is unclear; keys are repeated. */
export async function rushDays(scene: Scene, course: Course): Promise<void> {
  const { random, deployment } = scene
  const { sim } = course
  const caller = random.pick(deployment.callers)
  const charged = await charge(scene, caller, { payment_type: random.pick(['gopay', 'qris']) })
  if (charged === undefined) return
  await waitUntilPaid(scene, charged)
  sim.rush()
  course.patience(random.pick([0, 0, 2]))
  // A charge is repeated after five minutes, a refund after more than seven days.
  const refunds = random.chance(0.5)
  const hours = random.pick(refunds ? [26, 190, 190] : [0.09, 0.09, 26])
  sim.traffic.away_until = sim.clock.now + hours * HOUR_MS
  sim.traffic.away_works = random.chance(0.5)
  const intent = refunds
    ? beginRefund(scene, charged, REFUND_AMOUNT)
    : beginCharge(scene, { payment_type: random.pick(TYPES) })
  const housekeeping: Actor = async () =>
    await course.within('maintenance', async ({ ctx }) => await runMaintenance(ctx))
  await send(scene, intent)()
  for (const share of [0.5, 0.49, 0.02]) {
    await pass(course, Math.ceil(hours * share * HOUR_MS))()
    await together(
      some(scene, [housekeeping, send(scene, intent), resolveOpen(course, 'resolver-1')]),
    )
  }
  await repeatedTwice(scene, course, { intent, housekeeping })
}

/** A reply is kept for a day after the end of its operation, however long that was open. */
async function repeatedTwice(
  scene: Scene,
  course: Course,
  { intent, housekeeping }: { intent: Intent; housekeeping: Actor },
): Promise<void> {
  await pass(course, 70_000)()
  await resolveOpen(course, 'resolver-1')()
  await send(scene, intent)()
  const first = intent.answers.at(-1)
  await housekeeping()
  await send(scene, intent)()
  const second = intent.answers.at(-1)
  if (!first?.status || !second?.status || first.status >= 300) return
  // It may give up its wait for a lock that a repeat beside it holds, and be answered 503.
  if (isDefiniteStatus(second.status) && second.status !== first.status)
    course.report(`a key answered ${first.status} is answered ${second.status} soon after`)
}

/** Several charges of one order, one of which may never reach the gateway. */
export async function rushOrders(scene: Scene, course: Course): Promise<void> {
  const { random } = scene
  const { sim } = course
  sim.traffic.hidden_ms = random.pick([0, 0, 20_000])
  const payment_type = random.pick(TYPES)
  const first = beginCharge(scene, { payment_type })
  const order_id = orderIdOf(first)
  const second = beginCharge(scene, { payment_type: random.pick(TYPES), order_id })
  const minted = beginCharge(scene, { payment_type, minted: true })
  sim.rush()
  if (random.chance(0.6)) course.patience(0)
  await together(
    some(scene, [
      send(scene, first),
      send(scene, second),
      send(scene, second),
      send(scene, minted),
      send(scene, minted),
      pass(course, 7_000, 30_000),
    ]),
  )
  await pass(course, 70_000)()
  await resolveOpen(course, 'resolver-1')()
  await together([send(scene, beginCharge(scene, { payment_type, order_id })), send(scene, minted)])
}
