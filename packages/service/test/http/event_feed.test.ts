// The event feed over real HTTP: what a reader gets, and that no event is behind its cursor.
import { describe, expect, test } from 'vitest'
import { appendEvent } from '../../src/store/events/outbox.ts'
import { lockPayment } from '../../src/store/payments/locks.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import { newId } from '../../src/store/sql/values.ts'
import { addPayment } from '../store/sample_rows.ts'
import { eventually } from '../store/test_database.ts'
import { useHttp, type Json, type Sent } from './http_bench.ts'

const http = useHttp()

interface Event {
  type: string
  timestamp: string
  data: Json & { id: string; sequence: number; object: Json & { id: string } }
}

interface Page {
  results: Event[]
  next: string
  has_more: boolean
  retained_since: string
}

const read = async (query: Record<string, string> = {}, sent?: Sent) =>
  await http.get(`/events/?${new URLSearchParams(query).toString()}`, sent)
const page = async (query?: Record<string, string>, sent?: Sent): Promise<Page> => {
  const { status, body } = await read(query, sent)
  expect(status).toBe(200)
  return body as unknown as Page
}
const codeOf = async (query: Record<string, string>, sent?: Sent) => {
  const { status, body } = await read(query, sent)
  return [status, body['code']]
}
/** Of these objects: `now` lies before transactions of other tests that still run. */
const about = (events: readonly Event[], ids: readonly string[]): Event[] =>
  events.filter(({ data }) => ids.includes(data.object.id))
/** Everything about these objects after a cursor, page by page, until so many events came. */
async function follow(after: string, ids: readonly string[], wanted: number): Promise<Event[]> {
  let cursor = after
  const events: Event[] = []
  await eventually(
    async () => {
      const { results, next } = await page({ after: cursor, limit: '3' })
      events.push(...about(results, ids))
      cursor = next
      return events.length
    },
    (count) => count >= wanted,
  )
  return events
}
const now = async (sent?: Sent): Promise<string> => (await page({ after: 'now' }, sent)).next

/** Payments without a gateway, and their events one by one. */
const own = async (owner_id: string): Promise<string> =>
  (await http.database.do(async (tx) => await addPayment(tx, { owner_id, order_id: newId() }))).id
async function publish(tx: Tx, object_id: string) {
  await lockPayment(tx, object_id)
  return await appendEvent(tx, {
    id: newId(),
    type: 'payment_received',
    object_kind: 'payment',
    object_id,
    object: { id: object_id },
    previous_status: 'initiated',
    source: 'charge',
    notification_id: null,
  })
}
/** A transaction that stays open until it is finished. */
function paused(work: (tx: Tx) => Promise<unknown>) {
  const ready = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const done = http.database.do(async (tx) => {
    await work(tx)
    ready.resolve()
    await over.promise
  })
  return {
    ready: ready.promise,
    finish: async () => {
      over.resolve()
      await done
    },
  }
}

