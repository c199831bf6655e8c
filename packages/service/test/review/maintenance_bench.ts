import { afterAll } from 'vitest'
import { GatewayClient } from '../../src/gateway/client.ts'
import type { Context } from '../../src/services/context.ts'
import { withInbox } from '../../src/services/notifications/open_inbox.ts'
import { listPartitions, type PartitionedTable } from '../../src/store/maintenance/partitions.ts'
import { moveClock, readClock } from '../../src/store/connection/settings.ts'
import { useDatabase } from '../store/test_database.ts'

/** A database whose clock can pass months, and rows in bulk; time-outs are the service's own. */
export function useMaintenance() {
  const database = useDatabase({ lock_timeout_ms: 2_000 })
  const gateway = new GatewayClient({
    server_key: 'SB-Mid-server-x',
    base_url: 'http://127.0.0.1:9',
  })
  afterAll(async () => await gateway.close())
  const logged: { level: string; message: string; fields: object }[] = []
  const logAs = (level: string) => (fields: object, message: string) =>
    void logged.push({ level, message, fields })
  const log = { info: logAs('info'), warn: logAs('warn'), error: logAs('error') }

  const ctx = (db = database.db): Context =>
    withInbox({ db, gateway, log, confirm_notifications: false, reached: () => undefined })

  /** To the middle of a later month, so that no test depends on the day it runs. */
  const passMonths = async (months: number): Promise<void> =>
    await database.do(async (tx) => {
      const now = await readClock(tx)
      const then = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 15)
      await moveClock(tx, then - now.getTime())
    })

  /** Notifications of this month, or of one `months` later. */
  const addNotifications = async (count: number, months = 0): Promise<void> => {
    await database.sql(
      `insert into gapura.gateway_notification
         (id, received_at, order_id, transaction_id, transaction_status, status_code,
          gross_amount, effect, verified_with, raw_payload)
       select
         -- In order, because random keys make a large insert many times slower.
         ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
         date_trunc('month', gapura.now()) + make_interval(months => $2) + n * interval '1 second',
         'order-' || n, 'transaction-' || n, 'settlement', '200', '10000.00', 'applied', 'current',
         jsonb_build_object('order_id', 'order-' || n, 'transaction_status', 'settlement')
       from generate_series(1, $1::integer) as n`,
      [count, months],
    )
  }

  const countRows = async (table: string): Promise<number> => {
    const [row] = await database.sql(`select count(*)::integer as count from gapura.${table}`)
    return Number(row?.['count'])
  }

  const partitions = async (table: PartitionedTable) =>
    await database.do(async (tx) => await listPartitions(tx, table))

  return { database, logged, ctx, passMonths, addNotifications, countRows, partitions }
}
