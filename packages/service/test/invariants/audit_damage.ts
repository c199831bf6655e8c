// The same for the audit. The triggers are restored, so that they are not what is found.
import type { Damage } from './damage.ts'

const behind = (sql: string): string => `
  alter table gapura.audit_sealed disable trigger all;
  ${sql};
  alter table gapura.audit_sealed enable trigger all`

export const AUDIT_DAMAGES: readonly Damage[] = [
  {
    breaks: 'I-35',
    by: 'a sealed row removed',
    sql: behind('delete from gapura.audit_sealed where seq = 3'),
  },
  {
    breaks: 'I-35',
    by: 'the last sealed row removed',
    sql: behind('delete from gapura.audit_sealed where seq = (select seq from gapura.audit_head)'),
  },
  {
    breaks: 'I-35',
    by: 'a sealed row changed',
    sql: behind("update gapura.audit_sealed set actor = 'other' where seq = 3"),
  },
  {
    breaks: 'I-35',
    by: 'a trigger that is gone',
    sql: 'drop trigger audit_sealed_append_only on gapura.audit_sealed',
  },
  {
    breaks: 'I-36',
    by: 'a refund without an audit entry',
    sql: `insert into gapura.gateway_operation
            (id, owner_id, kind, subject_kind, subject_id, state, created_at)
          select gen_random_uuid(), owner_id, 'refund', 'payment', id, 'succeeded', gapura.now()
          from gapura.gateway_payment limit 1`,
  },
]
