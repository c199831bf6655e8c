// Refunds that wait for a second staff member.
import { newId } from '../../src/store/sql/values.ts'
import {
  decideRefundRequest,
  expireRefundRequests,
  findHeldRequest,
  findRefundRequestByKey,
  lastRequestAt,
  listRefundRequests,
  lockRefundRequest,
  sumRefundsAlone,
} from '../../src/store/refunds/requests.ts'
import { findRefundOfRequest, listAllRefunds } from '../../src/store/refunds/outside.ts'
import type { Landmarks, PlanCase } from './plan_case.ts'
import { looks, writes } from './row_cases.ts'

export function refundRequestCases({ id, middle }: Landmarks): PlanCase[] {
  const KEY = 'refund_request_pkey'
  const HELD = 'refund_request_one_held'
  const first = { cursor: null, page_size: 20 }
  const cursor = { created_at: middle, id, direction: 'older' as const }
  const wish = { payment_id: id, requested_by: 'staff-1', amount: 1_000_00n, is_direct: false }
  const no = { state: 'declined', decided_by: 'dewi', reason: 'no' } as const
  return [
    looks('the refund of a request', 'gateway_refund_of_request', (tx) =>
      findRefundOfRequest(tx, newId()),
    ),
    looks('all refunds, newest', 'gateway_refund_created', (tx) => listAllRefunds(tx, {}, first)),
    looks('lock a refund request', KEY, (tx) => lockRefundRequest(tx, newId())),
    writes('decide a refund request', KEY, (tx) => decideRefundRequest(tx, newId(), no)),
    writes('end what is over', HELD, (tx) => expireRefundRequests(tx, id)),
    looks('the same wish', HELD, (tx) => findHeldRequest(tx, wish)),
    looks('a request by its key', 'refund_request_key', (tx) =>
      findRefundRequestByKey(tx, 'staff-7', 'key-7'),
    ),
    looks('refund requests, newest', 'refund_request_created', (tx) =>
      listRefundRequests(tx, {}, first),
    ),
    looks('refund requests, further on', 'refund_request_created', (tx) =>
      listRefundRequests(tx, {}, { ...first, cursor }),
    ),
    looks('refund requests that wait', 'refund_request_held', (tx) =>
      listRefundRequests(tx, { state: 'held' }, first),
    ),
    looks('refund requests of a payment', 'refund_request_payment', (tx) =>
      listRefundRequests(tx, { payment_id: id }, first),
    ),
    looks('when one was last asked for', 'refund_request_payment', (tx) => lastRequestAt(tx, id)),
    looks('refunds of a caller today', 'gateway_refund_requested', (tx) =>
      sumRefundsAlone(tx, 'staff-1'),
    ),
  ]
}
