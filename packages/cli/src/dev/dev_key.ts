import { createHash } from 'node:crypto'
import { SCOPES, type Gapura } from 'gapura'
import { keepSecret, keptSecrets } from './dev_folder.ts'

export const DEV_OWNER = 'dev'

/** The key of the last run if it is still valid, otherwise a new one. */
export async function devKey(
  gapura: Gapura,
  api_url: string,
  database_url: string,
): Promise<string> {
  // A key belongs to a database; another one must not be tried with it.
  const name = `api ${createHash('sha256')
    .update(database_url.replace(/:\d+\//, '/'))
    .digest('hex')
    .slice(0, 16)}`
  const kept = keptSecrets()[name]
  if (kept !== undefined && (await opens(api_url, kept))) return kept
  const { key } = await gapura.createApiKey({
    owner_id: DEV_OWNER,
    name: 'gapura dev',
    staff: true,
    scopes: SCOPES,
  })
  keepSecret(name, key)
  return key
}

async function opens(api_url: string, key: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}` }
  const reply = await fetch(`${api_url}/payments/?page_size=1`, { headers })
  // Unread, it would keep its connection busy and the server from stopping.
  await reply.arrayBuffer()
  return reply.ok
}
