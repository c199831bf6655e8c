// An owner is moved between two cells in two databases: whole, interrupted at every point, and back.
import { describe, expect, onTestFinished, test } from 'vitest'
import { isPgbouncerInstalled, startPgbouncer } from '../../../../campaigns/bench/pgbouncer.ts'
import {
  MOVE_POINTS,
  type MoveOrder,
  type MovePoint,
} from '../../src/services/cells/freeze_owner.ts'
import { moveBack, moveOwner } from '../../src/services/cells/move_owner.ts'
import { doingAt, gone, NAMES, useCells } from './move_bench.ts'

// No divisor of the pattern of statuses: each owner has payments in every one.
const OWNERS = 39
const { rows, order, counts, broken, token, charge, accounts } = useCells({
  payments: OWNERS * 25,
  owners: OWNERS,
})

/** Ends a move at a point as a killed process ends: its connections are gone, and nothing follows. */
const endingAt = (point: MovePoint): Pick<MoveOrder, 'reached'> => ({
  reached: async (reached) => {
    if (reached !== point) return
    for (const name of NAMES) {
      await rows(
        name,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'gapura move' and datname = current_database()`,
      )
    }
    throw new Error(`ended at ${point}`)
  },
})

async function expectMoved(owner_id: string, before: Record<string, number>): Promise<void> {
  expect(await counts('b', owner_id)).toEqual(before)
  expect(gone(await counts('a', owner_id))).toEqual([])
  expect(await broken('a')).toEqual([])
  expect(await broken('b')).toEqual([])
  expect(await rows('a', 'select * from gapura.owner_move_change')).toEqual([])
  const triggers = `select tgrelid::regclass from pg_trigger where tgname = 'owner_moving'`
  expect(await rows('a', triggers)).toEqual([])
}

test('every row of an owner is in the new cell and none in the old one, and both ledgers are right', async () => {
  const owner_id = 'owner-20'
  const before = await counts('a', owner_id)
  expect(before).toMatchObject({ gateway_payment: 25, gateway_payment_item: 25 })
  const had = await accounts('a', owner_id)
  expect(had?.['own']).toBeLessThan(0)
  const { pause_ms } = await moveOwner(order(owner_id))
  expect(pause_ms).toBeLessThan(2_000)
  await expectMoved(owner_id, before)
  expect(await accounts('a', owner_id)).toEqual({ own: 0, moved: 0, every: 0 })
  expect(await accounts('b', owner_id)).toEqual(had)
  expect(await counts('b', 'owner-21')).not.toMatchObject({ gateway_payment: 25 })
})

describe('interrupted', () => {
  test.each(MOVE_POINTS.map((point, at) => ({ point, owner_id: `owner-${at}` })))(
    'at $point, a move goes on when it is started again',
    async ({ point, owner_id }) => {
      const before = await counts('a', owner_id)
      await expect(moveOwner(order(owner_id, endingAt(point)))).rejects.toThrow(`ended at ${point}`)
      await moveOwner(order(owner_id))
      await expectMoved(owner_id, before)
    },
  )

  const before_switch = MOVE_POINTS.slice(0, MOVE_POINTS.indexOf('decided'))
  // One owner each: the gateway reports the charge of the test before while this one counts.
  const back = before_switch.map((point, at) => ({ point, owner_id: `owner-${13 + at}` }))
  test.each(back)('at $point, --back leaves the owner where it was', async (given) => {
    const { point, owner_id } = given
    const before = await counts('a', owner_id)
    await expect(moveOwner(order(owner_id, endingAt(point)))).rejects.toThrow(`ended at ${point}`)
    await moveBack(order(owner_id))
    expect(await counts('a', owner_id)).toEqual(before)
    expect(Object.values(await counts('b', owner_id)).every((count) => count === 0)).toBe(true)
    expect([await broken('a'), await broken('b')]).toEqual([[], []])
    expect((await charge('a', await token(owner_id))).status).toBe(201)
    expect((await charge('b', await token(owner_id))).status).toBe(421)
  })

  test('after the switch, --back says what to do instead', async () => {
    const owner_id = 'owner-26'
    await expect(moveOwner(order(owner_id, endingAt('decided')))).rejects.toThrow('ended')
    await expect(moveBack(order(owner_id))).rejects.toThrow('is in cell b since the switch')
    await moveOwner(order(owner_id))
  })
})

describe('a fault in the copy', () => {
  test.each([
    [
      'a row that was not copied',
      'gateway_payment_item',
      `delete from gapura.gateway_payment_item`,
    ],
    [
      'a row that differs',
      'gateway_payment_item',
      `update gapura.gateway_payment_item set name = 'Tea'`,
    ],
    [
      'a row too many',
      'gateway_alarm',
      `insert into gapura.gateway_alarm (id, subject_id, owner_id, kind, subject_kind, detail)
       select gen_random_uuid(), gen_random_uuid(), 'owner-32', 'late_money', 'payment', ''
       from gapura.gateway_payment`,
    ],
  ])('%s is found before the switch', async (_fault, table, damage) => {
    const owner_id = 'owner-32'
    const before = await counts('a', owner_id)
    const where = damage.startsWith('insert')
      ? 'where owner_id = $1 limit 1'
      : 'where owner_id = $1'
    const work = async () => void (await rows('b', `${damage} ${where}`, [owner_id]))
    await expect(moveOwner(order(owner_id, doingAt('copied', work)))).rejects.toThrow(
      `the copy differs: ${table}`,
    )
    await moveBack(order(owner_id))
    expect(await counts('a', owner_id)).toEqual(before)
  })

  test('a row that is damaged after the comparison, and changed in the pause, is found in the pause', async () => {
    const owner_id = 'owner-33'
    const { body } = await charge('a', await token(owner_id))
    const damaged = async () => {
      await rows('a', `update gapura.gateway_payment set updated_at = now() where id = $1`, [
        body.id,
      ])
      await rows(
        'b',
        `create function gapura.lose() returns trigger language plpgsql as 'begin return null; end';
         create trigger lose before update on gapura.gateway_payment
         for each row execute function gapura.lose()`,
      )
    }
    const failing = moveOwner(order(owner_id, doingAt('draining', damaged)))
    await expect(failing).rejects.toThrow('the copy differs: gateway_payment')
    await rows('b', 'drop function gapura.lose cascade')
    expect((await charge('a', await token(owner_id))).status).toBe(201)
    await moveBack(order(owner_id))
    await moveOwner(order(owner_id))
    expect(await broken('b')).toEqual([])
  })
})

test('an owner whose payments are matched with statements is not moved', async () => {
  await rows(
    'a',
    `insert into gapura.reconciliation_item (id, payment_id, day, due_on, kind, state, cause, source, reference)
     select gen_random_uuid(), id, '2026-11-01', '2026-11-02', 'payment', 'matched', '', 'x', 'x'
     from gapura.gateway_payment where owner_id = 'owner-36' limit 1`,
  )
  await expect(moveOwner(order('owner-36'))).rejects.toThrow('are matched with statements')
})

test.skipIf(!isPgbouncerInstalled())('an address that leads to a pooler is refused', async () => {
  const { from, to } = order('owner-1')
  const { hostname: host, port, username: user } = new URL(from.databaseUrl)
  const pooler = await startPgbouncer({ host, port, user })
  onTestFinished(pooler.stop)
  for (const [name, address] of Object.entries({ from, to })) {
    const pooled = new URL(address.databaseUrl)
    pooled.port = String(pooler.port)
    const there = { [name]: { ...address, databaseUrl: pooled.href } }
    await expect(moveOwner(order('owner-1', there))).rejects.toThrow(
      `the address of cell ${address.name} leads to a pooler: give one that leads to PostgreSQL`,
    )
  }
})
