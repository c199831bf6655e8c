import type { GatewayPayment } from '../domain/payment.ts'
import type { GatewayTransition } from '../domain/transition.ts'
import type { NewEvent } from './events.ts'
import { CHANGED_COLUMNS, type PaymentChange } from './payment_changes.ts'
import { toJson } from './sql_values.ts'
import { doneOnCommit, type Tx } from './transaction.ts'

/** One step of a payment: what changes, its line in the history and the event that tells it. */
export interface PaymentStep
  extends
    Pick<GatewayPayment, 'id' | 'version'>,
    Pick<GatewayTransition, 'from_status' | 'to_status' | 'source' | 'evidence_id' | 'reason'> {
  change: PaymentChange
  event: Pick<NewEvent, 'id' | 'type' | 'notification_id' | 'object'> | null
}

// All three in one statement: a step that changed its row and left no trace cannot be written. The
// event takes its place by the row's counter, as appendEvent does, in the update that moves the row.
const STEPS = `
  with step as (
    select *
    from jsonb_to_recordset($1::jsonb) as step(
      id uuid, version integer, change jsonb, from_status text, to_status text, source text,
      evidence_id uuid, reason text, event jsonb
    )
  ), changed as (
    update gapura.gateway_payment as payment
    set (${CHANGED_COLUMNS.join(', ')}) = (
          select ${CHANGED_COLUMNS.map((column) => `changed.${column}`).join(', ')}
          from jsonb_populate_record(payment, step.change) as changed
        ),
        version = payment.version + 1,
        updated_at = $2,
        event_sequence = payment.event_sequence + (step.event is not null)::integer,
        event_xid = case
          when step.event is null then payment.event_xid
          else greatest(payment.event_xid, pg_current_xact_id())
        end
    from step
    where payment.id = step.id
      and payment.version = step.version
      -- Without it the planner expects a hundred steps, and reads a table of thousands instead.
      and payment.id = any($3::uuid[])
    returning payment.id, payment.owner_id, payment.version, payment.event_sequence,
      payment.event_xid
  ), recorded as (
    insert into gapura.gateway_transition
      (object_kind, object_id, owner_id, version, from_status, to_status, source, evidence_id,
       reason, occurred_at)
    select 'payment', id, changed.owner_id, changed.version, from_status, to_status, source,
      evidence_id, reason, $2
    from changed
    join step using (id)
  ), told as (
    insert into gapura.gateway_event
      (object_kind, object_id, owner_id, sequence, xid, id, type, object, previous_status, source,
       notification_id, occurred_at)
    select 'payment', id, changed.owner_id, event_sequence, event_xid, (event ->> 'id')::uuid,
      event ->> 'type', event -> 'object', from_status, source,
      (event ->> 'notification_id')::uuid, $2
    from changed
    join step using (id)
    where event is not null
  )
  select id from changed`

/**
 * Makes the steps, each of another payment, all locked by the caller. Throws if one of them is no
 * longer at the version it was decided upon: under its lock that cannot be.
 */
export async function stepPayments(
  tx: Tx,
  steps: readonly PaymentStep[],
  now: Date,
): Promise<void> {
  // Absent, and not a JSON null, is what SQL reads as null.
  const rows = steps.map(({ event, ...step }) => (event === null ? step : { ...step, event }))
  const changed = await tx.query<{ id: string }>(STEPS, [
    toJson(rows),
    now,
    steps.map(({ id }) => id),
  ])
  for (const { from_status: from, to_status: to } of steps) {
    doneOnCommit({ kind: 'step', object_kind: 'payment', from, to })
  }
  if (changed.length === steps.length) return
  const made = new Set(changed.map(({ id }) => id))
  const missed = steps.filter(({ id }) => !made.has(id)).map(({ id }) => id)
  throw new Error(`payments moved under their own lock: ${missed.join(', ')}`)
}
