-- Staff see other owners' objects with `staff:read` and change them with `staff:act`, which used to
-- be called `staff:write` (D-117). Keys of staff could see everything without a scope; they still can.
alter table gapura.api_key drop constraint api_key_scopes_known;

update gapura.api_key
set scopes = array_replace(scopes, 'staff:write', 'staff:act')
where 'staff:write' = any(scopes);

update gapura.api_key
set scopes = scopes || array['staff:read']
where staff
  and not ('staff:read' = any(scopes));

-- A few rows, and authentication only reads: validating them at once holds nobody up.
-- squawk-ignore constraint-missing-not-valid
alter table gapura.api_key add constraint api_key_scopes_known check (
  scopes <@ array[
    'payments:write', 'payments:refund', 'payments:capture', 'invoices:write',
    'subscriptions:write', 'staff:read', 'staff:act'
  ]
);
