// All requests go through the SDK, at the prefix under which the page is served; only signing in and
// out, which sets the cookie, does not (ADR 0033).
import { createClient, GapuraError, type Client } from '@gapura/sdk'

/** The page is at `{prefix}/dashboard/`, with or without the slash; the API at `{prefix}`. */
const baseUrl = `${location.origin}${location.pathname.replace(/\/dashboard\/?$/, '')}`

/** When a user last signed out, for the other tabs of this dashboard. It is no secret. */
const SIGNED_OUT = `gapura.signed_out ${baseUrl}`

export const announceSignOut = (): void => localStorage.setItem(SIGNED_OUT, String(Date.now()))

/** Calls back when the user signs out in another tab; returns what ends that. */
export function onSignOutElsewhere(act: () => void): () => void {
  const hear = ({ key }: StorageEvent): void => {
    if (key === SIGNED_OUT) act()
  }
  addEventListener('storage', hear)
  return () => removeEventListener('storage', hear)
}

/** The browser adds the cookie; a change also needs the token that only this page was given. */
export const clientFor = (csrf_token: string | undefined): Client =>
  createClient({
    baseUrl,
    retries: 2,
    ...(csrf_token !== undefined && {
      fetch: async (url, init) => {
        const headers = new Headers(init.headers)
        headers.set('x-csrf-token', csrf_token)
        return await fetch(url, { ...init, headers })
      },
    }),
  })

/** Whether a reply means that the user is not staff: the routes are hidden from others. */
export const isNotStaff = (error: unknown): boolean =>
  error instanceof GapuraError && (error.status === 401 || error.status === 404)

/** Whether the session has ended. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof GapuraError && error.status === 401

export interface SignedIn {
  owner_id: string
  name: string
  /** Null if a staff key opened the session. */
  role: string | null
  method: 'password' | 'passkey' | 'oidc' | 'key'
  expires_at: string
  csrf_token: string
}

export interface SignInState {
  /** What the sign-in page offers. Null where the host's application knows its staff. */
  methods: { password: boolean; passkey: boolean; oidc: string | null } | null
  session: SignedIn | null
}

export interface Invitation {
  email: string
  name: string
  totp: { secret: string; uri: string } | null
}

/** A refused sign-in; the code names its text in the reader's language. */
export class SignInError extends Error {
  readonly code: string
  readonly fields: readonly string[]

  constructor(code: string, fields: readonly string[]) {
    super(code)
    this.code = code
    this.fields = fields
  }
}

/** Where the browser goes to sign in at the identity provider. */
export const OIDC_URL = `${baseUrl}/sign_in/oidc/`

interface Refusal {
  code: string
  errors: { field: string }[]
}

const jsonOf = async <Body>(reply: Response): Promise<Body> =>
  // oxlint-disable-next-line typescript/no-unsafe-return -- Pages and service are of one release.
  await reply.json()

/** Posts to a path of signing in. */
export async function post<Reply>(path: string, body: object, csrf_token?: string): Promise<Reply> {
  const reply = await fetch(`${baseUrl}/${path}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(csrf_token !== undefined && { 'x-csrf-token': csrf_token }),
    },
    body: JSON.stringify(body),
  })
  const answer = await jsonOf<Reply & Partial<Refusal>>(reply)
  if (reply.ok) return answer
  throw new SignInError(
    answer.code ?? 'internal_error',
    (answer.errors ?? []).map(({ field }) => field),
  )
}

/** Whether this browser can make and use passkeys here. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential

/** Asks the device for a passkey and opens a session with it. */
export async function enterWithPasskey(): Promise<void> {
  const json = await post<PublicKeyCredentialRequestOptionsJSON>('sign_in/passkey/options', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json)
  await post('sign_in/passkey', { response: await navigator.credentials.get({ publicKey }) })
}

/** Makes a passkey on the device for the person of a one-time link and opens a session with it. */
export async function joinWithPasskey(token: string): Promise<void> {
  const path = 'sign_in/join/passkey'
  const json = await post<PublicKeyCredentialCreationOptionsJSON>(`${path}/options`, { token })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json)
  await post(path, { token, response: await navigator.credentials.create({ publicKey }) })
}

/** Who is signed in. A host that knows its staff itself has no such path. */
export async function readSignIn(signal: AbortSignal): Promise<SignInState> {
  const reply = await fetch(`${baseUrl}/sign_in/`, { signal })
  if (reply.status === 404) return { methods: null, session: null }
  if (!reply.ok) throw new SignInError('internal_error', [])
  return await jsonOf<SignInState>(reply)
}