describe('GET /events/', () => {
  test('200 with the events of a charge, in the public form, and a cursor that continues', async () => {
    const start = await now()
    const charged = await http.charged('gopay')
    await http.control(`transactions/${String(charged['order_id'])}/pay`)
    await http.get(`/payments/${charged.id}/check_status/`)
    const events = await follow(start, [charged.id], 2)
    expect(events.map(({ type, data }) => [type, data.sequence, data.object.id])).toEqual([
      ['payment_received', 1, charged.id],
      ['payment_settled', 2, charged.id],
    ])
    const [first] = events
    expect(Object.keys(first ?? {})).toEqual(['type', 'timestamp', 'data'])
    expect(first?.data).toMatchObject({ previous_status: 'initiated', source: 'charge' })
    expect(new Date(String(first?.timestamp)).toISOString()).toBe(first?.timestamp)
  })

  test('200 with a cursor also for an empty page, and what comes later is behind it', async () => {
    const empty = await eventually(
      async () => await page({ after: await now() }),
      ({ results }) => results.length === 0,
    )
    expect([empty.results, empty.has_more]).toEqual([[], false])
    const { id } = await http.charged()
    expect((await follow(empty.next, [id], 1)).map(({ data }) => data.object.id)).toEqual([id])
  })

  test('without after it begins with the oldest event, and pages go on where the last ended', async () => {
    await http.charged()
    await http.charged()
    const seen: string[] = []
    let after: string | undefined
    let more = true
    while (more) {
      const one: Page = await page({ limit: '2', ...(after !== undefined && { after }) })
      expect(one.results.length).toBeLessThanOrEqual(2)
      seen.push(...one.results.map(({ data }) => data.id))
      ;({ next: after, has_more: more } = one)
    }
    expect(new Set(seen).size).toBe(seen.length)
    const rows = await http.database.sql(
      "select id from gapura.gateway_event where owner_id = 'ani' order by xid, object_id, sequence",
    )
    expect(seen).toEqual(rows.slice(0, seen.length).map(({ id }) => id))
    expect(seen.length).toBeGreaterThanOrEqual(2)
  })

  test('another owner sees nothing of it; staff see all, one owner, and leave an audit entry', async () => {
    const start = await now()
    const { id } = await http.charged()
    await follow(start, [id], 1)
    expect(about((await page({ after: start }, { as: 'budi' })).results, [id])).toEqual([])
    expect(await codeOf({ owner_id: 'ani' }, { as: 'budi' })).toEqual([400, 'invalid_request'])
    const all = await page({ after: start }, { as: 'clerk' })
    const [event] = about(all.results, [id])
    expect(event?.type).toBe('payment_received')
    const of_budi = await page({ after: start, owner_id: 'budi' }, { as: 'clerk' })
    expect(about(of_budi.results, [id])).toEqual([])
    const audited = await http.database.sql(
      "select actor from gapura.audit_unsealed where action = 'event.list' and detail like '%' || $1 || '%'",
      [event?.data.id],
    )
    expect(audited).toEqual([{ actor: 'desk' }])
  })

  test('types chooses; the cursor passes what was not chosen', async () => {
    const start = await now()
    const payment = await http.settled()
    await follow(start, [payment.id], 2)
    const chosen = await eventually(
      async () => await page({ after: start, types: 'payment_settled,invoice_paid' }),
      ({ results }) => about(results, [payment.id]).length > 0,
    )
    const { results, next } = chosen
    expect(about(results, [payment.id]).map(({ type }) => type)).toEqual(['payment_settled'])
    expect(about((await page({ after: next })).results, [payment.id])).toEqual([])
  })

  test.each([
    [{ types: 'payment_paid' }, 'types'],
    [{ limit: '501' }, 'limit'],
    [{ limit: '0' }, 'limit'],
    [{ after: 'yesterday' }, 'after'],
    [{ after: Buffer.from('1 1 99999999999999999999 x 1 1 1').toString('base64url') }, 'after'],
    [{ before: 'now' }, 'before'],
  ])('400 for %j, which names the field', async (query, field) => {
    const { status, body } = await read(query)
    expect([status, body['code']]).toEqual([400, 'invalid_request'])
    expect((body['errors'] as { field: string }[]).map((fault) => fault.field)).toEqual([field])
  })
})

describe('order and late commits', () => {
  test('an event that commits late is never behind a cursor', async () => {
    const [early, late] = [await own('ani'), await own('ani')]
    const start = await now()
    const writer = paused(async (tx) => await publish(tx, late))
    await writer.ready
    await http.database.do(async (tx) => await publish(tx, early))
    const during = await page({ after: start })
    expect(about(during.results, [early, late])).toEqual([])
    await writer.finish()
    const events = await follow(during.next, [early, late], 2)
    expect(new Set(events.map(({ data }) => data.object.id))).toEqual(new Set([early, late]))
  })

  test('a long transaction of another application delays nothing', async () => {
    const id = await own('ani')
    const start = await now()
    const stranger = paused(async (tx) => await tx.query('select pg_current_xact_id()'))
    await stranger.ready
    await http.database.do(async (tx) => await publish(tx, id))
    const { results } = await page({ after: start })
    expect(about(results, [id])).toHaveLength(1)
    await stranger.finish()
  })

  test('a removed row shows as a gap of sequence', async () => {
    const id = await own('ani')
    const start = await now()
    for (let n = 0; n < 3; n++) await http.database.do(async (tx) => await publish(tx, id))
    await follow(start, [id], 3)
    await http.database.sql(
      'delete from gapura.gateway_event where object_id = $1 and sequence = 2',
      [id],
    )
    const { results } = await page({ after: start })
    expect(about(results, [id]).map(({ data }) => data.sequence)).toEqual([1, 3])
  })
})

