// The resolver claims an operation, and the reply to that commit is lost. No other process would
// come before the lease ends, so it looks for its claim, and claims again if there is none.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { openDatabase } from '../../src/store/connection/database.ts'
import { cuttingProxy } from '../store/cutting_proxy.ts'
import { useFaults } from './fault_bench.ts'
import { requestOf } from './service_bench.ts'

const { service, chargeOf, fault, mute, clearFaults, later, rowOf, chargesOf, denyKnowing } =
  useFaults()

beforeEach(mute)
afterEach(async () => {
  await clearFaults()
})

test.each(['before', 'after'] as const)(
  '%s the server had it: the charge is ended in the same round',
  async (when) => {
    const order_id = service.fresh(`claim-${when}`)
    await fault('charge', 'drop_after')
    const input = await chargeOf('bank_transfer', { order_id })
    await denyKnowing(3)
    await createCharge(service.ctx, input, requestOf()).catch(() => undefined)
    await clearFaults()
    await mute()
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'initiated' })
    await later(70_000)
    const proxy = await cuttingProxy(when, { times: 1 })
    const db = openDatabase(proxy.url, { schema: service.database.db.schema })
    await resolveOperations({ ...service.ctx, db }, 10)
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'pending', refused: false })
    expect(await chargesOf(order_id)).toBe(1)
    await db.close()
    proxy.close()
  },
)
