// A consumer of the feed as another system would write one: it keeps the cursor in the transaction
// that handles the events. It may die anywhere.
import { Client } from 'pg'
import { obey } from './process_order.ts'

interface ConsumerOrder {
  name: string
  url: string
  key: string
  database_url: string
  schema: string
  how: 'pages' | 'stream'
}

interface Event {
  data: { id: string; sequence: number; object: { id: string } }
}

const order = JSON.parse(process.argv[2] ?? '{}') as ConsumerOrder
obey()
const db = new Client({ connectionString: order.database_url })
await db.connect()

/** Effects and cursor together: both are stored or neither. */
async function handle(events: readonly Event[], cursor: string): Promise<void> {
  await db.query('begin')
  for (const { data } of events) {
    await db.query(
      `insert into ${order.schema}.feed_effect (consumer, event_id, object_id, sequence)
       values ($1, $2, $3, $4)
       on conflict (consumer, event_id) do update set times = feed_effect.times + 1`,
      [order.name, data.id, data.object.id, data.sequence],
    )
  }
  await db.query(
    `insert into ${order.schema}.feed_position (consumer, cursor) values ($1, $2)
     on conflict (consumer) do update set cursor = excluded.cursor`,
    [order.name, cursor],
  )
  await db.query('commit')
}

const { rows } = await db.query<{ cursor: string }>(
  `select cursor from ${order.schema}.feed_position where consumer = $1`,
  [order.name],
)
let after = rows[0]?.cursor
const authorization = `Bearer ${order.key}`

async function readPages(): Promise<void> {
  for (;;) {
    const query = new URLSearchParams({ limit: '200', ...(after !== undefined && { after }) })
    const reply = await fetch(`${order.url}/events/?${query.toString()}`, {
      headers: { authorization },
    })
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
    const page = (await reply.json()) as { results: Event[]; next: string; has_more: boolean }
    await handle(page.results, page.next)
    after = page.next
    process.stdout.write('page\n')
    if (!page.has_more) await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function followStream(): Promise<void> {
  const headers = {
    authorization,
    accept: 'text/event-stream',
    ...(after !== undefined && { 'last-event-id': after }),
  }
  const reply = await fetch(`${order.url}/events/`, { headers })
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
  process.stdout.write('open\n')
  let heard = ''
  const decoder = new TextDecoder()
  for await (const chunk of reply.body ?? []) {
    heard += decoder.decode(chunk as Uint8Array, { stream: true })
    for (let end = heard.indexOf('\n\n'); end >= 0; end = heard.indexOf('\n\n')) {
      const lines = heard.slice(0, end).split('\n')
      heard = heard.slice(end + 2)
      const id = lines.find((line) => line.startsWith('id: '))?.slice(4)
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
      if (id !== undefined) await handle(data === undefined ? [] : [JSON.parse(data) as Event], id)
    }
  }
}

await (order.how === 'pages' ? readPages() : followStream())
