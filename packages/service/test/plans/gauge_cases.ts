// What is read every few seconds, also on the largest database: gauges for an operator, and the end of
// the event feed.
import { SIGNALS } from '../../src/domain/signals.ts'
import { FEED_SCAN_MAX, findScanEdge, readFeedEvents } from '../../src/store/events/feed.ts'
import { hasEventsBehind, readEvents, readObjectEvents } from '../../src/store/events/outbox.ts'
import {
  measureDueChecks,
  measureOpenAlarms,
  measureOpenOperations,
  measureOutbox,
  measureOverduePayments,
  measureReconciliation,
  measureSilence,
} from '../../src/store/maintenance/gauges.ts'
import { findSilence } from '../../src/store/notifications/silence.ts'
import type { Landmarks, PlanCase } from './plan_case.ts'
import { looks } from './row_cases.ts'

const BEGINNING = { xid: '0', object_id: '00000000-0000-0000-0000-000000000000', sequence: 0 }
const PLACE = ['_xid_object_id_sequence_idx']

// Far behind the events of these data, and below every transaction of the server.
const after = (object_id: string) => ({ xid: '100', object_id, sequence: 1 })

export const gaugeCases = ({ id }: Landmarks): PlanCase[] => [
  looks('overdue exceptions', 'reconciliation_item_due', measureReconciliation),
  {
    query: 'events after a cursor',
    indexes: ['_xid_object_id_sequence_idx'],
    run: async (tx) => await readEvents(tx, after(id), 20),
  },
  {
    query: 'whether events wait behind a cursor',
    indexes: ['_xid_object_id_sequence_idx'],
    run: async (tx) => await hasEventsBehind(tx, after(id)),
  },
  {
    query: 'events of an object',
    indexes: ['_pkey'],
    run: async (tx) => await readObjectEvents(tx, id, 1, 20),
  },
  {
    query: 'events of an owner in the feed',
    indexes: PLACE,
    run: async (tx) => {
      const filter = { owner_id: 'none', types: SIGNALS }
      return await readFeedEvents(tx, filter, { after: BEGINNING, limit: 20 })
    },
    reads_max: FEED_SCAN_MAX,
  },
  {
    query: 'how far a page of the feed looked',
    indexes: PLACE,
    run: async (tx) => await findScanEdge(tx, { after: BEGINNING }),
    reads_max: FEED_SCAN_MAX,
  },
  // Every open operation; here one in 500.
  {
    ...looks('gauge: open operations', 'gateway_operation_due', measureOpenOperations),
    reads_max: 1_000,
  },
  looks('gauge: overdue payments', 'gateway_payment_state_stale', measureOverduePayments),
  looks('gauge: due checks', 'gateway_payment_state_next_check', measureDueChecks),
  looks('gauge: open alarms', 'gateway_alarm_one_open', measureOpenAlarms),
  looks('gauge: outbox', '_xid_object_id_sequence_idx', measureOutbox),
  looks('gauge: last notification', '_pkey', measureSilence),
  looks('silence of the gateway', 'gateway_payment_created', (tx) => findSilence(tx, 6)),
]
