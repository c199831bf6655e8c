// Two cells in two databases with one key, whose staff list the payments of both.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { createSimulator, type Simulator } from '@gapura/simulator'
import { Pool } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { Scope } from '../../src/domain/caller.ts'
import { Secret } from '../../src/gateway/secret.ts'
import { createGapura } from '../../src/main/create_gapura.ts'
import { newId } from '../../src/store/sql/values.ts'
import { listen, send } from '../http/http_bench.ts'
import { createOwnDatabase, dropOwnDatabase } from '../store/own_database.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { closeCell, NAMES, type Cell, type Name } from './move_bench.ts'

/** Of no cell but these. */
export const CELL_KEY = Buffer.alloc(32, 'cells').toString('base64')

interface ListedCell extends Cell {
  /** How it answers: as it does, not at all, by closing the connection, or with too short a page. */
  state: 'up' | 'silent' | 'away' | 'short'
}

/** A request as it reached a cell. */
interface Arrived {
  cell: Name
  method: string
  url: string
  headers: IncomingHttpHeaders
}

export interface Row {
  cell: Name
  id: string
  gross_amount: string
  created_at: string
}

export interface Page {
  results: Row[]
  next_cursor: string | null
  unreachable: string[]
}

export function useListedCells() {
  const cells = new Map<Name, ListedCell>()
  const arrived: Arrived[] = []
  const logged: string[] = []
  let simulator: Simulator | undefined
  const cell = (name: Name): ListedCell => {
    const found = cells.get(name)
    if (found === undefined) throw new Error(`no cell ${name}`)
    return found
  }
  const serverOf = (name: Name): Server =>
    createServer((request, response) => {
      const { method = '', url = '', headers } = request
      arrived.push({ cell: name, method, url, headers })
      const { state, gapura } = cell(name)
      if (state === 'up') gapura.nodeHandler(request, response)
      if (state === 'away') request.socket.destroy()
      if (state === 'short') response.end(JSON.stringify({ results: [], next: '?cursor=x' }))
    })
  const log = (fields: object, message: string) =>
    void logged.push(JSON.stringify({ ...fields, message }))

  beforeAll(async () => {
    simulator = await createSimulator({ port: 0, seed: 13 })
    const servers = NAMES.map((name) => ({ name, server: serverOf(name) }))
    const urls: Record<string, string> = {}
    for (const { name, server } of servers) urls[name] = `${await listen(server)}/pay`
    for (const { name, server } of servers) {
      const databaseUrl = name === 'a' ? DATABASE_URL : await createOwnDatabase()
      const url = urls[name] ?? ''
      const { server_key, url: base_url } = simulator
      const gapura = createGapura({
        databaseUrl,
        gateway: { server_key, base_url, notification_urls: [`${url}/notification/`] },
        prefix: '/pay',
        logger: { info: log, warn: log, error: log },
        cell: {
          name,
          peers: urls,
          keys: [new Secret(CELL_KEY)],
          dashboards: { b: 'https://b.pay.example' },
        },
      })
      const pool = new Pool({ connectionString: databaseUrl, max: 2 })
      cells.set(name, { databaseUrl, pool, server, url, gapura, state: 'up' })
    }
  })
  afterAll(async () => {
    for (const one of cells.values()) await closeCell(one)
    await simulator?.close()
    await dropOwnDatabase(cell('b').databaseUrl)
  })

  /** A key of staff in a cell; `owner_id` is the name in the audit. */
  const staffKey = async (name: Name, scopes: readonly Scope[], owner_id = 'dewi') =>
    (await cell(name).gapura.createApiKey({ owner_id, name: 'desk', staff: true, scopes })).key
  /** Payments of an owner, in the order given. */
  const pay = async (
    name: Name,
    owner_id: string,
    given: readonly [at: string, amount: number][],
  ) => {
    for (const [created_at, gross_amount] of given) {
      const id = newId()
      await cell(name).pool.query(
        `insert into gapura.gateway_payment
           (id, owner_id, order_id, payment_type, gross_amount, created_at)
         values ($1, $2, $3, 'gopay', $4, $5)`,
        [id, owner_id, `order-${id}`, gross_amount, created_at],
      )
    }
  }
  const ask = async (name: Name, path: string, authorization: string) =>
    await send('GET', `${cell(name).url}${path}`, { as: '', headers: { authorization } })
  return {
    cell,
    arrived,
    logged,
    staffKey,
    pay,
    ask,
    /** A page of the payments of an owner in all cells. */
    page: async (name: Name, key: string, query: Record<string, string>): Promise<Page> => {
      const search = new URLSearchParams(query).toString()
      const reply = await ask(name, `/staff/cells/payments/?${search}`, `Bearer ${key}`)
      if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`)
      return reply.body as unknown as Page
    },
  }
}
