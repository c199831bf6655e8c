interface SettingText {
  what: string
  /** The value that stands where none is given. */
  otherwise?: string
}

/** What each setting is for. A setting without a line here fails a test; a line without one is not shown. */
export const SETTING_TEXTS: Readonly<Record<string, SettingText>> = {
  DATABASE_URL: { what: 'Where PostgreSQL is.' },
  GAPURA_SCHEMA: {
    what: 'The schema of our tables, `gapura` unless told; the queue has another beside it.',
  },
  GAPURA_DATABASE_CONNECTIONS: {
    what: 'Connections of one process, at most.',
    otherwise: '10',
  },
  GAPURA_PREPARED_STATEMENTS: {
    what: 'Off behind a transaction pooler that does not keep them.',
    otherwise: 'true',
  },
  GAPURA_HOST: { what: 'Where the server listens.', otherwise: '127.0.0.1' },
  GAPURA_PORT: { what: 'Its port; 0 is any free one.', otherwise: '3000' },
  GAPURA_PREFIX: { what: 'The path before every route, such as `/pay`.' },
  GAPURA_ADMIN_HOST: { what: 'Where health and metrics listen; as `GAPURA_HOST` unless told.' },
  GAPURA_ADMIN_PORT: { what: 'Their port; without it there are none. Keep it from the public.' },
  GAPURA_DRAIN_SECONDS: {
    what: 'How long requests are still taken once the process is asked to stop.',
    otherwise: '0',
  },
  GATEWAY_SERVER_KEY: { what: 'The merchant’s secret at the gateway.' },
  GATEWAY_SERVER_KEY_PREVIOUS: {
    what: 'The key before, while [rotating](runbook.md#key-rotation): notifications signed with it are still believed.',
  },
  GATEWAY_CLIENT_KEY: { what: 'The key browsers use to get card tokens.' },
  GATEWAY_IS_PRODUCTION: {
    what: 'Real money. A database belongs to one side for ever, and refuses the other.',
    otherwise: 'false',
  },
  GATEWAY_BASE_URL: {
    what: 'Another address for the gateway: the simulator’s, or a proxy’s.',
  },
  GATEWAY_NOTIFICATION_URL: {
    what: 'Where notifications of our charges go, at most three with commas between; otherwise where the gateway’s dashboard says.',
  },
  GATEWAY_CONFIRM_NOTIFICATIONS: {
    what: '`value` asks the gateway before a notification gives value, even if its signature is good ([ADR 0004](decisions/0004-trusting-notifications.md)).',
    otherwise: 'off',
  },
  GAPURA_CALLER_REQUESTS_PER_MINUTE: {
    what: 'Requests of one owner in a minute, counted in each process; more is [429](security.md#limits). 0 is no limit, because only you know how many requests a busy minute of your shop has.',
    otherwise: '0',
  },
  GAPURA_CALLER_REQUESTS_AT_ONCE: {
    what: 'Requests of one owner under way at once, in each process; more is [429](security.md#limits). 0 is no limit.',
    otherwise: '64',
  },
  GAPURA_GUESSES_PER_MINUTE: {
    what: 'Unknown keys or tokens from one address before it is made to wait; good ones are let through all the same. 0 is no limit.',
    otherwise: '100',
  },
  GAPURA_TRUSTED_PROXIES: {
    what: 'How many proxies of yours stand before the service and add to `X-Forwarded-For`. With 0 neither that header nor `X-Forwarded-Host` is believed.',
    otherwise: '0',
  },
  GAPURA_ALLOWED_ORIGINS: {
    what: 'Origins of other sites whose pages may change something without an `Authorization` header, with commas between, as in `https://shop.example`. The service’s own origin needs no entry ([security](security.md#pages-of-other-sites)).',
  },
  GAPURA_REFUND_DAILY_LIMIT: {
    what: 'Rupiah one caller may pay back in any 24 hours without a [second person](security.md#refunds-and-the-second-person). 0 is no bound.',
    otherwise: '0',
  },
  GAPURA_REFUND_SECOND_PERSON_ABOVE: {
    what: 'A refund of more rupiah than this is held until another person of staff agrees. 0 is never.',
    otherwise: '0',
  },
  GAPURA_REFUND_HOLD_HOURS: {
    what: 'How long a held refund waits for the second person.',
    otherwise: '72',
  },
  GAPURA_JWT_ISSUER: { what: 'Whose tokens are accepted beside API keys.' },
  GAPURA_JWT_AUDIENCE: { what: 'For whom they must be made.' },
  GAPURA_JWT_JWKS_URL: { what: 'Where the issuer’s public keys are.' },
  GAPURA_JWT_SECRET: { what: 'Or a secret shared with the issuer.' },
  GAPURA_KEEP_NOTIFICATIONS_MONTHS: {
    what: 'Months after which notifications are dropped; 0 is never.',
    otherwise: '0',
  },
  GAPURA_KEEP_EVENTS_MONTHS: {
    what: 'Months after which delivered events are dropped; 0 is never.',
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
    what: "The staff's pages at `dashboard/`: `auto` serves them where `@gapura/dashboard` is installed.",
    otherwise: 'auto',
  },
}
