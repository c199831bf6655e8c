// The rights of an application role that does not own the tables (ADR 0017): it can append to the
// history, and neither change nor delete it.
import type { Database } from '../connection/database.ts'
import { jobsSchema } from '../maintenance/jobs.ts'

/** Written once. `gateway_event` too: events are history; deliveries are stored elsewhere. */
const APPENDED = [
  'gateway_transition',
  'gateway_event',
  'audit_unsealed',
  'audit_sealed',
  'ledger_posting',
  'ledger_total',
  'staff_note',
  'statement_import',
  'statement_line',
  'statement_refusal',
  'webhook_delivery',
] as const

/** Written by triggers and functions with the owner's rights, or by migrations. */
const READ = [
  'audit_head',
  'audit_anchor',
  'gateway_payment_state',
  'gateway_payment_term',
  'migration',
  'owner_move',
  'owner_move_change',
] as const

/** Rows that end: leases, old keys, and objects that are no longer blocked. */
const DELETED = [
  'dead_event',
  'export_schedule',
  'idempotency_key',
  'operation_reply',
  'staff_challenge',
  'staff_passkey',
  'staff_session',
  'webhook_resend',
  'worker',
] as const

const CHANGED = [
  'api_key',
  'bank_holiday',
  'event_subscriber',
  'fee_rate',
  'gateway_alarm',
  'gateway_checkout',
  'gateway_invoice',
  'gateway_invoice_item',
  'gateway_notification',
  'gateway_operation',
  'gateway_payment',
  'gateway_payment_item',
  'gateway_refund',
  'gateway_subscription',
  'ledger_closing',
  'reconciliation_action',
  'reconciliation_item',
  'reconciliation_progress',
  'reconciliation_proof',
  'refund_request',
  'refund_request_repeat',
  'search_entry',
  'search_progress',
  'setting',
  'statement_mapping',
  'statement_window',
  'staff_person',
  'staff_role',
  'webhook_endpoint',
] as const

/** Every table, by what the role may do with it. A test fails for a table that is missing here. */
export const GRANTED = { APPENDED, READ, DELETED, CHANGED } as const

const ROLE_NAME = /^[a-z_][a-z0-9_]{0,62}$/

/**
 * The SQL that grants the role its rights and revokes all others. The owner of the schema runs it
 * after each migration; this function only returns it.
 */
export function grantsFor({ schema }: Pick<Database, 'schema'>, role: string): string {
  if (!ROLE_NAME.test(role)) throw new RangeError(`must be a role name: ${role}`)
  const of = (tables: readonly string[]): string =>
    tables.map((table) => `${schema}.${table}`).join(',\n  ')
  const queue = jobsSchema({ schema })
  return `
revoke all on all tables in schema ${schema} from ${role};
grant usage on schema ${schema} to ${role};
grant select on all tables in schema ${schema} to ${role};
grant insert on
  ${of(APPENDED)}
to ${role};
grant insert, update on
  ${of(CHANGED)}
to ${role};
grant insert, update, delete on
  ${of(DELETED)}
to ${role};
grant execute on all functions in schema ${schema} to ${role};

-- The queue's own tables: its library changes them freely, so they belong to the role.
do $$
declare
  one record;
begin
  execute format('alter schema %I owner to %I', '${queue}', '${role}');
  for one in
    select format('alter table %s owner to %I', class.oid::regclass, '${role}') as command
    from pg_catalog.pg_class as class
    where class.relnamespace = to_regnamespace('${queue}')
      and class.relkind in ('r', 'p', 'v')
    union all
    select format('alter function %s owner to %I', function.oid::regprocedure, '${role}')
    from pg_catalog.pg_proc as function
    where function.pronamespace = to_regnamespace('${queue}')
    union all
    select format('alter type %s owner to %I', type.oid::regtype, '${role}')
    from pg_catalog.pg_type as type
    join pg_catalog.pg_class as class on class.oid = type.typrelid and class.relkind = 'c'
    where type.typnamespace = to_regnamespace('${queue}')
  loop
    execute one.command;
  end loop;
end
$$;
`.trimStart()
}
