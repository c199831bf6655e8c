// How fast the staff's list is over a million payments: the first page, every filter and order, and
// fifty pages deep, over HTTP as the dashboard asks. Prints what it measured; fails beyond a second.
// `GAPURA_PLAN_PAYMENTS` sets another size.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@gapura/sdk'
import { createGapura, SCOPES } from 'gapura'
import { fillTables } from '../packages/service/test/plans/plan_data.ts'
import {
  DATABASE_URL,
  dropService,
  freshSchemaName,
} from '../packages/service/test/store/test_database.ts'
import { openDatabase } from '../packages/service/src/store/database.ts'

const PAYMENTS = Number(process.env['GAPURA_PLAN_PAYMENTS'] ?? 1_000_000)
const LIMIT_MS = 1_000
const DEEP = 50
const TRIES = 3

const schema = freshSchemaName()
const gapura = createGapura({
  databaseUrl: DATABASE_URL,
  schema,
  gateway: { server_key: 'SB-Mid-server-x', base_url: 'http://127.0.0.1:9' },
  dashboard: 'off',
})
const server = createServer((request, response) => gapura.nodeHandler(request, response))

type Query = Parameters<ReturnType<typeof createClient>['staff']['payments']['list']>[0]

const QUERIES: Record<string, Query> = {
  'first page': {},
  'status settlement': { status: 'settlement' },
  'status pending': { status: 'pending' },
  'status chargeback': { status: 'chargeback' },
  'method bank_transfer': { payment_type: 'bank_transfer' },
  'method akulaku': { payment_type: 'akulaku' },
  'status and method': { status: 'chargeback', payment_type: 'akulaku' },
  'one day': {
    created_from: '2026-03-01T00:00:00+07:00',
    created_before: '2026-03-02T00:00:00+07:00',
  },
  'one year': {
    created_from: '2025-03-01T00:00:00+07:00',
    created_before: '2026-03-01T00:00:00+07:00',
  },
  'past its time': { overdue: 'true' },
  'owner with most': { owner_id: 'owner-0' },
  'order id': { order_id: 'order-500000' },
  'e-mail': { customer_email: 'customer7@example.com' },
  'VA number': { va_number: '810000500000' },
  amount: { gross_amount: '50000.00' },
  'oldest first': { sort: 'oldest' },
  'highest first': { sort: 'highest' },
  'lowest first': { sort: 'lowest' },
  'a rare status, highest first': { status: 'chargeback', sort: 'highest' },
  'a common status, highest first': { status: 'settlement', sort: 'highest' },
  'a method and a year, lowest first': {
    payment_type: 'qris',
    created_from: '2025-03-01T00:00:00+07:00',
    created_before: '2026-03-01T00:00:00+07:00',
    sort: 'lowest',
  },
}

const timed = async <Result>(work: () => Promise<Result>): Promise<[number, Result]> => {
  const began = performance.now()
  const result = await work()
  return [performance.now() - began, result]
}

/** The slowest of some tries: the first finds nothing in memory. */
async function slowest(work: () => Promise<unknown>): Promise<number> {
  let most = 0
  for (let n = 0; n < TRIES; n += 1) most = Math.max(most, (await timed(work))[0])
  return most
}

const ms = (value: number): string => `${value.toFixed(0).padStart(6)} ms`
const faults: string[] = []
const told = (name: string, value: number, limit = LIMIT_MS): void => {
  const over = value > limit
  if (over) faults.push(name)
  console.log(`${ms(value)}  ${name}${over ? `  over ${limit} ms` : ''}`)
}

try {
  await gapura.migrate()
  const db = openDatabase(DATABASE_URL, { schema })
  const [filled_ms] = await timed(async () => await fillTables(db, PAYMENTS))
  await db.close()
  console.log(
    `${PAYMENTS.toLocaleString('en')} payments, filled in ${(filled_ms / 1_000).toFixed(0)} s`,
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const order = { owner_id: 'desk', name: 'desk', staff: true, scopes: SCOPES }
  const { key: apiKey } = await gapura.createApiKey(order)
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { payments, search, overview } = createClient({ baseUrl, apiKey }).staff
  for (const [name, query] of Object.entries(QUERIES)) {
    told(name, await slowest(async () => await payments.list({ ...query, page_size: 50 }).page()))
  }
  for (const q of [
    'order-500000',
    '810000500000',
    'Rp 50.000',
    'customer7@example.com',
    '2026-03-01',
  ]) {
    told(`search ${q}`, await slowest(async () => await search.payments({ q })))
  }
  for (const sort of ['newest', 'highest'] as const) {
    const pages = payments.list({ sort, page_size: 50 })
    const times: number[] = []
    let cursor: string | undefined
    for (let page = 1; page <= DEEP; page += 1) {
      const [time, { nextCursor }] = await timed(async () => await pages.page(cursor))
      times.push(time)
      cursor = nextCursor
    }
    const middle = (some: readonly number[]) =>
      some.toSorted((a, b) => a - b)[some.length >> 1] ?? 0
    const [first, last] = [middle(times.slice(0, 10)), middle(times.slice(-10))]
    console.log(`${ms(first)}  ${sort}: pages 1 to 10, median`)
    // Twice the first and a little: a keyset has no reason to grow, a busy machine has some to vary.
    told(`${sort}: pages ${DEEP - 9} to ${DEEP}, median`, last, 2 * first + 20)
  }
  told(
    'overview, 30 days',
    await slowest(async () => await overview.get({ from: '2026-10-01', until: '2026-10-30' })),
  )
  told(
    'overview, a year',
    await slowest(async () => await overview.get({ from: '2025-11-01', until: '2026-10-31' })),
    5_000,
  )
} finally {
  server.closeAllConnections()
  server.close()
  await gapura.close()
  await dropService(schema)
}
process.exitCode = faults.length > 0 ? 1 : 0
