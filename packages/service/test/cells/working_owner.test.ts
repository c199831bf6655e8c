// An owner that works while it is moved to another cell, and what its old names lead to afterwards.
import { describe, expect, test } from 'vitest'
import type { MovePoint } from '../../src/services/cells/freeze_owner.ts'
import { moveOwner } from '../../src/services/cells/move_owner.ts'
import { send } from '../http/http_bench.ts'
import { eventually } from '../store/test_database.ts'
import { doingAt, gone, useCells, type Name } from './move_bench.ts'

const { cell, rows, order, counts, broken, token, asking, charge, accounts, notice, simulator } =
  useCells({ payments: 39 * 25, owners: 39 })

describe('while the owner works', () => {
  test('callers that repeat what gets 503 lose no charge and make none twice', async () => {
    const owner_id = 'owner-36'
    const mine = await token(owner_id)
    const { gateway_payment: before = 0 } = await counts('a', owner_id)
    const run = { cell: 'a' as Name, over: false, refused: 0 }
    const made: string[] = []
    const calling = ['one', 'two'].map(async (caller) => {
      for (let count = 0; !run.over; count++) {
        for (let status = 0; status !== 201;) {
          const reply = await charge(run.cell, mine, {}, `${caller}-${count}`)
          status = reply.status
          if (status === 201) made.push(reply.body.id)
          else run.refused += 1
          // 421: it was on its way to the old cell when the owner had left.
          if (![201, 421, 503].includes(status)) throw new Error(`${status} ${reply.text}`)
        }
      }
    })
    const { pause_ms } = await moveOwner(
      order(owner_id, {
        switchMap: async () => {
          run.cell = 'b'
          await Promise.resolve()
        },
      }),
    )
    const during = made.length
    await eventually(
      async () => await Promise.resolve(made.length),
      (count) => count >= during + 10,
    )
    run.over = true
    await Promise.all(calling)
    expect(pause_ms).toBeLessThan(2_000)
    expect(during).toBeGreaterThan(10)
    expect(run.refused).toBeGreaterThan(0)
    expect(new Set(made).size).toBe(made.length)
    const ids = await rows('b', 'select id from gapura.gateway_payment where owner_id = $1', [
      owner_id,
    ])
    expect(ids).toHaveLength(before + made.length)
    expect(gone(await counts('a', owner_id))).toEqual([])
    expect([await broken('a'), await broken('b')]).toEqual([[], []])
  })

  test('changes during the copy are in the new cell: new, changed and deleted rows', async () => {
    const owner_id = 'owner-27'
    const mine = await token(owner_id)
    const first = (await charge('a', mine, {}, 'first')).body
    const work = async () => {
      const { body } = await charge('a', mine, {}, 'second')
      await send('POST', `${simulator().url}/_sim/transactions/${String(first['order_id'])}/pay`, {
        body: {},
      })
      await eventually(
        async () => (await asking('a', mine, `/payments/${first.id}/`)).body['transaction_status'],
        (status) => status === 'settlement',
      )
      await rows(
        'a',
        `with old as (
           update gapura.gateway_operation set updated_at = now() - interval '2 days'
           where subject_id = $1
           returning id
         )
         delete from gapura.operation_reply where operation_id in (select id from old)`,
        [body.id],
      )
    }
    await moveOwner(order(owner_id, doingAt('copied', work)))
    expect([await broken('a'), await broken('b')]).toEqual([[], []])
    expect(await counts('b', owner_id)).toMatchObject({ gateway_payment: 27, operation_reply: 1 })
    const moved = await asking('b', mine, `/payments/${first.id}/`)
    expect(moved.body).toMatchObject({ transaction_status: 'settlement', id: first.id })
  })

  test('in the pause its writes are answered with 503 and Retry-After; those of others are not', async () => {
    const owner_id = 'owner-28'
    const [mine, other] = [await token(owner_id), await token('owner-29')]
    const { body } = await charge('a', mine)
    const statuses: unknown[] = []
    let note: ReturnType<typeof send> | undefined
    const work = async () => {
      const refused = await charge('a', mine)
      // On a busy machine the pause may be given up and tried again.
      statuses.splice(0)
      statuses.push(refused.status, refused.headers.get('retry-after'), refused.body['code'])
      note = send('POST', `${cell('a').url}/notification/`, {
        body: notice(body['order_id'], body['transaction_id']),
      })
      statuses.push((await charge('a', other)).status)
      statuses.push((await asking('a', mine)).status)
    }
    await moveOwner(order(owner_id, doingAt('frozen', work)))
    expect(statuses).toEqual([503, '1', 'store_unavailable', 201, 200])
    // It waited for the end of the pause, and is stored once.
    expect((await note)?.status).toBe(200)
    const stored = `select effect from gapura.gateway_notification
      where order_id = $1 and transaction_status = 'settlement'`
    expect(await rows('b', stored, [body['order_id']])).toEqual([{ effect: 'applied' }])
    expect((await charge('b', mine)).status).toBe(201)
    expect(await broken('b')).toEqual([])
  })

  test('a notification that waits for a row while the fence closes is stored in the new cell', async () => {
    const owner_id = 'owner-38'
    const { body } = await charge('a', await token(owner_id))
    const holder = await cell('a').pool.connect()
    let note: ReturnType<typeof send> | undefined
    const reached = async (point: MovePoint): Promise<void> => {
      if (point === 'draining') {
        await holder.query('begin')
        await holder.query('select 1 from gapura.gateway_payment where id = $1 for update', [
          body.id,
        ])
        const content = { body: notice(body['order_id'], body['transaction_id']) }
        note = send('POST', `${cell('a').url}/notification/`, content)
        await eventually(
          async () =>
            await rows(
              'a',
              `select 1 from pg_stat_activity
               where datname = current_database() and wait_event_type = 'Lock'`,
            ),
          (waiting) => waiting.length > 0,
        )
      }
      if (point === 'frozen') await holder.query('rollback')
    }
    await moveOwner(order(owner_id, { reached }))
    holder.release()
    expect((await note)?.status).toBe(200)
    const stored = `select effect from gapura.gateway_notification
      where order_id = $1 and transaction_status = 'settlement'`
    expect(await rows('b', stored, [body['order_id']])).toEqual([{ effect: 'applied' }])
  })

  test('no worker of the new cell acts on a copy before the switch, and on all of it afterwards', async () => {
    const owner_id = 'owner-30'
    await rows(
      'a',
      `update gapura.gateway_payment
       set next_check_at = now() - interval '1 hour', expiry_time = now() - interval '1 hour'
       where owner_id = $1 and transaction_status = 'pending'`,
      [owner_id],
    )
    const due = async (name: Name) =>
      (
        await rows(
          name,
          `select id from gapura.gateway_payment_state
           where owner_id = $1 and (next_check_at is not null
             or (transaction_status = 'pending' and expiry_time is not null))`,
          [owner_id],
        )
      ).length
    const here = await due('a')
    expect(here).toBeGreaterThan(0)
    const copied: number[] = []
    const work = async () => void copied.push(await due('b'))
    await moveOwner(order(owner_id, doingAt('last_copied', work)))
    expect(copied).toEqual([0])
    expect(await due('b')).toBe(here)
  })
})

