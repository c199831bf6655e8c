// Runs the runbook's SQL for a dump that was restored into another cluster.
import { readFileSync } from 'node:fs'
import { createSimulator } from '@gapura/simulator'
import { createGapura, type Caller, type Gapura, type SignalEnvelope } from 'gapura'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import {
  DATABASE_URL,
  dropService,
  eventually,
  freshSchemaName,
} from '../../packages/service/test/store/test_database.ts'

const page = readFileSync('docs/runbook.md', 'utf8')
const chapter = page.split('## Restore from a backup')[1] ?? ''
const [rebase = '', askAll = ''] = [...chapter.matchAll(/```sql\n([\s\S]*?)```/g)].map(
  ([, sql = '']) => sql,
)
const caller: Caller = { owner_id: 'shop', staff: false, scopes: ['payments:write'] }

/** By how much the transaction numbers of the other cluster are ahead. */
const FURTHER = `
  update gapura.gateway_event set xid = (xid::text::bigint + 1000000000000)::text::xid8;
  update gapura.event_subscriber set cursor_xid = (cursor_xid::text::bigint + 1000000000000)::text::xid8;
  update gapura.gateway_payment set event_xid = (event_xid::text::bigint + 1000000000000)::text::xid8;`

async function useShop() {
  const schema = freshSchemaName()
  const simulator = await createSimulator({ port: 0 })
  const { server_key, url: base_url } = simulator
  const pool = new Pool({ connectionString: DATABASE_URL, max: 1 })
  const open: Gapura[] = []
  const start = (): Gapura => {
    const gapura = createGapura({
      databaseUrl: DATABASE_URL,
      schema,
      gateway: { server_key, base_url },
    })
    open.push(gapura)
    return gapura
  }
  onTestFinished(async () => {
    for (const gapura of open) await gapura.close()
    await simulator.close()
    await pool.end()
    await dropService(schema)
  })
  const sql = async (text: string) => await pool.query(text.replaceAll('gapura.', `${schema}.`))
  return { start, sql }
}

/** Runs a worker until its subscriber has received this many events of these signals. */
async function hearing(gapura: Gapura, name: string, count: number): Promise<string[]> {
  const heard: SignalEnvelope<'payment_received'>[] = []
  gapura.subscribe({
    name,
    signals: ['payment_received'],
    handler: (event) => void heard.push(event),
  })
  const worker = await gapura.startWorker()
  await eventually(
    async () => await Promise.resolve(heard.length),
    (length) => length >= count,
  )
  await worker.stop()
  return heard.map(({ object }) => object.order_id)
}

test('after the rebase each subscriber gets the undelivered events, and later ones', async () => {
  const { start, sql } = await useShop()
  const gapura = start()
  await gapura.migrate()
  const charge = async (order_id: string) =>
    await gapura.api.createCharge(caller, { payment_type: 'qris', order_id, gross_amount: 44_000 })
  await charge('before-1')
  expect(await hearing(gapura, 'quick', 1)).toEqual(['before-1'])
  expect(await hearing(start(), 'slow', 1)).toEqual(['before-1'])
  await charge('before-2')
  expect(await hearing(start(), 'quick', 1)).toEqual(['before-2'])

  await sql(FURTHER)
  // As the page warns: no event can be read before this cluster reaches those numbers.
  const waiting = await sql(
    'select count(*)::int as n from gapura.gateway_event where xid < pg_snapshot_xmin(pg_current_snapshot())',
  )
  expect(waiting.rows).toEqual([{ n: 0 }])

  await sql(rebase)
  await charge('after-1')
  expect((await hearing(start(), 'slow', 2)).toSorted()).toEqual(['after-1', 'before-2'])
  expect((await hearing(start(), 'quick', 2)).toSorted()).toEqual(['after-1', 'before-2'])

  await sql(askAll)
  const due = await sql(
    'select count(*)::int as n from gapura.gateway_payment where next_check_at <= gapura.now()',
  )
  expect(due.rows).toEqual([{ n: 3 }])
})
