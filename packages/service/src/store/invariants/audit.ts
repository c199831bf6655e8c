// The audit checked by the database alone: the chain that the verifier walks, implemented a second
// time.
import type { Inquiry } from './invariant.ts'

/** A time as JavaScript formats it. */
const iso = (column: string): string =>
  `to_json(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text`

/** A text or id as JSON. */
const json = (column: string): string => `coalesce(to_json(${column})::text, 'null')`

const CANONICAL = [
  `'"gapura-audit-1"'`,
  'seq::text',
  iso('sealed_at'),
  json('id'),
  iso('occurred_at'),
  ...['actor', 'actor_kind', 'action', 'subject_kind', 'subject_id'].map(json),
  ...['owner_id', 'reason', 'request_id', 'operation_id', 'detail'].map(json),
].join(` || ',' || `)

/** Where the stored chain begins: at the last cut, or at the start. */
const BEGIN = `(
  select seq, hash from gapura.audit_anchor
  union all
  select 0, repeat('0', 64)
  order by seq desc
  limit 1
)`

const TRIGGERS = [
  'audit_unsealed_append_only',
  'audit_unsealed_never_emptied',
  'audit_sealed_append_only',
  'audit_sealed_never_emptied',
  'audit_sealed_head',
  'audit_anchor_append_only',
  'audit_anchor_never_emptied',
]
  .map((name) => `('${name}')`)
  .join(', ')

export const AUDIT: readonly Inquiry[] = [
  {
    invariants: [{ id: 'I-35', promise: 'no sealed row of the audit was removed or changed' }],
    sql: `
      select 'I-35', row.seq::text,
        case when row.seq = row.before + 1 then 'its hash is another' else 'a row before it is gone' end
      from (
        select
          seq,
          hash,
          lag(seq, 1, begin_seq) over by_seq as before,
          encode(
            sha256(
              convert_to(
                lag(hash, 1, begin_hash) over by_seq || chr(10) || '[' || ${CANONICAL} || ']',
                'UTF8'
              )
            ),
            'hex'
          ) as made
        from gapura.audit_sealed
        cross join ${BEGIN} as begun (begin_seq, begin_hash)
        window by_seq as (order by seq)
      ) as row
      where row.seq <> row.before + 1
        or row.hash <> row.made
      union all
      select 'I-35', 'head', 'the chain does not end where its head says'
      from (select max(seq) as seq from gapura.audit_sealed) as last
      cross join ${BEGIN} as begun (begin_seq, begin_hash)
      left join gapura.audit_head as head on true
      where head.seq is distinct from coalesce(last.seq, begun.begin_seq)
      union all
      select 'I-35', wanted.name, 'no enabled trigger'
      from (values ${TRIGGERS}) as wanted (name)
      where not exists (
        select
        from pg_catalog.pg_trigger as kept
        where kept.tgrelid in (
            to_regclass('gapura.audit_unsealed'),
            to_regclass('gapura.audit_sealed'),
            to_regclass('gapura.audit_anchor')
          )
          and kept.tgname = wanted.name
          and kept.tgenabled in ('O', 'A')
      )`,
  },
  {
    invariants: [{ id: 'I-36', promise: 'every change at the gateway has a row in the audit' }],
    sql: `
      select 'I-36', operation.id::text, operation.kind || ' without an audit entry'
      from gapura.gateway_operation as operation
      cross join gapura.audit_head as head
      where operation.kind not in ('charge', 'create_invoice', 'create_subscription', 'create_checkout')
        and operation.created_at >= head.started_at
        -- Operations older than what retention has dropped cannot be checked.
        and operation.created_at > coalesce(
          (
            select min(oldest.sealed_at)
            from gapura.audit_sealed as oldest
            where exists (select from gapura.audit_anchor)
          ),
          '-infinity'
        )
        and not exists (
          select from gapura.audit_sealed as sealed where sealed.operation_id = operation.id
        )
        and not exists (
          select from gapura.audit_unsealed as plain where plain.operation_id = operation.id
        )`,
  },
]
