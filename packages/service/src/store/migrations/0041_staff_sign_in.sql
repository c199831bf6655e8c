-- What staff may do: a role is a named set of scopes that the merchant edits.
create table gapura.staff_role (
  name text primary key,
  updated_at timestamptz(3) not null default gapura.now(),
  scopes text[] not null,
  constraint staff_role_named check (name ~ '^[a-z][a-z0-9_-]{0,39}$'),
  constraint staff_role_scopes_known check (
    scopes <@ array[
      'payments:write', 'payments:refund', 'payments:capture', 'invoices:write',
      'subscriptions:write', 'webhooks:write', 'staff:read', 'staff:act', 'staff:manage'
    ]
  )
);

insert into gapura.staff_role (name, scopes)
values
  ('viewer', array['staff:read']),
  (
    'support',
    array['staff:read', 'staff:act', 'payments:write', 'invoices:write', 'subscriptions:write']
  ),
  (
    'finance',
    array['staff:read', 'staff:act', 'payments:refund', 'payments:capture', 'invoices:write']
  ),
  (
    'manager',
    array[
      'staff:read', 'staff:act', 'payments:write', 'payments:refund', 'payments:capture',
      'invoices:write', 'subscriptions:write', 'webhooks:write'
    ]
  ),
  (
    'admin',
    array[
      'staff:read', 'staff:act', 'staff:manage', 'payments:write', 'payments:refund',
      'payments:capture', 'invoices:write', 'subscriptions:write', 'webhooks:write'
    ]
  );

-- A staff member. Rows are never deleted: the name in `staff_id` is in the audit and belongs to one
-- person for ever.
create table gapura.staff_person (
  id uuid primary key,
  created_at timestamptz(3) not null default gapura.now(),
  disabled_at timestamptz(3),
  signed_in_at timestamptz(3),
  -- After too many wrong passwords or codes.
  locked_until timestamptz(3),
  link_expires_at timestamptz(3),
  failed_attempts integer not null default 0,
  -- The time step of the last accepted code: each code is good once.
  totp_step integer,
  staff_id text not null,
  email text not null,
  name text not null,
  role text not null,
  password_hash text,
  -- Both sealed with the key of the configuration; the pending one is not confirmed by a code yet.
  totp_secret text,
  totp_pending text,
  -- SHA-256 of the one-time link with which the person sets up how to sign in.
  link_hash text,
  -- Issuer and subject of the identity provider.
  oidc_subject text,
  constraint staff_person_staff_id_length check (length(staff_id) between 1 and 255),
  constraint staff_person_email_length check (length(email) between 3 and 255),
  constraint staff_person_name_length check (length(name) between 1 and 255),
  constraint staff_person_link_is_sha256 check (link_hash ~ '^[0-9a-f]{64}$'),
  constraint staff_person_password_with_totp check (
    (password_hash is null) = (totp_secret is null)
  ),
  constraint staff_person_role foreign key (role) references gapura.staff_role (name)
);

create unique index staff_person_staff_id on gapura.staff_person (staff_id);

create unique index staff_person_email on gapura.staff_person (lower(email));

create unique index staff_person_link on gapura.staff_person (link_hash) where link_hash is not null;

create unique index staff_person_oidc
on gapura.staff_person (oidc_subject)
where oidc_subject is not null;

create index staff_person_created on gapura.staff_person (created_at, id);

-- A person's key on a device, which checks the person itself.
create table gapura.staff_passkey (
  id uuid primary key,
  person_id uuid not null,
  created_at timestamptz(3) not null default gapura.now(),
  used_at timestamptz(3),
  counter bigint not null,
  credential_id text not null,
  public_key text not null,
  constraint staff_passkey_credential_length check (length(credential_id) between 1 and 2048),
  constraint staff_passkey_person foreign key (person_id) references gapura.staff_person (id)
);

create unique index staff_passkey_credential on gapura.staff_passkey (credential_id);

create index staff_passkey_person on gapura.staff_passkey (person_id);

-- Challenges that were given to a browser and not answered yet; each is deleted when it is used.
create table gapura.staff_challenge (
  challenge_hash text primary key,
  expires_at timestamptz(3) not null
);

create index staff_challenge_expires on gapura.staff_challenge (expires_at);

-- A browser that is signed in, by a person or by a staff key. The token is in its cookie alone.
create table gapura.staff_session (
  id uuid primary key,
  person_id uuid,
  api_key_id uuid,
  created_at timestamptz(3) not null default gapura.now(),
  used_at timestamptz(3) not null default gapura.now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  method text not null,
  token_hash text not null,
  constraint staff_session_of_one check (num_nonnulls(person_id, api_key_id) = 1),
  constraint staff_session_method_known check (method in ('password', 'passkey', 'oidc', 'key')),
  constraint staff_session_token_is_sha256 check (token_hash ~ '^[0-9a-f]{64}$'),
  constraint staff_session_person foreign key (person_id) references gapura.staff_person (id),
  constraint staff_session_api_key foreign key (api_key_id) references gapura.api_key (id)
);

create unique index staff_session_token on gapura.staff_session (token_hash);

create index staff_session_person_open
on gapura.staff_session (person_id)
where ended_at is null;

create index staff_session_created on gapura.staff_session (created_at, id);

-- Accurate to a minute, so that a request costs no write.
alter table gapura.api_key add column used_at timestamptz(3);

alter table gapura.api_key drop constraint api_key_scopes_known;

-- A few rows, and authentication only reads.
-- squawk-ignore constraint-missing-not-valid
alter table gapura.api_key add constraint api_key_scopes_known check (
  scopes <@ array[
    'payments:write', 'payments:refund', 'payments:capture', 'invoices:write',
    'subscriptions:write', 'webhooks:write', 'staff:read', 'staff:act', 'staff:manage'
  ]
);
