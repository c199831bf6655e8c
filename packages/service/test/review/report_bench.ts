// Shared by the tests about lost deferrals: signed reports, the sweep, and the rows to look at.
import { afterEach, beforeEach } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { parseNotification } from '../../src/gateway/wire/notifications.ts'
import type { InboxItem } from '../../src/services/inbox_item.ts'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { newId } from '../../src/store/sql/values.ts'
import { useFaults } from '../services/fault_bench.ts'

const BUDGET = { take: async () => undefined }
const HOUR = 3_600_000

export const PARTLY_REFUNDED = {
  transaction_status: 'partial_refund',
  refund_amount: '50000.00',
  refunds: [{ refund_key: 'dash', refund_amount: '50000.00' }],
}

/** A service whose gateway sends no notification by itself. */
export function useReports() {
  const bench = useFaults({ breaker_rest_ms: 1 })
  const { service, mute, clearFaults, later } = bench
  beforeEach(mute)
  afterEach(clearFaults)

  const paymentOf = async (order_id: string) =>
    (
      await service.database.sql(
        `select id, transaction_status, refused, refunded_amount::text as refunded
         from gapura.gateway_payment where order_id = $1`,
        [order_id],
      )
    )[0]
  /**
   * Sweeps every hour for six hours: twice as long as a report may stay unsettled without alarm.
   */
  const sixHours = async () => {
    for (let hours = 0; hours < 6; hours++) {
      await later(HOUR)
      await checkPendingPayments(service.ctx, { budget: BUDGET })
    }
  }
  const signed = (order_id: string, body: object) => {
    const fields = { order_id, status_code: '200', gross_amount: '150000.00' }
    const signature_key = signNotification(fields, service.simulator.server_key)
    return { ...fields, payment_type: 'gopay', ...body, signature_key }
  }
  const itemOf = (order_id: string, body: object): InboxItem => {
    const { signature_key: _, ...raw_payload } = signed(order_id, body)
    const parsed = parseNotification(signed(order_id, body))
    if (parsed?.shape !== 'payment') throw new Error('not a report about a payment')
    return { id: newId(), payload: parsed.payload, raw_payload, verified_with: 'current' }
  }
  return { ...bench, paymentOf, sixHours, signed, itemOf }
}
