// Staff list the payments of all cells (ADR 0039): nothing is lost or doubled.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { GivenCaller } from '../../src/domain/caller.ts'
import { Secret } from '../../src/gateway/secret.ts'
import { createGapura } from '../../src/main/create_gapura.ts'
import { PAYMENT_SORTS, type PaymentSort } from '../../src/store/payments/lists.ts'
import { useListedCells, type Page, type Row } from './list_bench.ts'
import { NAMES, type Name } from './move_bench.ts'

const bench = useListedCells()
const { cell, arrived, logged, ask, pay, staffKey } = bench
const keys = { a: '', b: '' }
const at = (second: number) => `2026-11-01T00:00:0${second}.000Z`

beforeAll(async () => {
  for (const name of NAMES) keys[name] = await staffKey(name, ['staff:read'])
  // Few times and few amounts, so that most rows differ by their ids alone.
  const drawn = (count: number, from: number) =>
    Array.from({ length: count }, (_, n): [string, number] => [
      at((n + from) % 4),
      (1 + ((n * 7) % 3)) * 1_000,
    ])
  await pay('a', 'shop', drawn(47, 0))
  await pay('b', 'shop', drawn(31, 2))
  await pay('b', 'other', drawn(5, 0))
})

let before_test = 0
beforeEach(() => {
  before_test = arrived.length
})
const arrivedNow = () => arrived.slice(before_test)
afterEach(() => {
  for (const name of NAMES) cell(name).state = 'up'
})

const order = (sort: PaymentSort) => (one: Row, other: Row) => {
  const sign = sort === 'newest' || sort === 'highest' ? -1 : 1
  const amounts = Number(one.gross_amount) - Number(other.gross_amount)
  const times = Date.parse(one.created_at) - Date.parse(other.created_at)
  const by_amount = sort === 'highest' || sort === 'lowest'
  return sign * ((by_amount && amounts) || times || (one.id < other.id ? -1 : 1))
}

/** All payments of the shop, as each cell lists its own. */
async function all(): Promise<Row[]> {
  const pages = await Promise.all(
    NAMES.map(async (name) => {
      const path = '/staff/payments/?owner_id=shop&page_size=100'
      const { body } = await ask(name, path, `Bearer ${keys[name]}`)
      return (body as unknown as Page).results.map((row) => ({ ...row, cell: name }))
    }),
  )
  return pages.flat()
}

/** Every page, until there is none; `before` is called with the number of each page. */
async function walk(
  from: Name,
  query: Record<string, string>,
  before: (page: number) => void = () => undefined,
) {
  const pages: Page[] = []
  let cursor: string | null = ''
  for (let number = 0; cursor !== null; number++) {
    if (number > 40) throw new Error('the list does not end')
    before(number)
    const place = cursor === '' ? {} : { cursor }
    const page = await bench.page(from, keys[from], { owner_id: 'shop', ...query, ...place })
    pages.push(page)
    cursor = page.next_cursor
  }
  return { pages, rows: pages.flatMap(({ results }) => results) }
}

const ids = (rows: readonly Row[]) => rows.map(({ cell: of, id }) => `${of} ${id}`)

