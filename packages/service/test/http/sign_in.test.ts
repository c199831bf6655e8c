import { describe, expect, test } from 'vitest'
import { tokenHash } from '../../src/services/access/sessions.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { send } from './http_bench.ts'
import { codeOf, PASSWORD, ROOT, useSignIn } from './sign_in_bench.ts'

const bench = useSignIn()
const sql = async (text: string, values: unknown[] = []) =>
  await bench.http.database.sql(text, values)

const actions = async (subject_id: string) =>
  (await bench.gapura.staff.listAudit(ROOT, { subject_id, limit: 100 })).map(({ action }) => action)

describe('a one-time link', () => {
  test('sets password and code once and signs in; a second use is refused', async () => {
    const { link_token: token, id } = await bench.invited('support')
    const page = bench.browser()
    const first = await page.post('/sign_in/invitation/', { token })
    const again = await page.post('/sign_in/invitation/', { token })
    expect(first.body).toEqual(again.body)
    const { secret, uri } = first.body['totp'] as { secret: string; uri: string }
    expect(uri).toContain(secret)
    const code = codeOf({ secret })
    const short = await page.post('/sign_in/join/', { token, password: 'short', code })
    expect(short.status).toBe(400)
    const wrong = { token, password: PASSWORD, code: code === '000000' ? '000001' : '000000' }
    expect((await page.post('/sign_in/join/', wrong)).status).toBe(401)
    const joined = await page.post('/sign_in/join/', { token, password: PASSWORD, code })
    expect(joined.status).toBe(200)
    expect((await page.get('/staff/me/')).body).toMatchObject({ owner_id: expect.any(String) })
    const reused = await bench.browser().post('/sign_in/invitation/', { token })
    expect([reused.status, reused.body['code']]).toEqual([401, 'sign_in_refused'])
    expect(await actions(id)).toEqual(['person.join', 'person.invite'])
  })

  test('is refused after 48 hours, and after a newer one was made', async () => {
    const person = await bench.invited('viewer')
    const { link_token } = await bench.gapura.staff.linkPerson(ROOT, person.id)
    const page = bench.browser()
    const former = await page.post('/sign_in/invitation/', { token: person.link_token })
    expect(former.status).toBe(401)
    await moved(49, async () => {
      expect((await page.post('/sign_in/invitation/', { token: link_token })).status).toBe(401)
    })
    expect((await page.post('/sign_in/invitation/', { token: link_token })).status).toBe(200)
  })
})

/** Runs with the database's clock some hours ahead. */
async function moved(hours: number, work: () => Promise<void>): Promise<void> {
  const move = async (by_ms: number) =>
    await bench.http.database.do(async (tx) => await moveClock(tx, by_ms))
  await move(hours * 3_600_000)
  try {
    await work()
  } finally {
    await move(-hours * 3_600_000)
  }
}

