// Every role, each with its credentials.
import { SignJWT, UnsecuredJWT } from 'jose'
import { SCOPES, type Scope } from '../../src/domain/caller.ts'
import { Secret } from '../../src/gateway/secret.ts'
import type { Gapura } from '../../src/main/create_gapura.ts'
import { totpCode, totpStepAt } from '../../src/services/access/passwords.ts'
import { newId } from '../../src/store/sql/values.ts'

/** What a kind of route answers a role. `ok`: as if there were no other callers. */
export interface Rights {
  /** An object of ani's, by its id. */
  read: 'ok' | 401 | 404
  /** The same, where the route needs a scope. */
  change: 'ok' | 401 | 403 | 404
  create: 'ok' | 401 | 403
  list: 'own' | 'others' | 401
  /** A route that needs any known caller, like the interface document. */
  known: 'ok' | 401
}

export interface Role {
  name: string
  /** The owner that the credentials stand for. */
  owner_id: string | null
  authorization: string | undefined
  /** The cookie of a session and the token that the page sends with it. */
  headers?: Record<string, string>
  rights: Rights
  /** Staff with these scopes. */
  staff?: readonly Scope[]
}

const UNKNOWN: Rights = { read: 401, change: 401, create: 401, list: 401, known: 401 }
const OWNER: Rights = { read: 'ok', change: 'ok', create: 'ok', list: 'own', known: 'ok' }
const OTHER: Rights = { read: 404, change: 404, create: 'ok', list: 'others', known: 'ok' }

const SECRET = 'a secret of at least thirty-two bytes'
const ISSUER = 'https://issuer.example'
const AUDIENCE = 'gapura'
export const JWT = { issuer: ISSUER, audience: AUDIENCE, secret: new Secret(SECRET) }

const bytes = (text: string) => new TextEncoder().encode(text)
const now = () => Math.floor(Date.now() / 1_000)

const claimsOf = (scopes: readonly Scope[], more: object = {}) => ({
  sub: 'ani',
  iss: ISSUER,
  aud: AUDIENCE,
  exp: now() + 3_600,
  scope: scopes.join(' '),
  ...more,
})

const signed = async (claims: object, secret = SECRET, alg = 'HS256'): Promise<string> =>
  await new SignJWT({ ...claims }).setProtectedHeader({ alg }).sign(bytes(secret))

/** ani with these scopes and no others. */
export const aniWith = async (scopes: readonly Scope[]): Promise<string> =>
  `Bearer ${await signed(claimsOf(scopes))}`

async function tokens(): Promise<Record<string, string>> {
  const claims = claimsOf(SCOPES)
  const { exp: _, ...endless } = claims
  return {
    'JWT of another issuer': await signed({ ...claims, iss: 'https://other.example' }),
    'JWT for another audience': await signed({ ...claims, aud: 'somebody-else' }),
    'JWT without algorithm': new UnsecuredJWT(claims).encode(),
    'JWT of an algorithm not agreed': await signed(claims, `${SECRET}${SECRET}`, 'HS512'),
    'JWT that has expired': await signed({ ...claims, exp: now() - 60 }),
    'JWT that never expires': await signed(endless),
    'JWT not valid yet': await signed({ ...claims, nbf: now() + 600 }),
    'JWT of another secret': await signed(claims, 'another secret of thirty-two bytes!!'),
    'JWT with its claims changed': forged(await signed(claimsOf([])), claims),
    'JWT without a subject': await signed({ ...claims, sub: '' }),
  }
}

/** The claims of one token under the signature of another. */
function forged(token: string, claims: object): string {
  const [header, , signature] = token.split('.')
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
}

