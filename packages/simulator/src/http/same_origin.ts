import { headerOf, type Call } from './call.ts'

/**
 * Whether the request comes from a page of this origin or from a program. A program sends neither
 * header; a page cannot change the headers of its browser.
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
