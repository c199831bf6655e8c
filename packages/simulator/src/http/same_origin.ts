import { headerOf, type Call } from './call.ts'

/**
 * Whether a page of somebody else's makes the browser press a button here. A program sends neither
 * header; a browser sends both and cannot be talked out of them.
 */
export function isForeignPost(call: Call, base_url: string): boolean {
  if (call.method === 'GET') return false
  const site = headerOf(call, 'sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  const origin = headerOf(call, 'origin')
  if (origin === undefined) return false
  const host = headerOf(call, 'host') ?? ''
  return ![`http://${host}`, `https://${host}`, new URL(base_url).origin].includes(origin)
}
