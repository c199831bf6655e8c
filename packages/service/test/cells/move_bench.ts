// Two cells of one merchant in two databases, with payments of many owners in the first one.
import { createServer, type Server } from 'node:http'
import { createSimulator, type Simulator } from '@gapura/simulator'
import { SignJWT } from 'jose'
import { Pool } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { Secret } from '../../src/gateway/secret.ts'
import { createGapura, type Gapura } from '../../src/main/create_gapura.ts'
import { migrateDatabase } from '../../src/main/inspect.ts'
import { verifyDatabase } from '../../src/main/verify.ts'
import type { MoveOrder, MovePoint } from '../../src/services/cells/freeze_owner.ts'
import { MOVED, ofOwner } from '../../src/store/cells/moved_tables.ts'
import { openDatabase } from '../../src/store/connection/database.ts'
import { grantsFor } from '../../src/store/schema/grants.ts'
import { listen, send } from '../http/http_bench.ts'
import { fillHonestly } from '../invariants/honest_data.ts'
import { createOwnDatabase, directUrl, dropOwnDatabase, freshName } from '../store/own_database.ts'
import { DATABASE_URL } from '../store/test_database.ts'

export const NAMES = ['a', 'b'] as const
export type Name = (typeof NAMES)[number]
const jwt = { issuer: 'https://issuer.example', audience: 'gapura' }
const secret = 'a secret of at least thirty-two bytes'

/** A running cell. */
export interface Cell {
  /** As the owner of the schema. */
  databaseUrl: string
  pool: Pool
  server: Server
  url: string
  gapura: Gapura
}

export async function closeCell({ server, gapura, pool }: Cell): Promise<void> {
  server.closeAllConnections()
  server.close()
  await gapura.close()
  await pool.end()
}

/** Does something once, when a move reaches a point. */
export const doingAt = (
  point: MovePoint,
  work: () => Promise<void>,
): Pick<MoveOrder, 'reached'> => ({
  reached: async (reached) => {
    if (reached === point) await work()
  },
})

/** The tables that still have rows of an owner that left; its keys stay. */
export const gone = (found: Record<string, number>) =>
  Object.entries(found).filter(([table, count]) => count > 0 && table !== 'api_key')

interface Bench {
  payments: number
  owners: number
  /** Each cell has an owner that is no superuser, and a service with a role of its own. */
  two_roles?: boolean
}

/** Past the pooler of `npm run suite pooler`, as the same role. */
export const direct = (databaseUrl: string): string =>
  asRole(directUrl(databaseUrl), new URL(databaseUrl).username)

const asRole = (databaseUrl: string, role: string): string => {
  const url = new URL(databaseUrl)
  url.username = role
  return url.href
}

export const rolesOf = ({ databaseUrl }: Pick<Cell, 'databaseUrl'>) => {
  const name = new URL(databaseUrl).pathname.slice(1)
  const [owner, service] = [`${name}_owner`, `${name}_app`]
  return { owner, service, serviceUrl: asRole(databaseUrl, service) }
}

/** Runs statements as the user of the tests, who creates databases and roles. */
export async function administer(...statements: readonly string[]): Promise<void> {
  const pool = new Pool({ connectionString: DATABASE_URL, max: 1 })
  for (const statement of statements) await pool.query(statement)
  await pool.end()
}

/** A database as ADR 0017 has it, as far as its owner's part goes; returns the address of its owner. */
async function createWithRoles(): Promise<string> {
  const name = freshName()
  const url = new URL(DATABASE_URL)
  url.pathname = name
  const { owner, service } = rolesOf({ databaseUrl: url.href })
  await administer(
    `create role ${owner} login`,
    `create role ${service} login role ${owner}`,
    `create database ${name} owner ${owner}`,
  )
  const databaseUrl = asRole(url.href, owner)
  await migrateDatabase({ databaseUrl })
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  await pool.query(grantsFor({ schema: 'gapura' }, service))
  await pool.end()
  return databaseUrl
}

async function dropWithRoles(databaseUrl: string): Promise<void> {
  const { owner, service } = rolesOf({ databaseUrl })
  await dropOwnDatabase(databaseUrl)
  await administer(`drop role ${service}`, `drop role ${owner}`)
}

