import { afterEach } from 'vitest'
import type { SignalEnvelope } from '../../src/domain/signal_envelope.ts'
import { SIGNALS, type Signal } from '../../src/domain/signals.ts'
import { startRelay, type Relay, type RelayOptions } from '../../src/events/relay.ts'
import { subscribe, type Subscriber } from '../../src/events/subscribers.ts'
import { appendEvent } from '../../src/store/events/outbox.ts'
import { newId } from '../../src/store/sql/values.ts'
import { representPayment } from '../../src/domain/payment_representation.ts'
import { lockPayment } from '../../src/store/payments/locks.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import { addPayment, there } from '../store/sample_rows.ts'
import { eventually, useDatabase, type TestDatabase } from '../store/test_database.ts'

/** Short times, so that no test waits long; the lease uses the database's clock. */
export const QUICK = {
  poll_ms_min: 5,
  poll_ms_max: 20,
  retry_ms_min: 1,
  retry_ms_max: 20,
  attempts_max: 3,
} as const

/** What one subscriber received, in the order of the calls. */
export class Recorder {
  readonly received: SignalEnvelope[] = []
  /** Objects whose handler runs at this moment; two at once is a broken promise. */
  readonly inside = new Set<string>()
  overlaps = 0

  /** Handles an event by recording it, after `before`, which may fail or wait. */
  handler = async (
    event: SignalEnvelope,
    before: (event: SignalEnvelope) => Promise<void> | void = () => undefined,
  ): Promise<void> => {
    const { id } = event.object
    if (this.inside.has(id)) this.overlaps += 1
    this.inside.add(id)
    try {
      await before(event)
      this.received.push(event)
    } finally {
      this.inside.delete(id)
    }
  }

  /** The sequences received of one object, without repeats. */
  sequencesOf = (object_id: string): number[] => [
    ...new Set(
      this.received.filter(({ object }) => object.id === object_id).map((e) => e.sequence),
    ),
  ]

  subscriber = (
    name: string,
    before?: (event: SignalEnvelope) => Promise<void> | void,
    signals: readonly Signal[] = SIGNALS,
  ): Subscriber =>
    subscribe({ name, signals, handler: async (event) => await this.handler(event, before) })
}

/**
 * A new subscriber begins at the oldest transaction of the server, which may be another test file's:
 * else it would also get what an earlier test published.
 */
export const olderEventsPassed = async ({ sql }: Pick<TestDatabase, 'sql'>) =>
  await eventually(
    async () =>
      await sql(
        `select from gapura.gateway_event where xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1`,
      ),
    ({ length }) => length === 0,
  )

export function useEvents() {
  const here = useDatabase()
  const relays: Relay[] = []
  afterEach(async () => {
    await Promise.all(relays.splice(0).map(async (relay) => await relay.stop()))
  })
  const append = async (tx: Tx, object_id: string, type: Signal = 'payment_received') => {
    const payment = there(await lockPayment(tx, object_id))
    return await appendEvent(tx, {
      id: newId(),
      type,
      object_kind: 'payment',
      object_id,
      object: representPayment({ payment, items: [], refunds: [] }, payment.updated_at),
      previous_status: 'initiated',
      source: 'charge',
      notification_id: null,
    })
  }
  return {
    here,
    append,
    payments: async (count: number): Promise<string[]> =>
      await here.do(async (tx) => {
        const ids: string[] = []
        for (let n = 0; n < count; n++) ids.push((await addPayment(tx)).id)
        return ids
      }),
    /** So many events of one object, a transaction each. */
    publish: async (object_id: string, count = 1, type?: Signal) => {
      for (let n = 0; n < count; n++) await here.do((tx) => append(tx, object_id, type))
    },
    relay: async (options: RelayOptions): Promise<Relay> => {
      const relay = await startRelay(here.db, { ...QUICK, ...options })
      relays.push(relay)
      return relay
    },
    /** Waits for this many calls; a failed wait shows in the expectation that follows. */
    heard: async (recorder: Recorder, count: number) =>
      await eventually(
        () => Promise.resolve(recorder.received.length),
        (received) => received >= count,
      ),
  }
}