describe('password and code', () => {
  test('open a session; the same code is refused a second time', async () => {
    const member = await bench.joined('support')
    const page = bench.browser()
    const given = { email: member.email.toUpperCase(), password: PASSWORD, code: codeOf(member) }
    const opened = await page.post('/sign_in/password/', given)
    expect(opened.status).toBe(200)
    expect((await page.get('/sign_in/')).body['session']).toMatchObject({
      owner_id: member.staff_id,
      role: 'support',
      method: 'password',
    })
    const replayed = await bench.browser().post('/sign_in/password/', given)
    expect([replayed.status, replayed.body['code']]).toEqual([401, 'sign_in_refused'])
  })

  test('an unknown account, a wrong password, a wrong code and a locked account get the same bytes after the same time', async () => {
    const member = await bench.joined('viewer')
    const good = { email: member.email, password: PASSWORD, code: codeOf(member) }
    const bad_code = good.code === '111111' ? '222222' : '111111'
    const attempts = {
      unknown: { ...good, email: 'nowhere@shop.example' },
      password: { ...good, password: 'another password entirely' },
      code: { ...good, code: bad_code },
    }
    const lock = async () => {
      for (const _ of [1, 2, 3]) await bench.browser().post('/sign_in/password/', attempts.code)
      return good
    }
    const heard: [string, number, number][] = []
    for (const [name, given] of Object.entries({ ...attempts, locked: lock })) {
      const body = typeof given === 'function' ? await given() : given
      const began = performance.now()
      const { text, status } = await bench.browser().post('/sign_in/password/', body)
      const ms = performance.now() - began
      expect([name, status]).toEqual([name, 401])
      heard.push([text.replace(/"request_id":"[^"]*"/, ''), status, ms])
    }
    expect(new Set(heard.map(([text]) => text)).size).toBe(1)
    for (const [, , ms] of heard) expect(ms).toBeGreaterThanOrEqual(690)
  })

  test('five wrong attempts lock the account for 15 minutes, also when sent at once; the audit says so', async () => {
    const member = await bench.joined('viewer')
    const wrong = { email: member.email, password: 'not the password', code: '123456' }
    for (let round = 0; round < 2; round++) {
      await Promise.all(
        [1, 2, 3, 4].map(async () => await bench.browser().post('/sign_in/password/', wrong)),
      )
    }
    const good = { email: member.email, password: PASSWORD, code: codeOf(member, 1) }
    expect((await bench.browser().post('/sign_in/password/', good)).status).toBe(401)
    const entries = await actions(member.id)
    expect(entries.filter((one) => one === 'person.refuse')).toHaveLength(4)
    expect(entries.filter((one) => one === 'person.lock')).toHaveLength(1)
    // An open session and other people are not affected.
    expect((await member.browser.get('/staff/me/')).status).toBe(200)
    await sql(`update gapura.staff_person set locked_until = gapura.now() where id = $1`, [
      member.id,
    ])
    expect((await bench.browser().post('/sign_in/password/', good)).status).toBe(200)
  })

  test('secrets are stored hashed or sealed, and are in no log line and no audit entry', async () => {
    const member = await bench.joined('viewer')
    const [row] = await sql('select * from gapura.staff_person where id = $1', [member.id])
    const stored = JSON.stringify([row, await sql('select * from gapura.staff_session')])
    const token = member.browser.cookie.split('=')[1] ?? ''
    const audit = JSON.stringify(await bench.gapura.staff.listAudit(ROOT, { limit: 500 }))
    for (const secret of [PASSWORD, member.secret, token, member.browser.csrf_token]) {
      expect(secret.length).toBeGreaterThan(10)
      expect(stored).not.toContain(secret)
      expect(bench.log.join()).not.toContain(secret)
      expect(audit).not.toContain(secret)
    }
    expect(stored).toContain(tokenHash(token))
    expect(audit).not.toContain(member.email)
    expect(bench.log.join()).not.toContain(member.email)
  })
})

describe('an address', () => {
  const limited = useSignIn({ limits: {} })

  test('waits after 20 refused sign-ins in a minute', async () => {
    const statuses: number[] = []
    for (let round = 0; round < 7; round++) {
      const wrong = [1, 2, 3].map(
        async () => (await limited.browser().post('/sign_in/key/', { key: 'gpk_wrong' })).status,
      )
      statuses.push(...(await Promise.all(wrong)))
    }
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401))
    const { status, headers } = await limited.browser().post('/sign_in/key/', { key: 'x' })
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true])
  })
})

describe('a staff key', () => {
  test('opens a session with its scopes, which ends with the key', async () => {
    const { id, key } = await bench.staffKey('staff:read')
    const page = bench.browser()
    expect((await page.post('/sign_in/key/', { key })).status).toBe(200)
    expect((await page.get('/staff/me/')).body).toMatchObject({
      owner_id: 'keyed',
      scopes: ['staff:read'],
    })
    await bench.gapura.revokeApiKey(id)
    expect((await page.get('/staff/me/')).status).toBe(401)
  })

  test('of an owner, or unknown, opens none', async () => {
    const order = { owner_id: 'ani', name: 'till', scopes: [] }
    const { key } = await bench.gapura.createApiKey(order)
    for (const given of [key, `gpk_${'A'.repeat(32)}`, 'nonsense']) {
      const answer = await bench.browser().post('/sign_in/key/', { key: given })
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
    }
  })
})