export function useCells({ payments, owners, two_roles = false }: Bench) {
  const cells = new Map<Name, Cell>()
  let simulator: Simulator | undefined
  const simulated = (): Simulator => {
    if (simulator === undefined) throw new Error('the simulator runs only inside tests')
    return simulator
  }
  const cell = (name: Name): Cell => {
    const found = cells.get(name)
    if (found === undefined) throw new Error(`no cell ${name}`)
    return found
  }
  const createDatabase = async (name: Name): Promise<string> => {
    if (two_roles) return await createWithRoles()
    return name === 'a' ? DATABASE_URL : await createOwnDatabase()
  }
  beforeAll(async () => {
    simulator = await createSimulator({ port: 0, seed: 23 })
    const servers = NAMES.map((name) =>
      createServer((request, response) => cell(name).gapura.nodeHandler(request, response)),
    )
    const urls: Record<string, string> = {}
    for (const [at, server] of servers.entries()) urls[NAMES[at] ?? ''] = await listen(server)
    for (const [at, server] of servers.entries()) {
      const name = NAMES[at] ?? 'a'
      const databaseUrl = await createDatabase(name)
      const url = urls[name] ?? ''
      const gapura = createGapura({
        databaseUrl: two_roles ? rolesOf({ databaseUrl }).serviceUrl : databaseUrl,
        gateway: {
          server_key: simulator.server_key,
          base_url: simulator.url,
          notification_urls: [`${url}/notification/`],
        },
        jwt: { ...jwt, secret: new Secret(secret) },
        webhooks: { keys: [Buffer.alloc(32, 'webhooks').toString('base64')], allow_private: true },
        cell: { name, peers: urls },
      })
      const pool = new Pool({ connectionString: databaseUrl, max: 3 })
      cells.set(name, { databaseUrl, pool, server, url, gapura })
    }
    const db = openDatabase(cell('a').databaseUrl, { connections_max: 2 })
    await fillHonestly(db, payments, owners)
    await db.close()
  })
  afterAll(async () => {
    for (const one of cells.values()) await closeCell(one)
    await simulator?.close()
    for (const { databaseUrl } of cells.values()) {
      if (two_roles) await dropWithRoles(databaseUrl)
      else if (databaseUrl !== DATABASE_URL) await dropOwnDatabase(databaseUrl)
    }
  })

  const rows = async (name: Name, text: string, values: unknown[] = []) =>
    (await cell(name).pool.query<Record<string, unknown>>(text, values)).rows
  return {
    cell,
    rows,
    simulator: simulated,
    /** A move from a to b; the switch of the proxy is left out. */
    order: (owner_id: string, more: Partial<MoveOrder> = {}): MoveOrder => ({
      owner_id,
      from: { name: 'a', databaseUrl: direct(cell('a').databaseUrl) },
      to: { name: 'b', databaseUrl: direct(cell('b').databaseUrl) },
      switchMap: async () => await Promise.resolve(),
      verify: async ({ databaseUrl }) => await brokenIn(databaseUrl),
      ...more,
    }),
    /** How many rows of an owner each table of a cell has. */
    counts: async (name: Name, owner_id: string) => {
      const found: Record<string, number> = {}
      for (const table of MOVED) {
        const text = `select count(*)::integer as count from gapura.${table.name} where ${ofOwner(table)}`
        const [row] = await rows(name, text, [owner_id])
        found[table.name] = Number(row?.['count'])
      }
      return found
    },
    /** A signed notification of a charge of 44,000 that was paid. */
    notice: (order_id: unknown, transaction_id: unknown = 't-unknown') => {
      const signed = { order_id: String(order_id), status_code: '200', gross_amount: '44000.00' }
      const signature_key = signNotification(signed, simulated().server_key)
      const rest = { transaction_status: 'settlement', payment_type: 'bank_transfer' }
      return { ...signed, ...rest, signature_key, transaction_id }
    },
    /** What the accounts of an owner have, and whether all accounts of the cell add up to zero. */
    accounts: async (name: Name, owner_id: string) => {
      const [row] = await rows(
        name,
        `select coalesce(sum(moved) filter (where account like '%:' || $1), 0)::float as own,
       coalesce(sum(moved) filter (where account like 'moved:%'), 0)::float as moved,
       coalesce(sum(moved), 0)::float as every
     from gapura.ledger_posting
     cross join lateral (values (destination, amount), (source, -amount)) as side (account, moved)`,
        [owner_id],
      )
      return row
    },
    broken: async (name: Name) => await brokenIn(cell(name).databaseUrl),
    token: async (owner_id: string, claims: object = {}) =>
      await new SignJWT({ sub: owner_id, scope: 'payments:write payments:refund', ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(jwt.issuer)
        .setAudience(jwt.audience)
        .setExpirationTime('5m')
        .sign(new TextEncoder().encode(secret)),
    asking: async (name: Name, token: string, path = '/payments/') =>
      await send('GET', `${cell(name).url}${path}`, {
        as: '',
        headers: { authorization: `Bearer ${token}` },
      }),
    charge: async (name: Name, token: string, more: object = {}, key?: string) =>
      await send('POST', `${cell(name).url}/charge/`, {
        as: '',
        headers: { authorization: `Bearer ${token}` },
        ...(key !== undefined && { key }),
        body: { payment_type: 'bank_transfer', bank: 'bca', gross_amount: 44_000, ...more },
      }),
  }
}

async function brokenIn(databaseUrl: string): Promise<string[]> {
  const { broken } = await verifyDatabase(databaseUrl)
  return broken.map(({ id, examples }) => `${id} ${examples[0]?.subject} ${examples[0]?.detail}`)
}
