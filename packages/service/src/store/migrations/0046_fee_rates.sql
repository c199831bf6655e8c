-- What the gateway is expected to charge, by payment method, bank or store, and day. Parts of a million,
-- so that percentages are whole numbers: 29,000 is 2.9 %. One row for each day from which a rate holds.
create table gapura.fee_rate (
  id uuid primary key,
  valid_from date not null,
  updated_at timestamptz(3) not null default gapura.now(),
  rate_ppm integer not null,
  vat_ppm integer not null,
  payment_type text not null,
  -- The bank or the store; empty for all that have no row of their own.
  channel text not null default '',
  fixed_amount numeric(15, 2) not null,
  borne_by text not null,
  origin text not null,
  note text not null default '',
  updated_by text not null,
  constraint fee_rate_parts check (rate_ppm between 0 and 1000000 and vat_ppm between 0 and 1000000),
  constraint fee_rate_fixed_not_negative check (fixed_amount >= 0),
  constraint fee_rate_borne_by_known check (borne_by in ('merchant', 'payer')),
  constraint fee_rate_origin_known check (origin in ('documented', 'third_party', 'merchant'))
);

create unique index fee_rate_place on gapura.fee_rate (payment_type, channel, valid_from);

-- What public pages say. A merchant's own contract replaces them.
insert into gapura.fee_rate
  (id, valid_from, rate_ppm, vat_ppm, payment_type, fixed_amount, borne_by, origin, note, updated_by)
values
  (gen_random_uuid(), '2000-01-01', 0, 110000, 'bank_transfer', 4000, 'merchant', 'documented',
   'gateway: 4,000 and VAT for a bank transfer', 'gapura'),
  (gen_random_uuid(), '2000-01-01', 0, 110000, 'echannel', 4000, 'merchant', 'documented',
   'gateway: 4,000 and VAT for a bank transfer', 'gapura'),
  (gen_random_uuid(), '2000-01-01', 20000, 110000, 'gopay', 0, 'merchant', 'documented',
   'gateway: 2 % and VAT', 'gapura'),
  (gen_random_uuid(), '2000-01-01', 7000, 110000, 'qris', 0, 'merchant', 'documented',
   'gateway: 0.7 % for regular merchants; whether VAT is added is not certain', 'gapura'),
  (gen_random_uuid(), '2000-01-01', 29000, 110000, 'credit_card', 2000, 'merchant', 'third_party',
   'gateway: 2.9 %; the 2,000 is from other pages', 'gapura'),
  (gen_random_uuid(), '2000-01-01', 20000, 110000, 'shopeepay', 0, 'merchant', 'third_party',
   'other pages: about 2 %', 'gapura');