describe('the pages', () => {
  test.each(PAYMENT_SORTS)(
    'sorted by %s have each row once, in order, from either cell',
    async (sort) => {
      const expected = (await all()).toSorted(order(sort))
      expect(expected).toHaveLength(78)
      for (const [name, page_size] of [
        ['a', '7'],
        ['b', '11'],
        ['a', '100'],
      ] as const) {
        const { pages, rows } = await walk(name, { sort, page_size })
        expect(ids(rows)).toEqual(ids(expected))
        expect(pages.every(({ unreachable }) => unreachable.length === 0)).toBe(true)
        expect(pages).toHaveLength(Math.ceil(78 / Number(page_size)))
      }
    },
  )

  test('a cell that is away is named, and its rows follow once it is back, each row once', async () => {
    const expected = ids(await all()).toSorted()
    const { pages, rows } = await walk('a', { page_size: '7' }, (page) => {
      cell('b').state = page >= 2 && page <= 4 ? 'away' : 'up'
    })
    const missing = pages.map(({ unreachable }) => unreachable.join())
    expect(missing.slice(0, 7)).toEqual(['', '', 'b', 'b', 'b', '', ''])
    expect(
      pages
        .slice(2, 5)
        .flatMap(({ results }) => results)
        .every((row) => row.cell === 'a'),
    ).toBe(true)
    expect(ids(rows).toSorted()).toEqual(expected)
  })

  test('a cell that is away from the start to the end of the other is listed afterwards', async () => {
    const expected = ids(await all()).toSorted()
    const { pages, rows } = await walk('a', { page_size: '20' }, (page) => {
      cell('b').state = page < 5 ? 'away' : 'up'
    })
    // The third page ends the rows of a; the cursor stays while b is away.
    expect(pages.slice(0, 5).map(({ results }) => results.length)).toEqual([20, 20, 7, 0, 0])
    expect(pages[4]?.next_cursor).toBe(pages[3]?.next_cursor)
    expect(ids(rows).toSorted()).toEqual(expected)
  })

  test('a cell that does not answer holds up the list for about two seconds', async () => {
    cell('b').state = 'silent'
    const begun = performance.now()
    const page = await bench.page('a', keys.a, { owner_id: 'shop' })
    expect(performance.now() - begun).toBeLessThan(4_000)
    expect(page.unreachable).toEqual(['b'])
    expect(page.results).toHaveLength(20)
    expect(logged.some((line) => line.includes('cell did not list its payments'))).toBe(true)
  })

  test('a cell whose page is short with more behind it is named: its rows would be skipped', async () => {
    cell('b').state = 'short'
    const page = await bench.page('a', keys.a, { owner_id: 'shop' })
    expect(page.unreachable).toEqual(['b'])
  })

  test('a cell that has no rows and misses the other gives a cursor of the start', async () => {
    cell('b').state = 'away'
    const first = await bench.page('a', keys.a, { owner_id: 'other' })
    expect(first).toMatchObject({ results: [], unreachable: ['b'] })
    cell('b').state = 'up'
    const cursor = first.next_cursor ?? ''
    const second = await bench.page('a', keys.a, { owner_id: 'other', cursor })
    expect(second.results).toHaveLength(5)
    expect(second.next_cursor).toBeNull()
  })

  test('a payment that is in both cells, as during a move, is listed once', async () => {
    await pay('a', 'mover', [
      [at(1), 1_000],
      [at(1), 1_000],
      [at(2), 1_000],
    ])
    const { rows } = await cell('a').pool.query<{ id: string }>(
      `select id from gapura.gateway_payment where owner_id = 'mover'`,
    )
    for (const { id } of rows.slice(0, 2)) {
      await cell('b').pool.query(
        `insert into gapura.gateway_payment
           (id, owner_id, order_id, payment_type, gross_amount, created_at)
         values ($1, 'mover', $2, 'gopay', 1000, $3)`,
        [id, `order-${id}`, at(1)],
      )
    }
    const { rows: found } = await walk('a', { owner_id: 'mover', page_size: '1' })
    expect(found.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  })

  test('filters are those of one cell; what is no filter or no cursor is 400', async () => {
    const page = await bench.page('a', keys.a, { owner_id: 'shop', created_from: at(3) })
    expect(page.results.every(({ created_at }) => created_at === at(3))).toBe(true)
    expect(new Set(page.results.map((row) => row.cell))).toEqual(new Set(NAMES))
    const previous = Buffer.from(`previous ${at(1)} ${page.results[0]?.id ?? ''} 1000.00`)
    const back = Buffer.from(`${previous.toString('base64url')} a b`).toString('base64url')
    for (const query of ['staus=paid', 'cursor=x', `cursor=${back}`, 'page_size=101']) {
      const reply = await ask('a', `/staff/cells/payments/?${query}`, `Bearer ${keys.a}`)
      expect([query, reply.status]).toEqual([query, 400])
    }
  })
})

describe('who may read', () => {
  test('the rights are those of the list of one cell', async () => {
    const bare = await staffKey('a', ['staff:act'])
    const { key: owner } = await cell('a').gapura.createApiKey({ owner_id: 'shop', name: 'till' })
    const statuses = await Promise.all(
      [`Bearer ${bare}`, `Bearer ${owner}`, 'Bearer nothing'].map(
        async (authorization) => (await ask('a', '/staff/cells/payments/', authorization)).status,
      ),
    )
    expect(statuses).toEqual([403, 404, 401])
    expect(arrivedNow().filter((one) => one.cell === 'b')).toEqual([])
  })

  test('the other cell gets one read, with neither key nor cookie, and asks no further', async () => {
    const cookie = `gapura_session=gps_${'0'.repeat(64)}`
    await fetch(`${cell('a').url}/staff/cells/payments/`, {
      headers: { authorization: `Bearer ${keys.a}`, cookie },
    })
    expect(arrivedNow().map((one) => one.cell)).toEqual(['a', 'b'])
    const [, asked] = arrivedNow()
    expect(asked).toMatchObject({ method: 'GET', url: '/pay/staff/payments/?page_size=20' })
    expect(asked?.headers['cookie']).toBeUndefined()
    expect(asked?.headers.authorization).toMatch(/^Gapura-Cell [\w-]+\.[\w-]{43}$/)
    expect(JSON.stringify(asked?.headers)).not.toContain(keys.a)
  })

  test('the other cell records who read what, and for which cell', async () => {
    const page = await bench.page('a', keys.a, { owner_id: 'other' })
    const { rows } = await cell('b').pool.query<{
      actor: string
      actor_kind: string
      detail: object
    }>(
      `select actor, actor_kind, detail::jsonb from gapura.audit_unsealed
       where action = 'payment.list' order by occurred_at desc, id desc limit 1`,
    )
    expect(rows).toEqual([
      {
        actor: 'dewi',
        actor_kind: 'staff',
        detail: { ids: page.results.map(({ id }) => id), owners: ['other'], from_cell: 'a' },
      },
    ])
  })

  test('the service names the cells; without a key there are neither they nor the list', async () => {
    const { body } = await ask('a', '/staff/me/', `Bearer ${keys.a}`)
    expect(body['cells']).toEqual({
      here: 'a',
      others: [{ name: 'b', dashboard_url: 'https://b.pay.example/dashboard/' }],
    })
    const { databaseUrl, url } = cell('a')
    const without = createGapura({
      databaseUrl,
      gateway: { server_key: new Secret('SB-Mid-server-x') },
      cell: { name: 'a', peers: { b: url } },
    })
    const dewi: GivenCaller = { owner_id: 'dewi', staff: true }
    expect(await without.staff.getMe(dewi)).not.toHaveProperty('cells')
    await expect(without.staff.listCellPayments(dewi)).rejects.toMatchObject({ code: 'not_found' })
    await without.close()
  })
})
