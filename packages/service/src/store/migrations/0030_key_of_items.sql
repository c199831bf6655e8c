-- An item is found by its payment and position only; a second unique index cost an entry for each.
alter table gapura.gateway_payment_item
  drop constraint gateway_payment_item_pkey,
  add constraint gateway_payment_item_pkey primary key using index gateway_payment_item_position;
