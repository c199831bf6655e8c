// Callers, who repeat a request with its key until they have a definite answer, and the gateway's
// notifications: both reach an API process of the run.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Gapura } from '../../packages/service/src/main/create_gapura.ts'
import { isDefiniteStatus, type Answer, type Wish } from '../bench/client.ts'
import type { SimulatedWitness } from './gateway.ts'
import type { Notice } from './gateway_traffic.ts'
import type { Observer } from './observer.ts'
import type { Simulation } from './simulation.ts'
import { current, type Owner } from './virtual.ts'

const REPEATS_MAX = 8
const PAUSE_MS = 300
/** A genuine notification may be put off, and never refused. */
const REFUSED = new Set([400, 401, 403, 404, 413, 415, 422])
/** Sent twice at the same time under one key. */
const REPEATED_SHARE = 0.15

export interface Api {
  owner: Owner
  gapura: Gapura
}

export class Callers {
  readonly #sim: Simulation
  readonly #apis: readonly Api[]
  readonly #witness: SimulatedWitness
  readonly #observer: Observer
  /** How often a request without a definite answer is repeated. */
  repeats_max = REPEATS_MAX

  /** They are as patient as at the beginning. */
  calm(): void {
    this.repeats_max = REPEATS_MAX
  }

  constructor(
    sim: Simulation,
    { apis, witness, observer }: { apis: Api[]; witness: SimulatedWitness; observer: Observer },
  ) {
    this.#sim = sim
    this.#apis = apis
    this.#witness = witness
    this.#observer = observer
  }

  async wish(wish: Wish): Promise<Answer | undefined> {
    const { random } = this.#sim.callers
    const repeated = wish.key !== undefined && random.chance(REPEATED_SHARE)
    const [answer, other] = await Promise.all(
      (repeated ? [wish, wish] : [wish]).map(async (one) => await this.#persist(one)),
    )
    return answer ?? other
  }

  async #persist(wish: Wish): Promise<Answer | undefined> {
    const sim = this.#sim
    for (let attempt = 0; ; attempt++) {
      await sim.turn(`${wish.method} ${wish.path} ${wish.key?.slice(0, 8) ?? ''}`)
      const api = sim.callers.random.pick(this.#apis)
      const onAnswer = wish.onSend?.()
      const answer = await this.#ask(api, wish)
      const lost = answer !== undefined && sim.happens('answer to a caller lost')
      sim.note(
        sim.callers,
        `  ← ${api.owner.name} ${lost || !answer ? 'lost' : answer.status} ${wish.path}`,
      )
      onAnswer?.(lost ? undefined : answer)
      if (!lost && answer !== undefined && isDefiniteStatus(answer.status)) return answer
      if (attempt >= this.repeats_max) return undefined
      await sleep(PAUSE_MS * 2 ** attempt)
    }
  }

  async #ask({ owner, gapura }: Api, { method, path, body, key, api_key }: Wish) {
    const headers = {
      authorization: `Bearer ${api_key ?? ''}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    const request = new Request(`http://api${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const answered = current.run(owner, async () => {
      const reply = await gapura.fetchHandler(request)
      return {
        status: reply.status,
        replayed: reply.headers.get('idempotency-replayed') === 'true',
        body: (await reply.json()) as Answer['body'],
      }
    })
    const reply = await Promise.race([answered, this.#sim.died(owner).then(() => undefined)])
    if (reply?.status === 500)
      this.#observer.report(`${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '…')} was answered 500`)
    return reply
  }

  async notify({ body }: Notice): Promise<number | undefined> {
    const api = this.#sim.random.pick(this.#apis)
    const sent = JSON.parse(body) as object
    const asked = this.#ask(api, { method: 'POST', path: '/notification/', body: sent })
    const answer = await asked.catch((error: unknown) => {
      this.#observer.report(`a notification failed: ${String(error)}`)
      return undefined
    })
    const id = answer?.body['notification_id']
    if (answer?.status === 200) {
      this.#witness.acknowledged.push(String(id))
      this.#witness.bodies.push(body)
    }
    if (answer !== undefined && REFUSED.has(answer.status))
      this.#observer.report(`a notification was refused: ${JSON.stringify(answer.body)}`)
    this.#sim.note(api.owner, `answers the notification ${answer?.status ?? 'not at all'}`)
    return answer?.status
  }
}
