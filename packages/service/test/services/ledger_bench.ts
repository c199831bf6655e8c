// A service with a simulator that sends no notification by itself, its staff and its postings.
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { createGapura, type Gapura } from '../../src/main/create_gapura.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { checkInvariants } from '../../src/services/verify/check_invariants.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { useFaults } from './fault_bench.ts'

export const dewi: Caller = { owner_id: 'dewi', staff: true, scopes: SCOPES }
export const PAID = 'received sales:owner-1 > gateway:pending 150000.00'

export function useLedger() {
  const faults = useFaults({ timeout_ms_max: 10_000 })
  const { service, caller, mute, clearFaults } = faults
  let gapura: Gapura | undefined
  beforeAll(() => {
    const { url: base_url, server_key } = service.simulator
    const { schema } = service.database.db
    gapura = createGapura({ databaseUrl: DATABASE_URL, schema, gateway: { server_key, base_url } })
  })
  afterAll(async () => await gapura?.close())
  beforeEach(async () => {
    await clearFaults()
    await mute()
  })
  const sql = async (text: string, values: unknown[] = []) =>
    await service.database.sql(text, values)
  return {
    ...faults,
    sql,
    staff: () => {
      if (gapura === undefined) throw new Error('open only inside tests')
      return gapura.staff
    },
    /** `kind source > destination amount` of each posting, in the order in which they were booked. */
    postingsOf: async (id: string): Promise<string[]> =>
      (
        await sql(
          `select concat_ws(' ', kind, source, '>', destination, amount) as said
           from gapura.ledger_posting where payment_id = $1 order by booked_at, version, kind, line`,
          [id],
        )
      ).map(({ said }) => String(said)),
    control: async (order_id: string, action: string, body: object = {}) =>
      await service.control(`transactions/${order_id}/${action}`, body),
    look: async (id: string) => await getStatus(service.ctx, caller, id),
    brokenNow: async () =>
      (await checkInvariants(service.database.db))
        .filter(({ violations }) => violations > 0)
        .map(({ id }) => id),
  }
}
