// Chains of actions by several callers on the same objects, some of them concurrent. Each step is
// an input; an object of another owner is invalid for every caller but staff.
import { randomUUID } from 'node:crypto'
import { chargeInput } from '../bench/charge_inputs.ts'
import type { Random } from '../bench/random.ts'
import { render, type Category, type HostileInput, type World } from './input.ts'
import type { Heard } from './lines.ts'

const STEPS_MAX = 20
const AT_ONCE_MAX = 4
const TYPES = ['qris', 'gopay', 'bank_transfer', 'echannel', 'cstore', 'shopeepay'] as const

export type Shoot = (input: HostileInput) => Promise<Heard>

export interface ChainOrder {
  category: Extract<Category, 'chain' | 'gateway'>
  random: Random
  world: World
  shoot: Shoot
  /** An action of the payer at the gateway, between two steps. */
  pay?: (order_id: string) => Promise<void>
}

interface Subject {
  kind: 'payments' | 'invoices'
  id: string
  order_id: string
  owner: number
}

/** One chain; returns how many inputs it sent. */
export async function runChain(order: ChainOrder): Promise<number> {
  const { random } = order
  const created = await create(order)
  if (created.subject === undefined) return created.sent
  let sent = created.sent
  const steps = Math.ceil(random.between(1, STEPS_MAX))
  for (let step = 0; step < steps;) {
    const at_once = Math.min(steps - step, Math.ceil(random.between(0, AT_ONCE_MAX)))
    const inputs = Array.from({ length: at_once }, () => act(order, created.subject))
    if (random.chance(0.2)) await order.pay?.(created.subject.order_id)
    await Promise.all(inputs.map(async (input) => await order.shoot(input)))
    step += at_once
    sent += at_once
  }
  return sent
}

async function create({ category, random, world, shoot }: ChainOrder) {
  const owner = Math.floor(random.between(0, world.keys.length))
  const key = world.keys[owner] ?? ''
  const kind = random.chance(0.85) ? 'payments' : 'invoices'
  const body =
    kind === 'payments'
      ? chargeInput(random.pick(TYPES))
      : {
          customer_name: 'Ani',
          customer_email: 'ani@example.com',
          due_date: '2099-12-31',
          items: [{ description: 'Tea', price: 1_000, quantity: 2 }],
        }
  const path = kind === 'payments' ? '/charge/' : '/invoices/'
  const idempotency = randomUUID()
  const input = (): HostileInput => ({
    category,
    name: `create ${kind}`,
    bytes: render({
      path,
      key,
      body: JSON.stringify(body),
      headers: { 'idempotency-key': idempotency },
    }),
    invalid: null,
  })
  // Sometimes the same request three times at once, under one key.
  const times = random.chance(0.2) ? 3 : 1
  const heard = await Promise.all(Array.from({ length: times }, async () => await shoot(input())))
  const made = heard.find((one) => typeof one !== 'string' && one.status === 201)
  if (made === undefined || typeof made === 'string') return { sent: times, subject: undefined }
  const { id, order_id } = JSON.parse(made.body) as { id: string; order_id: string }
  return { sent: times, subject: { kind, id, order_id, owner } satisfies Subject }
}

interface Step {
  method: string
  action: string
  body?: object
}

const CHECK: Step = { method: 'GET', action: 'check_status/' }

const STEPS: Readonly<Record<Subject['kind'], readonly Step[]>> = {
  payments: [
    { method: 'GET', action: '' },
    CHECK,
    { method: 'POST', action: 'cancel/' },
    { method: 'POST', action: 'expire/' },
    { method: 'POST', action: 'refund/', body: { amount: 10_000, reason: 'chain' } },
    { method: 'POST', action: 'refund/', body: { amount: 150_000 } },
    { method: 'POST', action: 'refund/', body: { amount: 50_000, direct: true } },
    { method: 'POST', action: 'capture/', body: {} },
  ],
  invoices: [
    { method: 'GET', action: '' },
    { method: 'POST', action: 'void/', body: { reason: 'chain' } },
  ],
}

function act({ category, random, world }: ChainOrder, subject: Subject): HostileInput {
  const actors = [...world.keys, world.staff_key]
  // Where the gateway is hostile the callers are honest, so that it is called often.
  const alone = category === 'gateway'
  const owner = alone || random.chance(0.6)
  const actor = owner ? subject.owner : Math.floor(random.between(0, actors.length))
  const asking = alone && subject.kind === 'payments' && random.chance(0.6)
  const { method, action, body } = asking ? CHECK : random.pick(STEPS[subject.kind])
  const theirs = actor !== subject.owner && actor < world.keys.length
  const headers = random.chance(0.3) ? { 'idempotency-key': randomUUID() } : {}
  return {
    category,
    name: `${method} ${subject.kind} ${action}`,
    bytes: render({
      method,
      path: `/${subject.kind}/${subject.id}/${action}`,
      key: actors[actor] ?? '',
      headers,
      ...(body && { body: JSON.stringify(body) }),
    }),
    invalid: theirs ? "another owner's" : null,
  }
}