describe('after the move', () => {
  const owner_id = 'owner-34'

  test('credentials and notifications that name the old cell belong to the new one', async () => {
    const { key } = await cell('a').gapura.createApiKey({ owner_id, name: 'till' })
    const named = await token(owner_id, { cell: 'a' })
    const { body } = await charge('a', key)
    expect(body['order_id']).toMatch(/-a$/)
    await moveOwner(order(owner_id))
    for (const credential of [key, named]) {
      const refused = await asking('a', credential)
      expect([refused.status, refused.body['code']]).toEqual([421, 'wrong_cell'])
      expect((await asking('b', credential)).status).toBe(200)
    }
    const note = notice(body['order_id'], body['transaction_id'])
    expect((await send('POST', `${cell('a').url}/notification/`, { body: note })).status).toBe(200)
    expect(
      await rows('a', `select 1 from gapura.gateway_notification where owner_id = $1`, [owner_id]),
    ).toEqual([])
    const read = await asking('b', key, `/payments/${body.id}/`)
    expect(read.body['transaction_status']).toBe('settlement')
    expect([await broken('a'), await broken('b')]).toEqual([[], []])
  })

  test('a notification that no cell knows is stored in the cell that its order id names', async () => {
    const note = notice('ord-0123456789ABCDEF-a')
    expect((await send('POST', `${cell('a').url}/notification/`, { body: note })).status).toBe(200)
    const stored = `select effect from gapura.gateway_notification where order_id = $1`
    expect(await rows('a', stored, [note.order_id])).toEqual([{ effect: 'unmatched' }])
    expect(await rows('b', stored, [note.order_id])).toEqual([])
  })

  test('the owner can be moved back, with what happened since and the same balances', async () => {
    const before = await counts('b', owner_id)
    const had = await accounts('b', owner_id)
    const { from, to } = order(owner_id)
    await moveOwner(order(owner_id, { from: to, to: from }))
    expect(await counts('a', owner_id)).toEqual(before)
    expect(gone(await counts('b', owner_id))).toEqual([])
    expect([await broken('a'), await broken('b')]).toEqual([[], []])
    expect((await accounts('a', owner_id))?.['own']).toBe(had?.['own'])
    expect(await accounts('b', owner_id)).toMatchObject({ own: 0, every: 0 })
    expect((await charge('a', await token(owner_id))).status).toBe(201)
    await moveOwner(order(owner_id))
    expect((await accounts('b', owner_id))?.['own']).toBe(had?.['own'])
    expect([await broken('a'), await broken('b')]).toEqual([[], []])
  })

  test('postings of days that are closed in the new cell are in the figures of its next open day', async () => {
    await rows(
      'b',
      `insert into gapura.ledger_closing (day, closed_by) values ('2026-11-03', 'dewi')`,
    )
    await moveOwner(order('owner-35'))
    const days = await rows(
      'b',
      `select distinct booked_on::text as day
       from gapura.ledger_posting
       where 'sales:owner-35' in (source, destination)`,
    )
    expect(days).toEqual([{ day: '2026-11-04' }])
    expect([await broken('a'), await broken('b')]).toEqual([[], []])
  })
})