describe('a bounded page', () => {
  test('10,000 events of others give an empty page whose cursor has moved, and then the own event', async () => {
    const start = await now()
    const stranger = await own('budi')
    await http.database.do(async (tx) => await publish(tx, stranger))
    await http.database.sql(
      `insert into gapura.gateway_event
         (object_id, owner_id, sequence, xid, id, type, object_kind, object, source, object_version)
       select gen_random_uuid(), 'budi', 1, pg_current_xact_id(), gen_random_uuid(), type,
         object_kind, object, source, object_version
       from gapura.gateway_event, generate_series(1, 10000)
       where object_id = $1`,
      [stranger],
    )
    const mine = await own('ani')
    await http.database.do(async (tx) => await publish(tx, mine))
    // Until all of them can be read.
    await eventually(
      async () =>
        (await page({ after: start, limit: '1', owner_id: 'ani' }, { as: 'clerk' })).has_more,
      (more) => more,
    )
    const first = await page({ after: start })
    expect([about(first.results, [mine]), first.has_more]).toEqual([[], true])
    expect(first.next).not.toBe(start)
    const events = await follow(first.next, [mine], 1)
    expect(events.map(({ data }) => data.object.id)).toEqual([mine])
    await http.database.sql("delete from gapura.gateway_event where owner_id = 'budi'")
  })
})

describe('a cursor that is too old', () => {
  const changed = (cursor: string, change: (parts: string[]) => void): string => {
    const parts = Buffer.from(cursor, 'base64url').toString().split(' ')
    change(parts)
    return Buffer.from(parts.join(' ')).toString('base64url')
  }

  test('410 cursor_expired if it is of another cluster, or of a future that a restore has undone', async () => {
    const cursor = await now()
    const of_another = changed(cursor, (parts) => (parts[1] = '42'))
    expect(await codeOf({ after: of_another })).toEqual([410, 'cursor_expired'])
    const undone = changed(
      cursor,
      (parts) => (parts[2] = String(BigInt(parts[2] ?? 0) + 1_000_000n)),
    )
    expect(await codeOf({ after: undone })).toEqual([410, 'cursor_expired'])
  })

  test('410 once retention has dropped the month it stopped in, not before; a new reader begins', async () => {
    await http.database.sql(
      "select gapura.ensure_month_partition('gateway_event', date '2001-02-01')",
    )
    const old = await page({ limit: '1' })
    expect(old.retained_since).toBe('2001-02-01T00:00:00.000Z')
    const there = changed(old.next, (parts) => (parts[5] = String(Date.UTC(2001, 1, 3))))
    expect((await read({ after: there })).status).toBe(200)
    await http.database.sql(
      "select gapura.drop_month_partition('gateway_event', 'gateway_event_2001_02')",
    )
    expect(await codeOf({ after: there })).toEqual([410, 'cursor_expired'])
    // A reader that was ahead of the dropped month goes on.
    const ahead = changed(await now(), (parts) => (parts[6] = String(Date.UTC(2001, 1, 1))))
    expect((await read({ after: ahead })).status).toBe(200)
    const { retained_since } = await page({ limit: '1' })
    expect(new Date(retained_since).getUTCFullYear()).toBeGreaterThan(2001)
  })
})
