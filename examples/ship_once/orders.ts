import type { Pool, PoolClient } from 'pg'

const PRICE = 150_000

export async function createTables(pool: Pool): Promise<void> {
  await pool.query(`
    create table if not exists stock (article text primary key, pieces integer not null check (pieces >= 0));
    create table if not exists shop_order (id text primary key, price integer not null);
    create table if not exists shipment (
      order_id text primary key references shop_order,
      event_id uuid not null,
      shipped_at timestamptz not null default now()
    );
    create table if not exists processed_event (id uuid primary key);
    insert into stock values ('tea', 100) on conflict do nothing`)
}

export async function placeOrder(pool: Pool, id: string): Promise<{ id: string; price: number }> {
  await pool.query('insert into shop_order values ($1, $2) on conflict do nothing', [id, PRICE])
  return { id, price: PRICE }
}

/**
 * Events are delivered at least once: after a crash between our commit and the service's, the same
 * event comes again. Its id is written in the transaction that ships, so both happen or neither.
 */
export async function ship(
  pool: Pool,
  event: { event_id: string; order_id: string },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const processed = await client.query(
      'insert into processed_event values ($1) on conflict do nothing',
      [event.event_id],
    )
    if (processed.rowCount === 0) return
    // Money that was reversed and arrived again is a second event of the same order.
    const shipped = await client.query(
      `insert into shipment (order_id, event_id)
       select id, $2 from shop_order where id = $1 on conflict do nothing`,
      [event.order_id, event.event_id],
    )
    if (shipped.rowCount === 0) return
    await client.query("update stock set pieces = pieces - 1 where article = 'tea'")
    console.log(`shipped ${event.order_id}`)
  })
}

async function inTransaction(
  pool: Pool,
  work: (client: PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}
