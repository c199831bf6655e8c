-- The history of every object, never dropped. The key is the object's version, so a step cannot be
-- written twice, and I-13 (each row's `to` is the next row's `from`) is one index scan.
create table gapura.gateway_transition (
  object_id uuid not null,
  evidence_id uuid,
  occurred_at timestamptz(3) not null default gapura.now(),
  version integer not null,
  owner_id text not null,
  object_kind text not null,
  from_status text,
  to_status text not null,
  source text not null,
  reason text,
  primary key (object_id, version),
  constraint gateway_transition_version_counts check (version >= 1),
  constraint gateway_transition_object_kind_known check (
    object_kind in ('payment', 'invoice', 'subscription')
  ),
  constraint gateway_transition_source_known check (
    source in (
      'charge', 'notification', 'check_status', 'action', 'sweep', 'resolver', 'staff'
    )
  ),
  constraint gateway_transition_payment_status_known check (
    object_kind <> 'payment'
    or to_status in (
      'initiated', 'pending', 'authorize', 'capture', 'settlement', 'deny', 'cancel', 'expire',
      'failure', 'partial_refund', 'refund', 'partial_chargeback', 'chargeback'
    )
  ),
  constraint gateway_transition_invoice_status_known check (
    object_kind <> 'invoice'
    or to_status in (
      'initiated', 'failure', 'draft', 'pending', 'overdue', 'paid', 'expired', 'voided'
    )
  ),
  constraint gateway_transition_subscription_status_known check (
    object_kind <> 'subscription'
    or to_status in ('initiated', 'failure', 'active', 'inactive', 'disabled', 'cancelled')
  )
);

-- Append-only for everybody, the service and its owner too: a mistake is corrected by a further
-- step, not by another past.
create function gapura.refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op
  using errcode = 'restrict_violation';
end
$$;

create trigger gateway_transition_append_only
before update or delete on gapura.gateway_transition
for each row execute function gapura.refuse_change();

create trigger gateway_transition_never_emptied
before truncate on gapura.gateway_transition
for each statement execute function gapura.refuse_change();
