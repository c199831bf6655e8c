// Receivers of webhooks: when an attempt arrives, is answered, or is lost.
import type { Attempted, DeliveryError, Posted } from '../../packages/service/src/domain/webhook.ts'
import { SIGNALS } from '../../packages/service/src/domain/signals.ts'
import type { Sender } from '../../packages/service/src/gateway/webhooks/sender.ts'
import type { Database } from '../../packages/service/src/store/connection/database.ts'
import { withReadTransaction } from '../../packages/service/src/store/connection/transaction.ts'
import type { CampaignCaller } from '../bench/intents.ts'
import { faulty } from '../bench/verdict.ts'
import type { Course } from './gateway_traffic.ts'
import { digest } from './label.ts'
import type { Action } from './pace.ts'
import { current, type Owner } from './virtual.ts'

const ANSWER_WITHIN_MS = 15_000
const FAILED = { status: null, response: '', retry_after_ms: 0 }
/** 32 bytes, which seal the secrets of endpoints. */
export const WEBHOOK_KEY = Buffer.alloc(32, 'seeds').toString('base64')
export const RECEIVER_URL = 'http://receiver.invalid/hook'

interface Attempt {
  owner: Owner
  posted: Posted
  /** Of the receiver's answer, once the attempt has arrived. */
  status?: number
  end: (result: Omit<Attempted, 'duration_ms'>) => void
}

interface Received {
  id: string
  body: string
  accepted: boolean
}

export class Receivers {
  readonly #sim: Course
  readonly #received: Received[] = []
  #attempts: Attempt[] = []
  /** Whose events the endpoint gets; undefined until there is one. */
  caller: CampaignCaller | undefined

  constructor(sim: Course) {
    this.#sim = sim
  }

  actions(): Action[] {
    return this.#attempts
      .filter(
        ({ owner, status }) => status === undefined || owner.paused_until <= this.#sim.clock.now,
      )
      .map((attempt) => ({
        of: `receiver ${attempt.owner.name}`,
        run: () => this.#step(attempt),
      }))
  }

  /** What a process sends with. */
  readonly open = (): Sender => ({
    post: async (posted, ended) => {
      const { clock, callers } = this.#sim
      const owner = current.getStore() ?? callers
      const begun = clock.now
      const { promise, resolve } = Promise.withResolvers<Attempted>()
      const attempt: Attempt = {
        owner,
        posted,
        end: (result) => {
          this.#attempts = this.#attempts.filter((one) => one !== attempt)
          resolve({ ...result, duration_ms: clock.now - begun })
        },
      }
      const fail = (error: DeliveryError) => (): void => attempt.end({ error, ...FAILED })
      const cancel = clock.set(owner, ANSWER_WITHIN_MS, fail('timeout'))
      ended.addEventListener('abort', fail('timeout'), { once: true })
      if (ended.aborted) fail('timeout')()
      else this.#attempts.push(attempt)
      const result = await promise
      cancel()
      return result
    },
    close: async () => await Promise.resolve(),
  })

  #step(attempt: Attempt): void {
    const { owner, posted, status } = attempt
    const id = posted.headers['webhook-id'] ?? ''
    if (status === undefined) {
      this.#arrive(attempt, id)
      return
    }
    const lost = owner.alive && this.#sim.happens('reply to a webhook lost')
    this.#sim.note(owner, `  ← receiver ${lost ? 'reply lost' : status} ${id}`)
    // What a process that has died would do with the answer is not done.
    if (!owner.alive) this.#attempts = this.#attempts.filter((one) => one !== attempt)
    else if (lost) attempt.end({ error: 'connection', ...FAILED })
    else attempt.end({ ...FAILED, status, ...(status >= 300 && { error: 'status' }) })
  }

  #arrive(attempt: Attempt, id: string): void {
    const { owner, posted } = attempt
    if (owner.alive && this.#sim.happens('webhook lost on its way')) {
      this.#sim.note(owner, `webhook lost ${id}`)
      attempt.end({ error: 'connection', ...FAILED })
      return
    }
    attempt.status = this.#sim.happens('receiver answers 500') ? 500 : 200
    this.#received.push({ id, body: posted.body, accepted: attempt.status === 200 })
    this.#sim.note(owner, `webhook ${id} ${digest(posted.body)}`)
    if (this.#sim.happens('process pauses while it delivers an event'))
      this.#sim.pauses.pauseAny(this.#sim.random, [owner])
  }

  /** Every event of the owner has been accepted, in the order of its object, and no other. */
  async judge(db: Database): Promise<string[]> {
    const { owner_id } = this.caller ?? {}
    if (owner_id === undefined) return []
    const own = await withReadTransaction(
      db,
      async (tx) =>
        await tx.query<{ id: string; object_id: string }>(
          `select id, object_id from gapura.gateway_event
           where owner_id = $1 and type = any($2) order by object_id, sequence`,
          [owner_id, SIGNALS],
        ),
    )
    const acceptedAt = (id: string): number =>
      this.#received.findIndex((one) => one.id === id && one.accepted)
    const early = own.filter(({ id, object_id }, at) => {
      const before = own[at - 1]
      const first = this.#received.findIndex((one) => one.id === id)
      return before?.object_id === object_id && first !== -1 && first < acceptedAt(before.id)
    })
    const bodies = Map.groupBy(this.#received, ({ id }) => id)
    const namesOf = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id)
    const wanted = new Set(namesOf(own))
    return [
      ...faulty('webhooks not delivered', namesOf(own.filter(({ id }) => acceptedAt(id) === -1))),
      ...faulty('webhooks sent before an earlier one was accepted', namesOf(early)),
      ...faulty(
        'webhooks of another owner',
        [...bodies.keys()].filter((id) => !wanted.has(id)),
      ),
      ...faulty(
        'webhooks sent with two bodies',
        [...bodies].flatMap(([id, sent]) =>
          new Set(sent.map(({ body }) => body)).size > 1 ? [id] : [],
        ),
      ),
    ]
  }
}
