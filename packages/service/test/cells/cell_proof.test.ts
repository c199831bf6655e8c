// The proof with which one cell asks another for a staff member (ADR 0039), over real HTTP.
import { beforeAll, describe, expect, test } from 'vitest'
import { cellTokens, type CellPerson, type CellRequest } from '../../src/gateway/cell_token.ts'
import { Secret } from '../../src/gateway/secret.ts'
import { CELL_KEY, useListedCells } from './list_bench.ts'

const bench = useListedCells()
const { cell, arrived, logged, staffKey } = bench
const keys = { a: '', b: '' }

beforeAll(async () => {
  keys.a = await staffKey('a', ['staff:read'])
  keys.b = await staffKey('b', ['staff:read'])
})

const tokens = (key = CELL_KEY) => cellTokens([new Secret(key)])
const PATH = '/staff/payments/?page_size=5'
const request: CellRequest = { to: 'b', method: 'GET', path: PATH }
const person: CellPerson = { from: 'a', owner_id: 'dewi', scopes: ['staff:read'] }
const signed = (more: Partial<CellRequest> & Partial<CellPerson> = {}, now = Date.now()) =>
  tokens().sign({ ...request, ...more }, { ...person, ...more }, now)

describe('the proof of a cell', () => {
  const statusOf = async (token: string, path = PATH, method = 'GET') => {
    const headers = { authorization: `Gapura-Cell ${token}` }
    return (await fetch(`${cell('b').url}${path}`, { method, headers })).status
  }

  test('is good for its own request alone', async () => {
    expect(await statusOf(signed())).toBe(200)
    const others = [
      ['another query', PATH.replace('5', '6')],
      ['a further filter', `${PATH}&owner_id=shop`],
      ['no query', '/staff/payments/'],
      ['a payment', '/staff/payments/00000000-0000-7000-8000-000000000000/'],
      ['the totals', '/staff/payments/totals/'],
      ['the list over all cells', '/staff/cells/payments/'],
      ['another route', '/staff/me/'],
    ] as const
    for (const [what, path] of others) {
      expect([what, await statusOf(signed(), path)]).toEqual([what, 401])
    }
    expect(await statusOf(signed(), PATH, 'HEAD')).toBe(401)
    // Signed for it, too: only the one route takes such a proof.
    for (const [what, path] of others.slice(3)) {
      expect([what, await statusOf(signed({ path }), path)]).toEqual([what, 401])
    }
  })

  test('is refused if it is forged, expired, too long, of or for another cell, or malformed', async () => {
    const now = Date.now()
    const good = signed()
    const [claims = '', mac = ''] = good.split('.')
    const more = { ...person, scopes: ['staff:read', 'staff:manage'], expires_at: now + 10_000 }
    const refused = {
      'another key': cellTokens([new Secret(Buffer.alloc(32, 'x').toString('base64'))]).sign(
        request,
        person,
        now,
      ),
      expired: signed({}, now - 16_000),
      'valid for too long': signed({}, now + 16_000),
      'for another cell': signed({ to: 'a' }),
      'of an unknown cell': signed({ from: 'z' }),
      'of the cell itself': signed({ from: 'b' }),
      'changed claims': `${Buffer.from(JSON.stringify(more)).toString('base64url')}.${mac}`,
      'no owner': signed({ owner_id: '' }),
      'no mac': claims,
      'a short mac': `${claims}.${mac.slice(0, 42)}`,
      'a changed mac': `${claims}.${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`,
      nothing: '',
    }
    for (const [what, token] of Object.entries(refused)) {
      expect([what, await statusOf(token)]).toEqual([what, 401])
    }
    expect(await statusOf(good)).toBe(200)
  })

  test('gives the rights of the person and no more', async () => {
    expect(await statusOf(signed({ scopes: ['staff:act'] }))).toBe(403)
    expect(await statusOf(signed({ scopes: [] }))).toBe(403)
  })

  test('is not helped by a session beside it', async () => {
    const { url } = cell('b')
    const opened = await fetch(`${url}/sign_in/key/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key: keys.b }),
    })
    const [cookie = ''] = opened.headers.get('set-cookie')?.split(';') ?? []
    const statuses = [{}, { authorization: 'Gapura-Cell x.y' }].map(
      async (more) => (await fetch(`${url}${PATH}`, { headers: { cookie, ...more } })).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 401])
  })

  test('a key that is being changed is accepted, and the first of two signs', () => {
    const next = Buffer.alloc(32, 'next').toString('base64')
    const both = cellTokens([new Secret(next), new Secret(CELL_KEY)])
    const now = Date.now()
    expect(both.read(signed(), request, now)).toMatchObject(person)
    expect(tokens(next).read(both.sign(request, person, now), request, now)).toMatchObject(person)
    expect(() => tokens('c2hvcnQ=')).toThrow('32 bytes')
  })
})

test('neither the key nor a proof is logged', async () => {
  expect((await bench.page('a', keys.a, {})).unreachable).toEqual([])
  expect(logged.length).toBeGreaterThan(20)
  const proofs = arrived.flatMap(({ headers: { authorization = '' } }) =>
    authorization.startsWith('Gapura-Cell ') ? authorization.slice(12) : [],
  )
  expect(proofs.length).toBeGreaterThan(20)
  const texts = [CELL_KEY, 'Gapura-Cell', ...proofs.filter((proof) => proof.length > 40)]
  expect(texts.filter((text) => logged.some((line) => line.includes(text)))).toEqual([])
})
