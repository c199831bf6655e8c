// Two cells of one merchant: two databases, two services, one gateway (ADR 0039).
import { createServer, type Server } from 'node:http'
import { createSimulator, type Simulator } from '@gapura/simulator'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '../../src/gateway/secret.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { createGapura, type Gapura } from '../../src/main/create_gapura.ts'
import { DATABASE_URL, eventually, useDatabase } from '../store/test_database.ts'
import { listen, send } from './http_bench.ts'

const databases = { a: useDatabase(), b: useDatabase() }
type Name = keyof typeof databases
const NAMES: readonly Name[] = ['a', 'b']
const jwt = { issuer: 'https://issuer.example', audience: 'gapura' }
const secret = 'a secret of at least thirty-two bytes'

interface Cell {
  server: Server
  url: string
  gapura: Gapura
  key: string
}

let simulator: Simulator
const cells = new Map<Name, Cell>()
const cell = (name: Name): Cell => {
  const found = cells.get(name)
  if (found === undefined) throw new Error(`no cell ${name}`)
  return found
}

beforeAll(async () => {
  simulator = await createSimulator({ port: 0, seed: 11 })
  const servers = NAMES.map((name) => {
    const server = createServer((request, response) =>
      cell(name).gapura.nodeHandler(request, response),
    )
    return { name, server }
  })
  const urls: Record<string, string> = {}
  for (const { name, server } of servers) urls[name] = await listen(server)
  for (const { name, server } of servers) {
    const url = urls[name] ?? ''
    const gapura = createGapura({
      databaseUrl: DATABASE_URL,
      schema: databases[name].db.schema,
      gateway: {
        server_key: simulator.server_key,
        base_url: simulator.url,
        notification_urls: [`${url}/notification/`],
      },
      jwt: { ...jwt, secret: new Secret(secret) },
      cell: { name, peers: urls },
    })
    const { key } = await gapura.createApiKey({ owner_id: `shop-${name}`, name: 'till' })
    cells.set(name, { server, url, gapura, key })
  }
})

afterAll(async () => {
  for (const { server, gapura } of cells.values()) {
    server.closeAllConnections()
    server.close()
    await gapura.close()
  }
  await simulator.close()
})

const asking = async (name: Name, token: string) =>
  await send('GET', `${cell(name).url}/payments/`, {
    as: '',
    headers: { authorization: `Bearer ${token}` },
  })

const charged = async (name: Name, order_id?: string) => {
  const { url, key } = cell(name)
  const { status, body } = await send('POST', `${url}/charge/`, {
    as: '',
    headers: { authorization: `Bearer ${key}` },
    body: { payment_type: 'bank_transfer', bank: 'bca', gross_amount: 44_000, order_id },
  })
  expect(status).toBe(201)
  return body
}

/** A signed notification, as the gateway sends it. */
const notice = (order_id: string, more: object = {}) => {
  const signed = { order_id, status_code: '200', gross_amount: '44000.00' }
  const signature_key = signNotification(signed, simulator.server_key)
  const rest = { transaction_status: 'settlement', payment_type: 'bank_transfer' }
  return { ...signed, ...rest, signature_key, transaction_id: `t-${order_id}`, ...more }
}

const stored = async (name: Name, order_id: string) =>
  await databases[name].sql(
    `select effect from gapura.gateway_notification
     where order_id = $1 and transaction_status = 'settlement' order by id`,
    [order_id],
  )

const statusOf = async (name: Name, order_id: string) => {
  const text = 'select transaction_status from gapura.gateway_payment where order_id = $1'
  const [row] = await databases[name].sql(text, [order_id])
  return row?.['transaction_status']
}

