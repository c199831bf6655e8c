// Single sign-on against a real provider process.
import { expect, test } from 'vitest'
import { Secret } from '../../src/gateway/secret.ts'
import { useProvider } from './oidc_process.ts'
import { ROOT, useSignIn } from './sign_in_bench.ts'

const startProvider = useProvider()
const bench = useSignIn(async (base) => ({
  oidc: {
    issuer: await startProvider(`${base}/sign_in/oidc/callback/`),
    client_id: 'gapura',
    client_secret: new Secret('a secret of the provider'),
  },
  publicUrl: base,
}))

/** A browser with the cookies of both sides. */
class Jar {
  readonly #cookies = new Map<string, Map<string, string>>()

  async go(url: string, form?: Record<string, string>): Promise<Response> {
    const { origin } = new URL(url)
    const own = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, own)
    const cookie = [...own].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ''] = set.split(';', 1)
      const at = pair.indexOf('=')
      if (/expires=Thu, 01 Jan 1970|Max-Age=0/i.test(set)) own.delete(pair.slice(0, at))
      else own.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return reply
  }

  get(origin: string, name: string): string | undefined {
    return this.#cookies.get(origin)?.get(name)
  }

  set(origin: string, name: string, value: string): void {
    this.#cookies.get(origin)?.set(name, value)
  }
}

const locationOf = (reply: Response, base: string): string =>
  new URL(reply.headers.get('location') ?? '', base).href

/** Signs in at the provider as far as the address it sends the browser back to. */
async function atProvider(jar: Jar, login: string): Promise<string> {
  let url = locationOf(await jar.go(`${bench.base}/sign_in/oidc/`), bench.base)
  for (let step = 0; step < 12; step++) {
    if (url.startsWith(bench.base)) return url
    const reply = await jar.go(url)
    if (reply.status >= 300 && reply.status < 400) {
      url = locationOf(reply, url)
      continue
    }
    const page = await reply.text()
    const prompt = page.includes('name="login"') ? 'login' : 'consent'
    const form = { prompt, ...(prompt === 'login' && { login, password: 'any' }) }
    url = locationOf(await jar.go(url, form), url)
  }
  throw new Error('the provider did not answer')
}

const signIn = async (login: string, jar = new Jar()) => {
  const callback = await atProvider(jar, login)
  const reply = await jar.go(callback)
  return { jar, callback, location: reply.headers.get('location') }
}

const origin = () => new URL(bench.base).origin
const home = () => `${bench.base}/dashboard/`
const refused = () => `${home()}#/sign_in_refused`

const me = async (jar: Jar) => {
  const reply = await jar.go(`${bench.base}/staff/me/`)
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}

test('an invited person with a verified address gets a session; the identity is linked for ever', async () => {
  const person = await bench.invited('finance')
  const first = await signIn(`${person.email}|verified`)
  expect(first.location).toBe(home())
  expect((await me(first.jar)).body).toMatchObject({ owner_id: person.staff_id })
  const session = await first.jar.go(`${bench.base}/sign_in/`)
  expect(await session.json()).toMatchObject({ session: { method: 'oidc', role: 'finance' } })
  // The link of the invitation is used up.
  const invitation = { token: person.link_token }
  expect((await bench.browser().post('/sign_in/invitation/', invitation)).status).toBe(401)
  // Another identity with the same address gets nothing.
  expect((await signIn(`${person.email}|verified|other`)).location).toBe(refused())
  const entries = await bench.gapura.staff.listAudit(ROOT, { subject_id: person.id })
  expect(entries.map(({ action }) => action)).toEqual(['person.join', 'person.invite'])
})

test('an address that is not verified, or of no account, and a disabled person are refused', async () => {
  const person = await bench.invited('viewer')
  expect((await signIn(`${person.email}|unverified`)).location).toBe(refused())
  expect((await signIn('stranger@shop.example|verified')).location).toBe(refused())
  const good = await signIn(`${person.email}|verified`)
  expect((await me(good.jar)).status).toBe(200)
  await bench.gapura.staff.updatePerson(ROOT, person.id, { disabled: true })
  expect((await me(good.jar)).status).toBe(401)
  expect((await signIn(`${person.email}|verified`)).location).toBe(refused())
})

test('a code is refused a second time, in the same browser and with the copied cookie', async () => {
  const person = await bench.invited('viewer')
  const jar = new Jar()
  const callback = await atProvider(jar, `${person.email}|verified`)
  const cookie = jar.get(origin(), 'gapura_oidc') ?? ''
  expect(cookie).not.toBe('')
  expect((await jar.go(callback)).headers.get('location')).toBe(home())
  expect(jar.get(origin(), 'gapura_oidc')).toBeUndefined()
  expect((await jar.go(callback)).headers.get('location')).toBe(refused())
  const thief = new Jar()
  await thief.go(`${bench.base}/sign_in/`)
  thief.set(origin(), 'gapura_oidc', cookie)
  expect((await thief.go(callback)).headers.get('location')).toBe(refused())
  expect((await me(thief)).status).toBe(401)
})

const changed = (cookie: string, change: Record<string, string>): string => {
  const asked = JSON.parse(Buffer.from(cookie, 'base64url').toString()) as object
  return Buffer.from(JSON.stringify({ ...asked, ...change })).toString('base64url')
}

test.each([
  ['state', { state: 'another-state' }],
  ['nonce', { nonce: 'another-nonce' }],
  ['PKCE verifier', { verifier: 'v'.repeat(43) }],
])('an answer that does not fit the %s is refused', async (_name, change) => {
  const person = await bench.invited('viewer')
  const jar = new Jar()
  const callback = await atProvider(jar, `${person.email}|verified`)
  const cookie = jar.get(origin(), 'gapura_oidc') ?? ''
  jar.set(origin(), 'gapura_oidc', changed(cookie, change))
  expect((await jar.go(callback)).headers.get('location')).toBe(refused())
  expect((await me(jar)).status).toBe(401)
})

test('an answer in a browser that did not ask is refused: a link cannot sign the reader in as another person', async () => {
  const person = await bench.invited('viewer')
  const callback = await atProvider(new Jar(), `${person.email}|verified`)
  const victim = new Jar()
  expect((await victim.go(callback)).headers.get('location')).toBe(refused())
  expect((await me(victim)).status).toBe(401)
})

test('no parameter decides where the browser is sent', async () => {
  const evil = encodeURIComponent('https://evil.example/')
  const query = `return_to=${evil}&redirect_uri=${evil}&next=${evil}`
  const started = await new Jar().go(`${bench.base}/sign_in/oidc/?${query}`)
  expect(started.headers.get('location')).not.toContain('evil.example')
  const ended = await new Jar().go(`${bench.base}/sign_in/oidc/callback/?code=x&state=y&${query}`)
  expect(ended.headers.get('location')).toBe(refused())
})

test('the log names no code, token or address', () => {
  expect(bench.log.join('\n')).toContain('single sign-on failed')
  expect(bench.log.join('\n')).not.toMatch(/shop\.example|code=|eyJ/)
})
