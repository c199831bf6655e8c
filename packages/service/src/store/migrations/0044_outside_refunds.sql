-- Refunds that staff paid outside the gateway, such as a bank transfer for a virtual account, with the
-- number of the transfer and a second staff member who approved it.
alter table gapura.refund_request add column outside boolean not null default false;
alter table gapura.refund_request add column reference text;
alter table gapura.refund_request add column evidence text;

alter table gapura.refund_request add constraint refund_request_outside_shown check (
  not outside or (length(btrim(reference)) >= 3 and requested_by_staff and not is_direct)
) not valid;

alter table gapura.gateway_refund add column reference text;
alter table gapura.gateway_refund add column evidence text;

-- Not validated: every earlier row satisfies the narrower constraint that is replaced.
alter table gapura.gateway_refund drop constraint gateway_refund_source_known;

alter table gapura.gateway_refund add constraint gateway_refund_source_known check (
  source in ('service', 'gateway', 'outside')
) not valid;

alter table gapura.gateway_refund add constraint gateway_refund_outside_shown check (
  source <> 'outside'
  or (
    status = 'succeeded'
    and length(btrim(reference)) >= 3
    and refund_request_id is not null
    and requested_by is not null
    and approved_by is not null
    and approved_by <> requested_by
  )
) not valid;
