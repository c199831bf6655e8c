// After the run: searches the service's log, its tables and its metrics page for secrets.
import { readFileSync } from 'node:fs'
import { jobsSchema } from '../../packages/service/src/store/maintenance/jobs.ts'
import { Canaries } from '../../packages/service/test/canary/canaries.ts'
import { findLeaks, readTables, type Seen } from '../../packages/service/test/canary/surfaces.ts'
import { settlement } from '../bench/forgeries.ts'
import type { World } from './input.ts'
import type { Target } from './target.ts'

/** An unused card number, which occurs nowhere else. */
export const CARD_NUMBER = '4716253819407562'

export interface Searched {
  /** Each secret found, and where. */
  leaks: string[]
  /** Texts searched: log lines, rows, pages. */
  texts: number
  /** How many of the leaks planted on purpose the same search found. */
  planted: { put: number; found: number }
}

function canariesOf({ server_key, jwt, keys, staff_key, honest_key, payments }: World): Canaries {
  const canaries = new Canaries()
  canaries.watch('server key', server_key)
  canaries.watch('basic authentication', Buffer.from(`${server_key}:`).toString('base64'))
  canaries.watch('JWT secret', jwt.secret)
  canaries.watch('card number', CARD_NUMBER)
  for (const key of [...keys, staff_key, honest_key]) canaries.watch('API key', key)
  for (const payment of payments)
    canaries.watch('signature', settlement(payment, server_key).signature_key)
  return canaries
}

export async function searchLeaks({
  deployment,
  world,
  log_files,
  admin_urls,
}: Target): Promise<Searched> {
  const { db } = deployment.parts.ctx
  const sql = async (text: string, values: unknown[] = []) =>
    (await db.pool.query<Record<string, unknown>>(text, values)).rows
  const rows = await readTables(sql, [db.schema, jobsSchema(db)])
  const logs = log_files.flatMap((file): Seen[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((text) => ({ surface: 'log', where: 'line', text })),
  )
  const pages = await Promise.all(
    admin_urls.map(async (url): Promise<Seen> => {
      const reply = await fetch(`${url}/metrics`)
      return { surface: 'reply', where: '/metrics', text: await reply.text() }
    }),
  )
  const seen = [...rows, ...logs, ...pages]
  const canaries = canariesOf(world)
  const plants = plantsOf(world)
  let found = 0
  for (const plant of plants) {
    if ((await findLeaks(canaries, joined([...seen, plant]))).length > 0) found += 1
  }
  return {
    leaks: await findLeaks(canaries, joined(seen)),
    texts: seen.length,
    planted: {
      put: plants.length,
      found,
    },
  }
}

/** One for each output. */
const plantsOf = ({ server_key, keys }: World): Seen[] => [
  { surface: 'log', where: 'planted', text: `{"error":"401 for ${server_key}"}` },
  { surface: 'table', where: 'planted', text: JSON.stringify({ note: CARD_NUMBER }) },
  { surface: 'reply', where: 'planted', text: `requests_total{caller="${keys[0] ?? ''}"} 1` },
]

const TEXT_LENGTH_MAX = 1_000_000

/** Few long texts are searched faster than many short ones. */
function joined(seen: readonly Seen[]): Seen[] {
  const groups = Map.groupBy(seen, ({ surface, where }) => `${surface} ${where}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const texts: string[] = ['']
    for (const { text } of group) {
      const last = texts.at(-1) ?? ''
      if (last.length + text.length > TEXT_LENGTH_MAX) texts.push(text)
      else texts[texts.length - 1] = `${last}\n${text}`
    }
    return texts.map((text) => ({ ...first, text }))
  })
}
