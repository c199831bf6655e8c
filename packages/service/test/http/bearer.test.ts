import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '../../src/gateway/secret.ts'
import { jwtCallers, type JwtSettings } from '../../src/http/platform/authentication.ts'
import { createGapura, type Gapura } from '../../src/main/create_gapura.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { listen, send, useHttp } from './http_bench.ts'

const http = useHttp()
const secret = 'a secret of at least thirty-two bytes'
const about = { issuer: 'https://issuer.example', audience: 'gapura' }
let gapura: Gapura | undefined
let base = ''
const server = createServer((request, response) => gapura?.nodeHandler(request, response))

beforeAll(async () => {
  const { server_key, url: base_url } = http.parts.simulator
  gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema: http.database.db.schema,
    gateway: { server_key, base_url },
    jwt: { ...about, secret: new Secret(secret) },
  })
  base = await listen(server)
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await gapura?.close()
})

const asking = async (authorization: string, method = 'GET', path = '/payments/') =>
  await send(method, `${base}${path}`, { as: '', headers: { authorization } })
const statusFor = async (token: string) => (await asking(`Bearer ${token}`)).status

const make = async (more: object = {}) => {
  const order = { owner_id: 'ani', name: 'till', staff: false, scopes: [], ...more }
  const made = await gapura?.createApiKey(order)
  if (made === undefined) throw new Error('no key')
  return made
}

describe('API keys', () => {
  test('200 for its owner and no other; 403 without the scope', async () => {
    const { id } = await http.charged()
    const { key } = await make()
    expect(key).toMatch(/^gpk_[0-9A-Za-z]{32}$/)
    expect((await asking(`Bearer ${key}`, 'GET', `/payments/${id}/`)).body['id']).toBe(id)
    expect((await asking(`Bearer ${key}`, 'POST', `/payments/${id}/cancel/`)).status).toBe(403)
    const other = await make({ owner_id: 'budi' })
    expect((await asking(`Bearer ${other.key}`, 'GET', `/payments/${id}/`)).status).toBe(404)
  })

  test('only the hash is on disk', async () => {
    const { key } = await make()
    const rows = await http.database.sql('select * from gapura.api_key')
    expect(JSON.stringify(rows)).not.toContain(key.slice(4))
  })

  test('401 once revoked', async () => {
    const { id, key } = await make()
    expect(await statusFor(key)).toBe(200)
    expect(await gapura?.revokeApiKey(id)).toBe(true)
    expect(await gapura?.revokeApiKey(id)).toBe(false)
    expect(await statusFor(key)).toBe(401)
  })

  test("401 once expired, by the database's clock", async () => {
    const { key } = await make({ expires_at: new Date(Date.now() + 3_600_000) })
    expect(await statusFor(key)).toBe(200)
    await http.database.do(async (tx) => await moveClock(tx, 7_200_000))
    expect(await statusFor(key)).toBe(401)
  })

  test.each(['', 'Bearer', 'Bearer ', `Bearer gpk_${'A'.repeat(32)}`, 'Basic Z3BrOng=', 'gpk_x'])(
    '401 with WWW-Authenticate: %j',
    async (authorization) => {
      const { status, headers } = await asking(authorization)
      const why = authorization === '' ? '' : ', error="invalid_token"'
      const challenge = `Bearer realm="gapura"${why}`
      expect([status, headers.get('www-authenticate')]).toEqual([401, challenge])
    },
  )
})

const bytes = new TextEncoder().encode(secret)
const claims = { sub: 'ani', scope: 'openid payments:write', staff: false }
const token = async (payload: JWTPayload = claims, { issuer, audience } = about, key = bytes) =>
  await new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime('5m')
    .sign(key)

describe('JWTs by a shared secret', () => {
  test('200: claims name owner, staff and scopes', async () => {
    expect(await statusFor(await token())).toBe(200)
    const callerOf = jwtCallers({ ...about, secret: new Secret(secret) })
    expect(await callerOf(await token())).toEqual({
      owner_id: 'ani',
      staff: false,
      scopes: ['payments:write'],
    })
    const scope = ['payments:refund', 'everything']
    expect(await callerOf(await token({ sub: 'x', staff: true, scope }))).toEqual({
      owner_id: 'x',
      staff: true,
      scopes: ['payments:refund'],
    })
    // A text is no yes.
    expect((await callerOf(await token({ sub: 'x', staff: 'true' })))?.staff).toBe(false)
  })

  test('401: issuer, audience, key, expiry, owner, algorithm', async () => {
    const unsigned = new UnsecuredJWT(claims).setIssuer(about.issuer).setAudience(about.audience)
    const bad = [
      await token(claims, { ...about, issuer: 'https://other.example' }),
      await token(claims, { ...about, audience: 'other' }),
      await token(claims, about, new TextEncoder().encode('x'.repeat(40))),
      await token({ scope: 'payments:write' }),
      await token({ sub: '' }),
      unsigned.setExpirationTime('5m').encode(),
      await new SignJWT({ ...claims, iss: about.issuer, aud: about.audience })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(bytes),
      await new SignJWT({ ...claims, iss: about.issuer, aud: about.audience, exp: 1 })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(bytes),
      await new SignJWT({ ...claims, iss: about.issuer, aud: about.audience })
        .setProtectedHeader({ alg: 'HS384' })
        .setExpirationTime('5m')
        .sign(bytes),
    ]
    expect(await Promise.all(bad.map(statusFor))).toEqual(bad.map(() => 401))
  })

  test.each<[string, Partial<JwtSettings>]>([
    ['neither key nor address', {}],
    ['both', { secret: new Secret(secret), jwks_url: 'https://a.example' }],
    ['a short secret', { secret: new Secret('short') }],
    ['none', { secret: new Secret(secret), algorithms: ['none'] }],
    ['no algorithm', { secret: new Secret(secret), algorithms: [] }],
    ['a shared algorithm on public keys', { jwks_url: 'https://a.example', algorithms: ['HS256'] }],
  ])('are not set up with %s', (_what, settings) => {
    expect(() => jwtCallers({ ...about, ...settings })).toThrow(TypeError)
  })
})

describe('JWTs by published keys', () => {
  test('the key of the issuer is fetched and holds; another does not', async () => {
    const [mine, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
    const jwk = { ...(await exportJWK(mine.publicKey)), kid: 'k1', alg: 'ES256' }
    const issuer = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ keys: [jwk] }))
    })
    const url = await listen(issuer)
    const callerOf = jwtCallers({ ...about, jwks_url: `${url}/jwks` })
    const signed = async (key: typeof mine.privateKey) =>
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setIssuer(about.issuer)
        .setAudience(about.audience)
        .setExpirationTime('5m')
        .sign(key)
    expect(await callerOf(await signed(mine.privateKey))).toMatchObject({ owner_id: 'ani' })
    expect(await callerOf(await signed(other.privateKey))).toBeNull()
    expect(await callerOf(await token())).toBeNull()
    issuer.closeAllConnections()
    issuer.close()
  })

  test('an issuer that cannot be asked is our trouble, not the caller’s', async () => {
    const callerOf = jwtCallers({ ...about, jwks_url: 'http://127.0.0.1:1/jwks' })
    const { privateKey } = await generateKeyPair('ES256')
    const some = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .sign(privateKey)
    await expect(callerOf(some)).rejects.toThrow(/fetch failed/)
  })
})
