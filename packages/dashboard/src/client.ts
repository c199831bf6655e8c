// The one way out of the page: the SDK, at the prefix the page itself is served under.
import { createClient, GapuraError, type Client } from '@gapura/sdk'

/** The page lies at `{prefix}/dashboard/`, with the slash or without; the routes beside it. */
const baseUrl = `${location.origin}${location.pathname.replace(/\/dashboard\/?$/, '')}`

const KEY = 'gapura.key'

/**
 * The key of this tab, gone with it. Not in localStorage, where it would outlive the person at the
 * desk; not in memory alone, or every reload would ask for it again. No script but ours can run in
 * this page to read it (ADR 0024).
 */
export const keptKey = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined

export function keepKey(key: string | undefined): void {
  if (key === undefined) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, key)
}

/** Without a key the host's session speaks for whoever is signed in there. */
export const clientFor = (apiKey: string | undefined): Client =>
  createClient({ baseUrl, retries: 2, ...(apiKey !== undefined && { apiKey }) })

/** Whether an answer means that nobody of staff is signed in: to others there is no such route. */
export const isStranger = (error: unknown): boolean =>
  error instanceof GapuraError && (error.status === 401 || error.status === 404)
