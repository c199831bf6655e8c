interface SettingText {
  what: string
  /** The default value. */
  otherwise?: string
}

/** What each setting does. A setting without a text here fails a test. */
export const SETTING_TEXTS: Readonly<Record<string, SettingText>> = {
  DATABASE_URL: { what: 'The address of PostgreSQL.' },
  GAPURA_SCHEMA: {
    what: 'The schema of our tables, `gapura` by default; the queue has a schema of its own.',
  },
  GAPURA_DATABASE_CONNECTIONS: {
    what: 'The maximum number of connections of one process.',
    otherwise: '10',
  },
  GAPURA_PREPARED_STATEMENTS: {
    what: 'Set `false` behind a transaction pooler without prepared statements.',
    otherwise: 'true',
  },
  GAPURA_CELL: {
    what: 'The name of this [cell](cells.md), at most eight lower-case letters; API keys and minted order ids name it. Needs `GATEWAY_NOTIFICATION_URL`.',
  },
  GAPURA_CELL_PEERS: {
    what: 'The other cells and where their APIs are reached, as `b=http://10.0.0.2:3000,c=http://10.0.0.3:3000`. Background reads of the gateway are [divided](cells.md#the-gateways-limits) among all of them.',
  },
  GAPURA_CELL_KEY: {
    what: 'The key with which staff [list the payments of all cells](cells.md#one-list-of-all-cells), the same in each; `openssl rand -base64 32` makes one. Two with a comma between them while it is changed: the first signs, both are accepted.',
  },
  GAPURA_CELL_DASHBOARDS: {
    what: 'Where browsers reach the other cells, prefix included, as `b=https://b.pay.example`: rows of that list open their dashboards.',
  },
  GAPURA_HOST: { what: 'The address on which the server listens.', otherwise: '127.0.0.1' },
  GAPURA_PORT: { what: 'Its port; 0 chooses a free one.', otherwise: '3000' },
  GAPURA_PREFIX: { what: 'The path before every route, such as `/pay`.' },
  GAPURA_ADMIN_HOST: { what: 'The address of health and metrics; by default `GAPURA_HOST`.' },
  GAPURA_ADMIN_PORT: { what: 'Their port; without it they are off. It must not be public.' },
  GAPURA_DRAIN_SECONDS: {
    what: 'How long requests are still answered after the process was asked to stop.',
    otherwise: '0',
  },
  GAPURA_LOG_LEVEL: {
    what: 'The least that is logged; `warn` leaves out the line of each request.',
    otherwise: 'info',
  },
  GATEWAY_SERVER_KEY: { what: 'The merchant’s secret key at the gateway.' },
  GATEWAY_SERVER_KEY_PREVIOUS: {
    what: 'The previous key during a [rotation](runbook.md#key-rotation): notifications signed with it are still accepted.',
  },
  GATEWAY_CLIENT_KEY: { what: 'The key browsers use to get card tokens.' },
  GATEWAY_PAGE_URL: {
    what: 'The host of the gateway’s payment pages ([checkouts](checkouts.md)); by default `GATEWAY_BASE_URL` where that is set, otherwise the gateway’s own.',
  },
  GATEWAY_IS_PRODUCTION: {
    what: 'Real money. A database belongs to one environment permanently and refuses the other.',
    otherwise: 'false',
  },
  GATEWAY_BASE_URL: {
    what: 'Another address for the gateway: the simulator’s, or a proxy’s.',
  },
  GATEWAY_NOTIFICATION_URL: {
    what: 'Where the gateway sends notifications of our charges: at most three addresses, separated by commas; by default the address set on the gateway’s dashboard.',
  },
  GATEWAY_CONFIRM_NOTIFICATIONS: {
    what: '`value` asks the gateway before a notification gives value, even if its signature is good ([ADR 0004](decisions/0004-trusting-notifications.md)).',
    otherwise: 'off',
  },
  GATEWAY_BALANCE_READS: {
    what: 'Whether a worker reads the [balance of each day](statements.md#from-the-gateway) at the gateway.',
    otherwise: 'false',
  },
  GATEWAY_BI_SNAP_CLIENT_ID: {
    what: 'The client id of BI-SNAP. With the next three set, a worker reads the [transaction history](statements.md#from-the-gateway).',
  },
  GATEWAY_BI_SNAP_CLIENT_SECRET: { what: 'The client secret: it signs each of these calls.' },
  GATEWAY_BI_SNAP_PRIVATE_KEY: {
    what: 'The RSA private key as PEM (PKCS#8), with real or escaped line breaks, or all of it in base64. Its public half is at the gateway.',
  },
  GATEWAY_BI_SNAP_PARTNER_ID: { what: 'The partner id of the merchant.' },
  GATEWAY_BI_SNAP_CHANNEL_ID: { what: 'Five digits; any will do.', otherwise: '95221' },
  GATEWAY_BI_SNAP_URL: {
    what: 'The host of BI-SNAP; by default `GATEWAY_BASE_URL` where that is set, otherwise the gateway’s own.',
  },
  GAPURA_STATEMENT_DAYS_BACK: {
    what: 'How many days before the first reading of a statement are read too.',
    otherwise: '7',
  },
  GATEWAY_CARD_DATA: {
    what: 'Allows `get_card_token` and `register_card` of the [gateway client](security.md#card-data), which carry card numbers: the server is then in the full scope of PCI DSS. No route uses them.',
    otherwise: 'false',
  },
  GAPURA_CALLER_REQUESTS_PER_MINUTE: {
    what: 'Requests of one owner in a minute, counted in each process; more is [429](security.md#limits). 0 is no limit; the right limit depends on your shop.',
    otherwise: '0',
  },
  GAPURA_CALLER_REQUESTS_AT_ONCE: {
    what: 'Concurrent requests of one owner in each process; more is [429](security.md#limits). 0 is no limit.',
    otherwise: '64',
  },
  GAPURA_GUESSES_PER_MINUTE: {
    what: 'Unknown keys or tokens from one address in a minute before it is refused; valid ones still pass. 0 is no limit.',
    otherwise: '100',
  },
  GAPURA_TRUSTED_PROXIES: {
    what: 'The number of your own proxies that add to `X-Forwarded-For`. With 0 neither that header nor `X-Forwarded-Host` is used.',
    otherwise: '0',
  },
  GAPURA_ALLOWED_ORIGINS: {
    what: 'Origins of other sites whose pages may change something without an `Authorization` header, separated by commas, such as `https://shop.example`. The service’s own origin needs no entry ([security](security.md#pages-of-other-sites)).',
  },
  GAPURA_REFUND_DAILY_LIMIT: {
    what: 'Rupiah one caller may refund in any 24 hours without a [second person](security.md#refunds-and-the-second-person). 0 is no limit.',
    otherwise: '0',
  },
  GAPURA_REFUND_SECOND_PERSON_ABOVE: {
    what: 'A refund of more rupiah than this is held until another staff member approves it. 0 is never.',
    otherwise: '0',
  },
  GAPURA_REFUND_HOLD_HOURS: {
    what: 'How long a held refund waits for the second person.',
    otherwise: '72',
  },
  GAPURA_RECONCILE_SECOND_PERSON_ABOVE: {
    what: 'A decision about an exception of the [matching](money.md#matching) over more rupiah than this is held until another staff member approves it.',
    otherwise: '0',
  },
  GAPURA_FEE_ROUNDING: {
    what: 'How expected fees and their VAT are rounded, each for itself: `half_up`, `down` or `up` to whole rupiah, or `sen` for two decimals. No page of the gateway says; compare with your statements ([money](money.md)).',
    otherwise: 'half_up',
  },
  GAPURA_WEBHOOK_KEY: {
    what: 'The key that encrypts the secrets of [webhook endpoints](webhooks.md), as `openssl rand -base64 32` prints; while it is changed, the new one and the old one with a comma between them. Without it there are no endpoints.',
  },
  GAPURA_WEBHOOK_PRIVATE: {
    what: 'For development: events may also be sent over http, to any port, and to private addresses.',
    otherwise: 'false',
  },
  GAPURA_WEBHOOK_ENDPOINTS_MAX: {
    what: 'How many webhook endpoints one owner may have.',
    otherwise: '20',
  },
  GAPURA_WEBHOOK_PROXY: {
    what: 'A forward proxy that all outgoing webhooks take, so that they come from a fixed address.',
  },
  GAPURA_NATS_URL: {
    what: 'The servers of the message bus, with commas between them; without it events go to no bus.',
  },
  GAPURA_NATS_CREDENTIALS: { what: 'The text of a NATS credentials file; better as a file.' },
  GAPURA_NATS_SUBJECT: {
    what: 'The beginning of the subjects that events are published to.',
    otherwise: 'gapura',
  },
  GAPURA_STAFF_CHANNELS: {
    what: 'Where operator events reach people, as a JSON list of channels; better as a file.',
  },
  GAPURA_STAFF_CHANNELS_REST_SECONDS: {
    what: 'The least time between two messages of one channel; what comes meanwhile is summed up.',
    otherwise: '60',
  },
  GAPURA_GATEWAY_SILENT_HOURS: {
    what: 'Hours without a notification, although payments were made, before staff are notified; 0 is never.',
    otherwise: '0',
  },
  GAPURA_JWT_ISSUER: { what: 'The issuer whose JWTs are accepted beside API keys.' },
  GAPURA_JWT_AUDIENCE: { what: 'The audience that they must name.' },
  GAPURA_JWT_JWKS_URL: { what: 'The address of the issuer’s public keys.' },
  GAPURA_OIDC_ISSUER: { what: 'The identity provider where staff sign in (staff-sign-in.md).' },
  GAPURA_OIDC_CLIENT_ID: { what: 'The client that the provider knows this service as.' },
  GAPURA_OIDC_CLIENT_SECRET: { what: 'Its secret.' },
  GAPURA_PUBLIC_URL: {
    what: 'Where browsers reach the service, prefix included; the provider sends them back there.',
  },
  GAPURA_JWT_SECRET: { what: 'A secret shared with the issuer, instead of public keys.' },
  GAPURA_KEEP_NOTIFICATIONS_MONTHS: {
    what: 'Months after which notifications are dropped; 0 is never.',
    otherwise: '0',
  },
  GAPURA_KEEP_EVENTS_MONTHS: {
    what: 'Months after which delivered events are dropped; 0 is never.',
    otherwise: '0',
  },
  GAPURA_KEEP_DELIVERIES_MONTHS: {
    what: 'Months after which the log of outgoing webhooks is dropped; 0 is never.',
    otherwise: '0',
  },
  GAPURA_KEEP_AUDIT_MONTHS: {
    what: 'Whole months of the [audit](security.md#the-audit) that are kept; a year in any case. 0 keeps all.',
    otherwise: '0',
  },
  GAPURA_DOCS: {
    what: 'Who may read `openapi.json` and the page at `docs/`.',
    otherwise: 'callers',
  },
  GAPURA_DASHBOARD: {
    what: 'The staff pages at `dashboard/`: `auto` serves them if `@gapura/dashboard` is installed.',
    otherwise: 'auto',
  },
}
