-- Two facts about an event that its object does not hold. The refund that it is about: the object has
-- all refunds of the payment, and which of them is new is known only when the event is written. And
-- the version of the object, which is internal: it leads to the entry of the history.
alter table gapura.gateway_event
  add column refund_id uuid,
  add column object_version integer;
