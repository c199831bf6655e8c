// A relay in its own process, with one subscriber that records each delivery and its time.
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { SIGNALS, startRelay, subscribe } from 'gapura'
import { openDatabase } from '../../packages/service/src/store/connection/database.ts'

export interface RelayOrder {
  url: string
  schema: string
  /** A new subscriber begins where `start` says. */
  name: string
  start: 'beginning' | 'now'
  /**
   * Counts only orders with this prefix. While any other transaction is open on the server, "now"
   * begins a little earlier, and earlier events are delivered as well.
   */
  orders?: string
  /** How long a handler waits, as one that writes or sends would. */
  handler_ms: number
  /** The process ends after this many events, or when the time is over. */
  events: number
  seconds_max: number
}

export interface Delivered {
  /** Ids in the order of delivery. */
  ids: string[]
  /** From the commit to the call of the handler, in milliseconds. */
  lags: number[]
  /** From the first to the last delivery. */
  seconds: number
  /** Events out of their object's order, or delivered while its last one was being handled. */
  disorder: number
}

const order = JSON.parse(process.argv[2] ?? '{}') as RelayOrder & { output: string }
const delivered: Delivered = { ids: [], lags: [], seconds: 0, disorder: 0 }
const last = new Map<string, number>()
const inside = new Set<string>()
let first_at = 0
const done = Promise.withResolvers<void>()

const subscriber = subscribe({
  name: order.name,
  signals: SIGNALS,
  start: order.start,
  handler: async ({ id, type, object, sequence, occurred_at }) => {
    if (order.orders !== undefined) {
      if (type !== 'payment_settled' || !object.order_id.startsWith(order.orders)) return
    }
    const now = performance.now()
    first_at ||= now
    delivered.lags.push(Date.now() - occurred_at.getTime())
    const before = last.get(object.id)
    const wrong = before === undefined ? sequence < 1 : sequence !== before + 1
    if (wrong || inside.has(object.id)) delivered.disorder += 1
    last.set(object.id, sequence)
    inside.add(object.id)
    if (order.handler_ms > 0) await sleep(order.handler_ms)
    inside.delete(object.id)
    delivered.ids.push(id)
    delivered.seconds = (performance.now() - first_at) / 1_000
    if (delivered.ids.length >= order.events) done.resolve()
  },
})

const db = openDatabase(order.url, { schema: order.schema })
const relay = await startRelay(db, { subscribers: [subscriber] })
const late = setTimeout(() => done.resolve(), order.seconds_max * 1_000)
await done.promise
clearTimeout(late)
await relay.stop()
await db.close()
await writeFile(order.output, JSON.stringify(delivered))
