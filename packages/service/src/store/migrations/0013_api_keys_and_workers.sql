-- The key itself is shown once and never stored; SHA-256 is enough for 256 random bits.
create table gapura.api_key (
  id uuid primary key,
  created_at timestamptz(3) not null default gapura.now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  staff boolean not null default false,
  owner_id text not null,
  name text not null,
  key_hash text not null,
  scopes text[] not null default '{}',
  constraint api_key_owner_named check (length(owner_id) between 1 and 255),
  constraint api_key_hash_is_sha256 check (key_hash ~ '^[0-9a-f]{64}$'),
  constraint api_key_scopes_known check (
    scopes <@ array[
      'payments:write', 'payments:refund', 'payments:capture', 'invoices:write',
      'subscriptions:write', 'staff:read', 'staff:write'
    ]
  )
);

create unique index api_key_hash on gapura.api_key (key_hash);

create index api_key_owner on gapura.api_key (owner_id, created_at);

-- One row for each running worker pool. A row and not a session lock: that would not survive a
-- transaction pooler, outlive a dead host, nor be there after a failover.
create table gapura.worker (
  id text primary key,
  started_at timestamptz(3) not null default gapura.now(),
  beat_at timestamptz(3) not null default gapura.now(),
  description text not null,
  constraint worker_id_length check (length(id) between 1 and 100)
);
