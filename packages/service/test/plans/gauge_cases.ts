// Gauges for an operator, measured every few seconds also on the largest database.
import {
  measureDueChecks,
  measureOpenAlarms,
  measureOpenOperations,
  measureOutbox,
  measureOverduePayments,
  measureSilence,
} from '../../src/store/maintenance/gauges.ts'
import type { PlanCase } from './plan_case.ts'
import { looks } from './row_cases.ts'

export const gaugeCases = (): PlanCase[] => [
  looks('gauge: open operations', 'gateway_operation_oldest', measureOpenOperations),
  looks('gauge: overdue payments', 'gateway_payment_stale', measureOverduePayments),
  looks('gauge: due checks', 'gateway_payment_next_check', measureDueChecks),
  looks('gauge: open alarms', 'gateway_alarm_one_open', measureOpenAlarms),
  looks('gauge: outbox', '_xid_object_id_sequence_idx', measureOutbox),
  looks('gauge: last notification', '_pkey', measureSilence),
]