describe('the cookie', () => {
  test('is HttpOnly, SameSite=Strict and of the mount path; Secure behind HTTPS', async () => {
    const { key } = await bench.staffKey('staff:read')
    const plain = await bench.browser().post('/sign_in/key/', { key })
    const secure = await bench
      .browser()
      .post('/sign_in/key/', { key }, { 'x-forwarded-proto': 'https' })
    const [set = ''] = plain.headers.getSetCookie()
    expect(set).toMatch(
      /^gapura_session=gps_[0-9a-f]{64}; Path=\/pay; Max-Age=43\d{3}; HttpOnly; SameSite=Strict$/,
    )
    expect(secure.headers.getSetCookie()[0]).toMatch(/; Secure$/)
  })

  test('fixation: signing in always gives a new token, and ends the session that was there', async () => {
    const { key } = await bench.staffKey('staff:read')
    const page = bench.browser()
    page.cookie = `gapura_session=gps_${'a'.repeat(64)}`
    await page.post('/sign_in/key/', { key })
    const first = page.cookie
    expect(first).not.toContain('a'.repeat(64))
    await page.post('/sign_in/key/', { key })
    expect(page.cookie).not.toBe(first)
    const before = bench.browser()
    before.cookie = first
    expect((await before.get('/staff/me/')).status).toBe(401)
    expect((await page.get('/staff/me/')).status).toBe(200)
  })

  test('theft: a copied cookie is useless after sign-out, and sent twice it is refused', async () => {
    const { browser } = await bench.joined('viewer')
    const thief = bench.browser()
    thief.cookie = browser.cookie
    expect((await thief.get('/staff/me/')).status).toBe(200)
    const twice = { headers: { cookie: `${browser.cookie}; gapura_session=gps_other` } }
    expect((await thief.get('/staff/me/', twice)).status).toBe(401)
    const out = await browser.post('/sign_out/')
    expect(out.headers.getSetCookie()[0]).toContain('Max-Age=0')
    expect((await thief.get('/staff/me/')).status).toBe(401)
  })

  test('sign-out everywhere ends every session of the person and no other', async () => {
    const member = await bench.joined('viewer')
    const second = bench.browser()
    const given = { email: member.email, password: PASSWORD, code: codeOf(member) }
    await second.post('/sign_in/password/', given)
    const other = await bench.joined('viewer')
    expect((await second.get('/staff/me/')).status).toBe(200)
    await member.browser.post('/sign_out/', { everywhere: true })
    expect((await second.get('/staff/me/')).status).toBe(401)
    expect((await other.browser.get('/staff/me/')).status).toBe(200)
  })

  test('ends after 12 hours, and after 2 hours without use', async () => {
    const { browser } = await bench.joined('viewer')
    await moved(3, async () => expect((await browser.get('/staff/me/')).status).toBe(401))
    expect((await browser.get('/staff/me/')).status).toBe(200)
    await moved(13, async () => {
      await sql('update gapura.staff_session set used_at = gapura.now()')
      expect((await browser.get('/staff/me/')).status).toBe(401)
    })
  })
})

describe('cross-site requests', () => {
  const change = '/staff/roles/'
  const body = { name: 'auditor', scopes: ['staff:read'] }

  test('a change needs the token in the header, even from the own origin', async () => {
    const { browser } = await bench.joined('admin')
    for (const token of ['', 'wrong', browser.cookie.split('=')[1] ?? '']) {
      const refused = await browser.post(change, body, { 'x-csrf-token': token })
      expect([refused.status, refused.body['code']]).toEqual([403, 'cross_site_request'])
    }
    expect((await browser.post(change, body)).status).toBe(200)
  })

  test('a page of another origin is refused with the token too, and so is a sign-in or sign-out from there', async () => {
    const { browser } = await bench.joined('admin')
    const { key } = await bench.staffKey('staff:read')
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
      expect((await browser.post(change, body, headers)).status).toBe(403)
      expect((await browser.post('/sign_out/', {}, headers)).status).toBe(403)
      const forced = await bench.browser().post('/sign_in/key/', { key }, headers)
      expect([forced.status, forced.headers.getSetCookie()]).toEqual([403, []])
    }
    // A browser without Sec-Fetch-Site says where the page is from in Origin.
    const headers = { cookie: browser.cookie, 'x-csrf-token': browser.csrf_token }
    const from = async (origin: string) =>
      await send('POST', `${bench.base}${change}`, {
        as: '',
        body,
        headers: { ...headers, origin },
      })
    expect((await from('https://evil.example')).status).toBe(403)
    expect((await from(new URL(bench.base).origin)).status).toBe(200)
  })

  test('a form of another site cannot sign anybody in: only JSON is read', async () => {
    const reply = await fetch(`${bench.base}/sign_in/key/`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'key=gpk_x',
    })
    expect(reply.status).toBe(415)
  })
})
