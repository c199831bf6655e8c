// The audit chain: its end, a range of it, and the queries of staff.
import { listSealed, listUnsealed } from '../../src/store/audit/chain.ts'
import { listAudit, listAuditTail } from '../../src/store/audit/entries.ts'
import type { PlanCase } from './plan_case.ts'
import { looks } from './row_cases.ts'

export function auditCases(): PlanCase[] {
  const KEY = 'audit_sealed_pkey'
  const TAIL = 'audit_unsealed_pkey'
  const since = new Date('2026-10-31T00:00:00Z')
  return [
    looks('a stretch of the chain', KEY, (tx) => listSealed(tx, { after_seq: 50, limit: 100 })),
    looks('what waits for the sealer', TAIL, (tx) => listUnsealed(tx, 100)),
    looks('audit, newest', KEY, (tx) => listAudit(tx, {}, 50)),
    looks('audit, further on', KEY, (tx) => listAudit(tx, { before_seq: 9_000 }, 50)),
    looks('audit since a time', KEY, (tx) => listAudit(tx, { since }, 50)),
    looks('audit of an actor', 'audit_sealed_actor', (tx) => listAudit(tx, { actor: 'dewi' }, 50)),
    looks('audit of a subject', 'audit_sealed_subject', (tx) =>
      listAudit(tx, { subject_id: 'payment-7' }, 50),
    ),
    looks('audit of a rare action', 'audit_sealed_action', (tx) =>
      listAudit(tx, { action: 'audit.drop' }, 50),
    ),
    looks('audit, the tail', TAIL, (tx) => listAuditTail(tx, {}, 50)),
  ]
}
