// All requests go through the SDK, at the prefix under which the page is served.
import { createClient, GapuraError, type Client } from '@gapura/sdk'

/** The page is at `{prefix}/dashboard/`, with or without the slash; the API at `{prefix}`. */
const baseUrl = `${location.origin}${location.pathname.replace(/\/dashboard\/?$/, '')}`

const KEY = 'gapura.key'

/**
 * The key of this tab. localStorage would keep it after the user leaves, memory would lose it at
 * every reload; only our own scripts run in this page and can read it (ADR 0024).
 */
export const keptKey = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined

export function keepKey(key: string | undefined): void {
  if (key === undefined) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, key)
}

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

/** Without a key the host's session identifies the user. */
export const clientFor = (apiKey: string | undefined): Client =>
  createClient({ baseUrl, retries: 2, ...(apiKey !== undefined && { apiKey }) })

/** Whether a reply means that the user is not staff: the routes are hidden from others. */
export const isNotStaff = (error: unknown): boolean =>
  error instanceof GapuraError && (error.status === 401 || error.status === 404)