/** The service itself makes the keys, as for an operator. */
export async function rolesOf(gapura: Gapura): Promise<Role[]> {
  const keyOf = async (owner_id: string, scopes: readonly Scope[], more: object = {}) =>
    await gapura.createApiKey({ owner_id, name: 'matrix', staff: false, scopes, ...more })
  const bearer = async (owner_id: string, scopes: readonly Scope[], more: object = {}) =>
    `Bearer ${(await keyOf(owner_id, scopes, more)).key}`
  const revoked = await keyOf('ani', SCOPES)
  await gapura.revokeApiKey(revoked.id)
  const staff = { staff: true }
  const not_acting = SCOPES.filter((scope) => scope !== 'staff:act')
  const past = { expires_at: new Date(Date.now() - 1_000) }
  const unknown_callers = Object.entries({
    'expired key': await bearer('ani', SCOPES, past),
    'revoked key': `Bearer ${revoked.key}`,
    'unknown key': `Bearer gpk_${'A'.repeat(32)}`,
    'key in another scheme': `Basic ${Buffer.from(`x:${revoked.key}`).toString('base64')}`,
    ...Object.fromEntries(
      Object.entries(await tokens()).map(([name, token]) => [name, `Bearer ${token}`]),
    ),
  }).map(([name, authorization]): Role => ({
    name,
    owner_id: null,
    authorization,
    rights: UNKNOWN,
  }))
  return [
    { name: 'anonymous', owner_id: null, authorization: undefined, rights: UNKNOWN },
    { name: 'owner', owner_id: 'ani', authorization: await bearer('ani', SCOPES), rights: OWNER },
    { name: 'owner by JWT', owner_id: 'ani', authorization: await aniWith(SCOPES), rights: OWNER },
    {
      name: 'owner without scopes',
      owner_id: 'ani',
      authorization: await bearer('ani', []),
      rights: { ...OWNER, change: 403, create: 403 },
    },
    // It has the scopes of staff as well, which mean nothing for an owner.
    {
      name: 'other owner',
      owner_id: 'budi',
      authorization: await bearer('budi', SCOPES),
      rights: OTHER,
    },
    {
      name: 'other owner by JWT',
      owner_id: 'budi',
      authorization: `Bearer ${await signed(claimsOf(SCOPES, { sub: 'budi' }))}`,
      rights: OTHER,
    },
    {
      name: 'staff',
      owner_id: 'desk',
      authorization: await bearer('desk', SCOPES, staff),
      rights: OWNER,
      staff: SCOPES,
    },
    {
      name: 'staff that only reads',
      owner_id: 'desk',
      authorization: await bearer('desk', not_acting, staff),
      rights: { ...OWNER, change: 403 },
      staff: not_acting,
    },
    {
      name: 'staff without scope',
      owner_id: 'desk',
      authorization: await bearer('desk', [], staff),
      rights: { ...OWNER, change: 403, create: 403 },
      staff: [],
    },
    ...(await signedInRoles(gapura)),
    ...unknown_callers,
  ]
}

const STAFF_ROLES = ['viewer', 'support', 'finance', 'manager', 'admin'] as const

/** People of every role by the cookie of their session, and cookies that stand for no person. */
async function signedInRoles(gapura: Gapura): Promise<Role[]> {
  const root = { owner_id: 'root', staff: true, scopes: SCOPES }
  const { results } = await gapura.staff.listRoles(root)
  const session = async (role: string) => {
    const staff_id = `${role}-${newId()}`
    const person = { email: `${staff_id}@shop.example`, name: role, role, staff_id }
    const { id, link_token: token } = await gapura.staff.invitePerson(root, person)
    const post = async (path: string, body: object) =>
      await gapura.fetchHandler(
        new Request(`http://host${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    const opened = await post('/sign_in/invitation/', { token })
    const { totp } = (await opened.json()) as { totp: { secret: string } }
    const code = totpCode(totp.secret, totpStepAt(new Date()))
    const joined = await post('/sign_in/join/', { token, password: 'kopi susu gula aren', code })
    const { csrf_token } = (await joined.json()) as { csrf_token: string }
    const cookie = joined.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    return { id, staff_id, headers: { cookie, 'x-csrf-token': csrf_token } }
  }
  const roles: Role[] = []
  for (const name of STAFF_ROLES) {
    const { staff_id: owner_id, headers } = await session(name)
    const staff = results.find((role) => role.name === name)?.scopes ?? []
    roles.push({ name, owner_id, authorization: undefined, headers, rights: OWNER, staff })
  }
  const disabled = await session('admin')
  await gapura.staff.updatePerson(root, disabled.id, { disabled: true })
  const ended = await session('admin')
  await gapura.staff.signOutPerson(root, ended.id)
  const gone = { owner_id: null, authorization: undefined, rights: UNKNOWN }
  return [
    ...roles,
    { ...gone, name: 'disabled person', headers: disabled.headers },
    { ...gone, name: 'session that was ended', headers: ended.headers },
  ]
}
