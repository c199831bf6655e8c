// The matrix of every route × every role (I-30). `npm run suite access` prints how many requests it
// sends.
import { createServer } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PAGES } from '../../src/main/admin.ts'
import { listen } from '../http/http_bench.ts'
import { judge, WITHOUT_METHOD } from './access_matrix.ts'
import { PREFIX, useAccess } from './access_rig.ts'
import { rolesOf, type Role } from './access_roles.ts'
import { rowsOf, type Row } from './access_rows.ts'

const access = useAccess()
const rows = () => rowsOf(access.http)
let roles: readonly Role[] = []

beforeAll(async () => {
  roles = await rolesOf(access.gapura)
})

test('every route answers every role as its row says, and shows no role another owner’s objects', async () => {
  const { ask, routes } = await access.served()
  const { cells, faults } = await judge(access, routes, { ask, rows: rows(), roles })
  expect(faults).toEqual([])
  // Fewer would mean that the router was not read.
  expect(cells).toBeGreaterThan(routes.length * WITHOUT_METHOD.size)
  const count = `${routes.length} routes × ${roles.length} roles, ${cells} requests`
  process.stdout.write(`access: ${count}, ${faults.length} leaks\n`)
}, 600_000)

/** Only the planted route is judged. */
async function judgePlanted(path: string, plant: FastifyPluginAsync, row?: Row) {
  const { ask, routes } = await access.served(plant)
  const found = routes.filter((route) => route.path === path && route.method === 'GET')
  expect(found).toHaveLength(1)
  const known = new Map([...rows(), ...(row ? [[`GET ${path}`, row] as const] : [])])
  return (await judge(access, found, { ask, rows: known, roles })).faults
}

describe('the matrix reports a planted fault:', () => {
  const path = '/payments/:pk/peek/'
  const row = (): Row => ({ kind: 'read', make: async () => (await access.http.charged()).id })
  const find = async (id: string, more = '') => {
    const [found] = await access.http.database.sql(
      `select id, order_id from gapura.gateway_payment where id = $1 ${more}`,
      [id],
    )
    return found
  }
  const known = async (authorization = ''): Promise<string | undefined> => {
    const known_roles = roles.filter(({ owner_id }) => owner_id !== null)
    return known_roles.find((role) => role.authorization === authorization)?.owner_id ?? undefined
  }
  /** A correct route, except for the planted fault. */
  const plant =
    (answer: (id: string, owner_id: string | undefined) => Promise<[number, unknown]>) =>
    async (app: Parameters<FastifyPluginAsync>[0]) => {
      app.get<{ Params: { pk: string } }>(path, async (request, reply) => {
        const owner_id = await known(request.headers.authorization)
        const [status, body] = await answer(request.params.pk, owner_id)
        const type = status < 400 ? 'application/json' : 'application/problem+json'
        return await reply.code(status).header('content-type', type).send(JSON.stringify(body))
      })
    }

  test('a route without a row', async () => {
    const plugin = plant(async () => await Promise.resolve([404, {}]))
    expect(await judgePlanted(path, plugin)).toEqual([`GET ${path}: no row`])
  })

  test('a route that does not check the owner', async () => {
    const plugin = plant(async (id, owner_id) => {
      if (owner_id === undefined) return [401, {}]
      const found = await find(id)
      return found === undefined ? [404, {}] : [200, found]
    })
    const faults = await judgePlanted(path, plugin, row())
    expect(faults).toContain(`GET ${path} as other owner: 200 instead of 404`)
    expect(faults).toContain(`GET ${path} as other owner: another's and a missing one differ`)
    expect(faults).toContain(`GET ${path} as other owner: shows ani's data`)
    expect(faults.join()).not.toContain('anonymous')
  })

  test('a route that does not authenticate the caller', async () => {
    const plugin = plant(async (id) => [200, await find(id)])
    const faults = await judgePlanted(path, plugin, row())
    expect(faults).toContain(`GET ${path} as anonymous: 200 instead of 401`)
    expect(faults).toContain(`GET ${path} as JWT without algorithm: 200 instead of 401`)
  })

  test('a route that shows which ids exist', async () => {
    const plugin = plant(async (id, owner_id) => {
      if (owner_id === undefined) return [401, {}]
      const found = await find(id)
      if (found !== undefined && owner_id !== 'budi') return [200, found]
      return [404, found === undefined ? { detail: 'missing' } : { detail: 'not yours' }]
    })
    const faults = await judgePlanted(path, plugin, row())
    expect(faults).toContain(`GET ${path} as other owner: another's and a missing one differ`)
  })

  test('a route that acts before it refuses', async () => {
    const plugin = plant(async (id, owner_id) => {
      await access.http.database.sql(
        `insert into gapura.operation_reply (operation_id, code, body)
         values (gen_random_uuid(), 200, '{}')`,
      )
      if (owner_id === undefined) return [401, {}]
      const found = owner_id === 'budi' ? undefined : await find(id)
      return found === undefined ? [404, {}] : [200, found]
    })
    const faults = await judgePlanted(path, plugin, row())
    expect(faults).toContain(`GET ${path} as other owner: something happened`)
  })
})

describe('the admin port', () => {
  const server = createServer((request, response) => access.gapura.adminHandler(request, response))
  afterAll(() => void server.close())

  test('answers every caller the same, and nothing about any owner', async () => {
    const { id, order_id } = await access.http.charged()
    const base = await listen(server)
    for (const path of ADMIN_PAGES.keys()) {
      for (const { authorization = '' } of roles) {
        const reply = await fetch(`${base}${path}`, { headers: { authorization } })
        const text = await reply.text()
        expect([path, reply.status]).toEqual([path, 200])
        for (const mark of [id, String(order_id), 'ani', 'budi']) {
          expect(text.split(/[^\w.~-]+/)).not.toContain(mark)
        }
      }
    }
  })

  test('is not under the prefix: its pages are unknown paths there', async () => {
    const { ask } = await access.served()
    const authorization = roles.find(({ name }) => name === 'staff')?.authorization
    for (const path of ADMIN_PAGES.keys()) {
      expect((await ask({ method: 'GET', path, authorization })).status).toBe(404)
    }
    expect(PREFIX).not.toBe('')
  })
})