describe('credentials', () => {
  test('a key names its cell; another cell answers 421 wrong_cell', async () => {
    for (const name of NAMES) expect(cell(name).key).toMatch(new RegExp(`^gpk_${name}_\\w{32}$`))
    expect((await asking('a', cell('a').key)).status).toBe(200)
    const { status, body } = await asking('b', cell('a').key)
    expect(status).toBe(421)
    expect(body).toMatchObject({ code: 'wrong_cell', detail: expect.stringContaining('cell a') })
  })

  test('a key that another cell knows is accepted there, as after a move', async () => {
    const { gapura } = cell('a')
    const { id, key } = await gapura.createApiKey({ owner_id: 'mover', name: 'till' })
    const [row] = await databases.a.sql('select * from gapura.api_key where id = $1', [id])
    await databases.b.sql(
      'insert into gapura.api_key select * from jsonb_populate_record(null::gapura.api_key, $1)',
      [JSON.stringify(row)],
    )
    expect((await asking('b', key)).status).toBe(200)
  })

  test('a token names its cell by a claim', async () => {
    const token = async (claims: object) =>
      await new SignJWT({ sub: 'shop', ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(jwt.issuer)
        .setAudience(jwt.audience)
        .setExpirationTime('5m')
        .sign(new TextEncoder().encode(secret))
    expect((await asking('a', await token({ cell: 'a' }))).status).toBe(200)
    expect((await asking('a', await token({}))).status).toBe(200)
    const { status, body } = await asking('a', await token({ cell: 'b' }))
    expect([status, body['code']]).toEqual([421, 'wrong_cell'])
  })
})

describe('notifications', () => {
  test('a charge is minted for its cell and its notifications come back to it', async () => {
    const { order_id } = await charged('b')
    expect(order_id).toMatch(/^ord-\w{16}-b$/)
    await send('POST', `${simulator.url}/_sim/transactions/${String(order_id)}/pay`, { body: {} })
    const settled = await eventually(
      async () => await statusOf('b', String(order_id)),
      (status) => status === 'settlement',
    )
    expect(settled).toBe('settlement')
    expect(await stored('a', String(order_id))).toEqual([])
  })

  test.each([undefined, 'chosen-by-the-shop'])(
    'sent to another cell, it is stored once, in the cell of its payment: %s',
    async (chosen) => {
      const { order_id } = await charged('b', chosen)
      const reply = await send('POST', `${cell('a').url}/notification/`, {
        body: notice(String(order_id)),
      })
      expect(reply.status).toBe(200)
      expect(reply.body['notification_id']).toBeTypeOf('string')
      expect(await stored('a', String(order_id))).toEqual([])
      expect(await stored('b', String(order_id))).toHaveLength(1)
    },
  )

  test.each(NAMES)(
    'one of an order that no cell knows is stored once, from cell %s',
    async (name) => {
      const order_id = `unknown-to-all-${name}`
      const body = notice(order_id)
      expect((await send('POST', `${cell(name).url}/notification/`, { body })).status).toBe(200)
      expect(await stored('a', order_id)).toEqual([{ effect: 'unmatched' }])
      expect(await stored('b', order_id)).toEqual([])
    },
  )

  test('an offer of an unknown order is refused with 421 and not stored', async () => {
    const offer = { offered_by: 'a', keep: false, notification: notice('unknown-offer') }
    const reply = await send('POST', `${cell('b').url}/notification/`, { body: offer })
    expect([reply.status, reply.body['code']]).toEqual([421, 'wrong_cell'])
    expect(await stored('b', 'unknown-offer')).toEqual([])
  })

  test('a forged offer is refused as any forged notification', async () => {
    const forged = notice('forged-offer', { signature_key: 'f'.repeat(128) })
    const offer = { offered_by: 'a', keep: true, notification: forged }
    const reply = await send('POST', `${cell('b').url}/notification/`, { body: offer })
    expect(reply.status).toBe(403)
    expect(await stored('b', 'forged-offer')).toEqual([])
  })

  test('while another cell is away, an unknown order is answered 429 and stored nowhere', async () => {
    const { url, server } = cell('b')
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    const body = notice('unknown-while-away')
    const reply = await send('POST', `${cell('a').url}/notification/`, { body })
    expect(reply.status).toBe(429)
    expect(await stored('a', 'unknown-while-away')).toEqual([])
    // What the cell itself knows does not need the others.
    const { order_id } = await charged('a', 'known-while-away')
    const known = notice(String(order_id))
    expect((await send('POST', `${cell('a').url}/notification/`, { body: known })).status).toBe(200)
    await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), resolve))
    expect((await send('POST', `${cell('a').url}/notification/`, { body })).status).toBe(200)
  })
})
