// Floods of notifications, and their effects, gateway calls and rows.
import { setTimeout as sleep } from 'node:timers/promises'
import { withReadTransaction } from '../../packages/service/src/store/connection/transaction.ts'
import { progress, type Figure } from '../bench/report.ts'
import { render, type KnownPayment } from './input.ts'
import { Line } from './lines.ts'
import type { Target } from './target.ts'

const LINES = 6
const DEPTH = 8
/** Stored per order and day (ADR 0004), and what batches in flight may add. */
export const ROWS_PER_ORDER_MAX = 300
/** Minimum time between two looks at one payment. */
const LOOK_EVERY_MS = 10_000

interface Counts {
  versions: number
  transitions: number
  events: number
  notifications: number
  calls: number
}

export interface Flood {
  name: string
  count: number
  to?: number
  make: (at: number) => object
}

export interface Bounds {
  rows_max: number
  /** Whether each must have been judged, and none refused because of its order's limit. */
  judged?: boolean
}

export class NoticeFloods {
  readonly faults: string[] = []
  readonly figures: Figure[] = []
  readonly #target: Target
  readonly #statuses = new Map<string, number>()

  constructor(target: Target) {
    this.#target = target
  }

  /** Sends `count` notifications through connections that do not wait for answers. */
  async flood({ name, count, to = this.#target.port, make }: Flood): Promise<void> {
    const lines = Array.from({ length: LINES }, () => new Line(to))
    let next = 0
    const sendOn = async (line: Line): Promise<void> => {
      for (let at = next++; at < count; at = next++) {
        const body = JSON.stringify(make(at))
        const heard = await line.send(render({ path: '/notification/', body }))
        const answer = typeof heard === 'string' ? heard : String(heard.status)
        const counted = `${name} ${answer}`
        this.#statuses.set(counted, (this.#statuses.get(counted) ?? 0) + 1)
        if (typeof heard !== 'string' && heard.status >= 500)
          this.faults.push(`${counted}: ${heard.body}`)
      }
    }
    const began = performance.now()
    await Promise.all(
      lines.flatMap((line) => Array.from({ length: DEPTH }, async () => await sendOn(line))),
    )
    for (const line of lines) line.close()
    progress(`${count} ${name} in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  }

  /** Sends the flood and reports its effects: only a bounded number of rows. */
  async harmless(flood: Flood, { rows_max, judged = false }: Bounds): Promise<void> {
    // The notifications of the charges themselves must have arrived before.
    await sleep(1_500)
    const before = await this.#counted()
    await this.flood(flood)
    const after = await this.#counted()
    const grew = (of: keyof Counts): number => after[of] - before[of]
    const effects = grew('transitions') + grew('events') + grew('versions')
    const [rows, calls] = [grew('notifications'), grew('calls')]
    const { name, count } = flood
    this.figures.push({
      what: `${name}, ${count} of them: effects, calls of the gateway, rows`,
      measured: `${effects}, ${calls}, ${rows}`,
      goal: `0, 0, ≤ ${rows_max}`,
      missed: effects !== 0 || calls !== 0 || rows > rows_max,
    })
    if (effects !== 0) this.faults.push(`${name} had effects: ${effects}`)
    if (calls !== 0) this.faults.push(`${name} made us call the gateway: ${calls}`)
    const taken = this.#statuses.get(`${name} 200`) ?? 0
    if (judged && taken !== count)
      this.faults.push(`${name}: only ${taken} of ${count} were taken and judged`)
  }

  /** With a sweeping worker: how often and how soon again it looked at one payment. */
  async looks(orders: readonly KnownPayment[], floods: readonly Flood[], seconds: number) {
    const { witness } = this.#target.deployment
    const from = (await witness.calls()).length
    const worker = await this.#target.startWorker()
    const began = performance.now()
    while (performance.now() - began < seconds * 1_000) {
      for (const flood of floods) await this.flood(flood)
      await sleep(2_000)
    }
    const calls = (await witness.calls()).slice(from)
    await worker.stop()
    const ours = new Set(orders.map(({ order_id }) => order_id))
    const asked = Map.groupBy(
      calls.filter(({ order_id }) => ours.has(order_id ?? '')),
      ({ order_id }) => order_id ?? '',
    )
    const times = [...asked.values()].map((all) => all.map(({ at }) => Date.parse(at)))
    const gaps = times.flatMap((all) => all.slice(1).map((at, index) => at - (all[index] ?? 0)))
    const soonest = Math.min(...gaps)
    const most = Math.max(0, ...times.map((all) => all.length))
    const in_all = times.reduce((sum, all) => sum + all.length, 0)
    // Two clocks are compared, and a call takes time.
    const too_soon = soonest < LOOK_EVERY_MS - 500
    this.figures.push({
      what: `looks at ${orders.length} payments in ${seconds} s beside a worker: in all, most at one, soonest again`,
      measured: `${in_all}, ${most}, ${gaps.length === 0 ? 'never' : `${(soonest / 1_000).toFixed(1)} s`}`,
      goal: `≥ ${LOOK_EVERY_MS / 1_000} s, and some`,
      missed: too_soon || in_all === 0,
    })
    if (too_soon) this.faults.push(`one payment was asked about again after ${soonest} ms`)
  }

  /** What all floods left on disk. */
  async stored(): Promise<void> {
    const { db } = this.#target.deployment.parts.ctx
    const [row] = await withReadTransaction(
      db,
      async (tx) =>
        await tx.query<{ rows: number; most: number; bytes: string }>(
          `select
             (select count(*)::int from gapura.gateway_notification) as rows,
             (select max(count)::int from (
                select count(*) from gapura.gateway_notification group by order_id
              ) as orders) as most,
             (select sum(pg_total_relation_size(relid))
              from pg_partition_tree('gapura.gateway_notification'))::text as bytes`,
        ),
    )
    if (row === undefined) throw new Error('no notification is stored')
    this.figures.push({
      what: 'notifications kept of all that was sent: rows, most of one order, size with indexes',
      measured: `${row.rows}, ${row.most}, ${(Number(row.bytes) / 1_048_576).toFixed(0)} MiB`,
      goal: `of one order ≤ ${ROWS_PER_ORDER_MAX}`,
      missed: row.most > ROWS_PER_ORDER_MAX,
    })
  }

  get answers(): string {
    return [...this.#statuses].map(([status, times]) => `${status}: ${times}`).join(', ')
  }

  async #counted(): Promise<Counts> {
    const { parts, witness } = this.#target.deployment
    const [row] = await withReadTransaction(
      parts.ctx.db,
      async (tx) =>
        await tx.query<Omit<Counts, 'calls'>>(
          `select
             (select coalesce(sum(version), 0)::int from gapura.gateway_payment) as versions,
             (select count(*)::int from gapura.gateway_transition) as transitions,
             (select count(*)::int from gapura.gateway_event) as events,
             (select count(*)::int from gapura.gateway_notification) as notifications`,
        ),
    )
    if (row === undefined) throw new Error('the query returned no counts')
    return { ...row, calls: (await witness.calls()).length }
  }
}
