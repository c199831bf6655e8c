// A rush about one hosted page: its payer chooses and pays several methods while it is created
// again, expires and is looked at.
import { randomUUID } from 'node:crypto'
import { checkDueCheckouts } from '../../packages/service/src/services/sweeps/check_checkouts.ts'
import { readBudget } from '../../packages/service/src/services/sweeps/sweep_pages.ts'
import { createCheckout, DENIED_CARD, WAITING } from '../bench/checkout_stories.ts'
import type { Scene } from '../bench/scene.ts'
import type { Course } from './rush_actors.ts'
import { control, lateCopy, pass, some, together, type Actor } from './rush_actors.ts'

const PAGE_MINUTES = 30
const QUERIES_PER_SECOND = 100_000

export async function rushCheckout(scene: Scene, course: Course): Promise<void> {
  const { client, random, deployment } = scene
  const { witness, checkouts: log } = deployment
  const order_id = `k-${randomUUID()}`
  const caller = random.pick(deployment.callers)
  const create: Actor = async () =>
    await createCheckout({ client, log, caller }, order_id, { page_expiry_minutes: PAGE_MINUTES })
  const within_rush = random.chance(0.4)
  if (!within_rush) await create()
  course.sim.rush()
  if (within_rush) await together([create, create])
  const act = async (action: string, body: object): Promise<string> => {
    const reply = await witness.control(`checkouts/${order_id}/${action}`, body)
    const { transaction_id } = (await reply.json()) as { transaction_id?: string }
    return transaction_id ?? ''
  }
  const chooses: Actor = async () => {
    const id = await act('choose', { method: random.pick(WAITING) })
    if (random.chance(0.6)) await control(scene, `transactions/${id}/pay`)()
  }
  const denied: Actor = async () =>
    await act('choose', { method: 'credit_card', card_number: DENIED_CARD })
  const sweep: Actor = async () =>
    await course.within('resolver-1', async ({ ctx }) => {
      await checkDueCheckouts(ctx, { budget: readBudget(QUERIES_PER_SECOND) })
    })
  const more = [chooses, denied, create, sweep, lateCopy(scene, course)]
  await together([chooses, ...some(scene, more)])
  if (random.chance(0.6)) return
  await pass(course, (PAGE_MINUTES + 5) * 60_000)()
  await together(some(scene, [sweep, chooses, sweep]))
}
