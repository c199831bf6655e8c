// Concurrent writers of events: some commit late, some roll back, many write about the same object.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Parts } from '../../packages/service/src/main/compose.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../packages/service/src/store/connection/transaction.ts'
import { appendEvent } from '../../packages/service/src/store/events/outbox.ts'
import { lockPayment } from '../../packages/service/src/store/payments/locks.ts'
import { newId } from '../../packages/service/src/store/sql/values.ts'
import type { Random } from './random.ts'

/** Charges that the writers then write about. */
export async function chargeSome(
  url: string,
  callers: readonly { api_key: string }[],
  count: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const caller = callers[n % callers.length]
    const reply = await fetch(`${url}/charge/`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${caller?.api_key ?? ''}`,
      },
      body: JSON.stringify({ payment_type: 'qris', gross_amount: 10_000 }),
    })
    const { id } = (await reply.json()) as { id?: string }
    if (id === undefined) throw new Error(`a charge was refused with ${reply.status}`)
    ids.push(id)
  }
  return ids
}

async function publish(tx: Tx, object_id: string): Promise<void> {
  await appendEvent(tx, {
    id: newId(),
    type: 'payment_received',
    object_kind: 'payment',
    object_id,
    object: { id: object_id },
    previous_status: null,
    source: 'sweep',
    notification_id: null,
  })
}

/** Writes until it is stopped. Returns how many were committed and rolled back. */
export function startWriters(
  { ctx }: Parts,
  ids: readonly string[],
  random: Random,
  { writers, pause_ms }: { writers: number; pause_ms: number },
) {
  const counts = { committed: 0, rolled_back: 0 }
  const stop = new AbortController()
  const write = async (): Promise<void> => {
    const chosen = [...new Set([random.pick(ids), random.pick(ids)])].sort()
    const failing = random.chance(0.1)
    const wait_ms = random.chance(0.3) ? random.between(0, 40) : 0
    try {
      await withTransaction(ctx.db, async (tx) => {
        for (const id of chosen) await lockPayment(tx, id)
        for (const id of chosen) await publish(tx, id)
        if (wait_ms > 0) await sleep(wait_ms)
        if (failing) throw new Error('rolled back on purpose')
      })
      counts.committed += chosen.length
    } catch {
      // On purpose, or because another held the lock for too long. What counts is in the table.
      counts.rolled_back += chosen.length
    }
    await sleep(random.between(0, pause_ms))
  }
  const running = Array.from({ length: writers }, async () => {
    while (!stop.signal.aborted) await write()
  })
  return {
    counts,
    stop: async () => {
      stop.abort()
      await Promise.all(running)
    },
  }
}

/** Every event that was committed, in the order of the outbox. */
export const eventsOf = async ({ ctx }: Parts) =>
  await withReadTransaction(
    ctx.db,
    async (tx) =>
      await tx.query<{ id: string; object_id: string; sequence: number; owner_id: string }>(
        `select id, object_id, sequence, owner_id
         from gapura.gateway_event order by xid, object_id, sequence`,
      ),
  )
