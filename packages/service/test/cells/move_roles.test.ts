// Cells whose services run as a role that owns no table (ADR 0017): which role moves an owner, and what
// the services can do with it afterwards.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import type { MoveOrder } from '../../src/services/cells/freeze_owner.ts'
import { moveBack, moveOwner } from '../../src/services/cells/move_owner.ts'
import { send } from '../http/http_bench.ts'
import { eventually } from '../store/test_database.ts'
import {
  administer,
  direct,
  doingAt,
  gone,
  NAMES,
  rolesOf,
  useCells,
  type Name,
} from './move_bench.ts'

const { cell, rows, order, counts, broken, token, asking, charge, simulator } = useCells({
  payments: 39 * 5,
  owners: 39,
  two_roles: true,
})

const workers: { stop: () => Promise<void> }[] = []
beforeAll(async () => {
  for (const name of NAMES) workers.push(await cell(name).gapura.startWorker())
})
afterAll(async () => {
  for (const worker of workers) await worker.stop()
})

const QRIS = { payment_type: 'qris', bank: undefined }

const refund = async (name: Name, mine: string, id: string) =>
  await send('POST', `${cell(name).url}/payments/${id}/refund/`, {
    as: '',
    headers: { authorization: `Bearer ${mine}` },
    key: `refund-${id}`,
    body: { amount: 10_000, reason: 'returned' },
  })

/** A payment that its payer has paid, as its service in this cell knows. */
async function paid(name: Name, mine: string): Promise<string> {
  const { body } = await charge(name, mine, QRIS)
  await pay(body['order_id'])
  await settled(name, mine, body.id)
  return body.id
}

const pay = async (order_id: unknown) =>
  await send('POST', `${simulator().url}/_sim/transactions/${String(order_id)}/pay`, { body: {} })

const settled = async (name: Name, mine: string, id: string) =>
  expect(
    await eventually(
      async () => (await asking(name, mine, `/payments/${id}/`)).body['transaction_status'],
      (status) => status === 'settlement',
    ),
  ).toBe('settlement')

describe('as the owner of both schemas', () => {
  const owner_id = 'owner-1'
  const caller: Caller = { owner_id, staff: false, scopes: SCOPES }

  test('an owner is moved, and the service of the new cell works with all of it', async () => {
    const { key } = await cell('a').gapura.createApiKey({ owner_id, name: 'till', scopes: SCOPES })
    const [first, second] = [await paid('a', key), await paid('a', key)]
    const refunded = await refund('a', key, first)
    expect(refunded.status).toBe(200)
    const open = (await charge('a', key, QRIS, 'once')).body
    await rows('a', `select gapura.ensure_month_partition('gateway_event', '2026-02-01')`)
    const refused: unknown[] = []
    const inPause = async () => {
      // On a busy machine the pause may be given up and tried again.
      refused.splice(0)
      refused.push((await charge('a', key)).status)
      const queued = cell('a').gapura.api.queueCharge(caller, {
        payment_type: 'qris',
        gross_amount: 1_000,
      })
      refused.push(await queued.catch((error: unknown) => (error as { code?: string }).code))
      refused.push((await asking('a', key)).status)
    }
    await moveOwner(order(owner_id, doingAt('frozen', inPause)))
    expect(refused).toEqual([503, 'store_unavailable', 200])
    expect(gone(await counts('a', owner_id))).toEqual([])
    expect((await asking('a', key)).status).toBe(421)

    const repeated = await charge('b', key, QRIS, 'once')
    expect([repeated.status, repeated.body]).toEqual([201, open])
    expect((await refund('b', key, first)).body).toEqual(refunded.body)
    expect((await refund('b', key, second)).status).toBe(200)
    await pay(open['order_id'])
    await settled('b', key, open.id)
    expect((await charge('b', key)).status).toBe(201)
    expect([await broken('a'), await broken('b')]).toEqual([[], []])
  })

  test('no table, partition or trigger of the move is left that the services cannot use', async () => {
    for (const name of NAMES) {
      const { owner, service } = rolesOf(cell(name))
      const foreign = await rows(
        name,
        `select relname from pg_class
         where relnamespace = 'gapura'::regnamespace and relkind in ('r', 'p')
           and relowner <> $1::regrole`,
        [owner],
      )
      expect(foreign).toEqual([])
      const [months] = await rows(
        name,
        `select count(*)::integer as count from gapura.month_partitions('gateway_event')
         where month = '2026-02-01'`,
      )
      expect(months).toEqual({ count: 1 })
      const triggers = `select 1 from pg_trigger where tgname = 'owner_moving'`
      expect(await rows(name, triggers)).toEqual([])
      const [queue] = await rows(
        name,
        `select relowner::regrole::text as owner from pg_class
         where oid = 'gapura_worker._private_jobs'::regclass`,
      )
      expect(queue).toEqual({ owner: service })
    }
  })

  test('it is moved back, and a move that was begun is given up', async () => {
    const { from, to } = order(owner_id)
    const mine = await token(owner_id)
    await moveOwner(order(owner_id, { from: to, to: from }))
    await refund('a', mine, await paid('a', mine))
    const stopped = moveOwner(order(owner_id, doingAt('compared', fail)))
    await expect(stopped).rejects.toThrow('stopped')
    await moveBack(order(owner_id))
    expect((await charge('a', mine)).status).toBe(201)
    expect([await broken('a'), await broken('b')]).toEqual([[], []])
  })
})

const fail = async (): Promise<void> => await Promise.reject(new Error('stopped'))

describe('with a role that lacks rights, nothing is begun, and one sentence says which role to use', () => {
  const owner_id = 'owner-2'
  const asService = (name: Name): Partial<MoveOrder> => {
    const { from, to } = order(owner_id)
    const databaseUrl = direct(rolesOf(cell(name)).serviceUrl)
    return name === 'a' ? { from: { ...from, databaseUrl } } : { to: { ...to, databaseUrl } }
  }
  const expectRefused = async (message: string, more: Partial<MoveOrder> = {}) => {
    for (const run of [moveOwner, moveBack]) {
      await expect(run(order(owner_id, more))).rejects.toThrow(message)
    }
    for (const name of NAMES) {
      const begun = 'select 1 from gapura.owner_move where owner_id = $1'
      expect(await rows(name, begun, [owner_id])).toEqual([])
    }
  }

  test.each(NAMES)('the role of the service in cell %s', async (name) => {
    const { owner, service } = rolesOf(cell(name))
    await expectRefused(
      `in cell ${name} the role ${service} does not own the schema gapura: use a DATABASE_URL of the role ${owner}, which owns it`,
      asService(name),
    )
  })

  test.each(NAMES)('an owner that may not change the queue of cell %s', async (name) => {
    const { owner, service } = rolesOf(cell(name))
    await administer(`revoke ${service} from ${owner}`)
    await expectRefused(
      `in cell ${name} the role ${owner} cannot change the schema gapura_worker, which belongs to the role ${service} of the service: run grant ${service} to ${owner} as a superuser`,
    )
    await administer(`grant ${service} to ${owner}`)
  })

  test.each(NAMES)('a service without the grants of this release in cell %s', async (name) => {
    const { owner, service } = rolesOf(cell(name))
    await rows(name, `revoke select on gapura.owner_move from ${service}`)
    await expectRefused(
      `in cell ${name} the role ${service} of the service lacks rights of this release: run what gapura migrate --grants ${service} prints as the role ${owner}`,
    )
    await rows(name, `grant select on gapura.owner_move to ${service}`)
  })
})
