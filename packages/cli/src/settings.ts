export interface Setting {
  name: string
  /** How much of it may be shown. */
  kind: 'plain' | 'secret' | 'url'
  otherwise: string | null
  summary: string
}

const setting = (
  name: string,
  kind: Setting['kind'],
  otherwise: string | null,
  summary: string,
): Setting => ({ name, kind, otherwise, summary })

/**
 * Every setting the service reads (configuration.md); a test compares it with the service.
 */
export const SETTINGS: readonly Setting[] = [
  setting('DATABASE_URL', 'url', null, 'the PostgreSQL database; required'),
  setting('GAPURA_SCHEMA', 'plain', 'gapura', 'the schema of our tables'),
  setting('GAPURA_DATABASE_CONNECTIONS', 'plain', '10', 'connections of one process'),
  setting('GAPURA_PREPARED_STATEMENTS', 'plain', 'true', 'off for old transaction poolers'),
  setting('GATEWAY_SERVER_KEY', 'secret', null, 'the server key; required'),
  setting('GATEWAY_SERVER_KEY_PREVIOUS', 'secret', null, 'the old server key during a rotation'),
  setting('GATEWAY_CLIENT_KEY', 'secret', null, 'the client key'),
  setting('GATEWAY_IS_PRODUCTION', 'plain', 'false', 'real money'),
  setting('GATEWAY_BASE_URL', 'url', null, 'a simulator or a proxy, instead of the gateway'),
  setting('GATEWAY_PAGE_URL', 'url', null, 'the same for the host of its payment pages'),
  setting(
    'GATEWAY_NOTIFICATION_URL',
    'url',
    null,
    'where notifications go, instead of the dashboard’s',
  ),
  setting(
    'GATEWAY_CONFIRM_NOTIFICATIONS',
    'plain',
    'off',
    'value: ask the gateway before a transition that gives value',
  ),
  setting('GATEWAY_BALANCE_READS', 'plain', 'false', 'read the balance of each day'),
  setting('GATEWAY_BI_SNAP_CLIENT_ID', 'plain', null, 'who reads the transaction history'),
  setting('GATEWAY_BI_SNAP_CLIENT_SECRET', 'secret', null, 'what signs these reads'),
  setting('GATEWAY_BI_SNAP_PRIVATE_KEY', 'secret', null, 'what buys their access token'),
  setting('GATEWAY_BI_SNAP_PARTNER_ID', 'plain', null, 'the merchant of these reads'),
  setting('GATEWAY_BI_SNAP_CHANNEL_ID', 'plain', '95221', 'five digits, any will do'),
  setting('GATEWAY_BI_SNAP_URL', 'url', null, 'the host of these reads, instead of the gateway’s'),
  setting('GAPURA_STATEMENT_DAYS_BACK', 'plain', '7', 'days before the first reading'),
  setting('GATEWAY_CARD_DATA', 'plain', 'false', 'operations that carry card numbers'),
  setting('GAPURA_CELL', 'plain', null, 'the name of this cell, if there are several'),
  setting('GAPURA_CELL_PEERS', 'plain', null, 'the other cells, as b=http://10.0.0.2:3000'),
  setting('GAPURA_HOST', 'plain', '127.0.0.1', 'where serve listens'),
  setting('GAPURA_PORT', 'plain', '3000', 'where serve listens'),
  setting(
    'GAPURA_ADMIN_HOST',
    'plain',
    null,
    'where health and metrics are; otherwise GAPURA_HOST',
  ),
  setting('GAPURA_ADMIN_PORT', 'plain', null, 'where health and metrics are; none without it'),
  setting('GAPURA_DRAIN_SECONDS', 'plain', '0', 'how long it reports not ready before it stops'),
  setting('GAPURA_LOG_LEVEL', 'plain', 'info', 'the least that is logged: info, warn or error'),
  setting('GAPURA_PREFIX', 'plain', null, 'the path before our routes'),
  setting(
    'GAPURA_KEEP_NOTIFICATIONS_MONTHS',
    'plain',
    '0',
    'whole months of notifications to keep; 0: all',
  ),
  setting(
    'GAPURA_KEEP_EVENTS_MONTHS',
    'plain',
    '0',
    'whole months of delivered events to keep; 0: all',
  ),
  setting(
    'GAPURA_KEEP_DELIVERIES_MONTHS',
    'plain',
    '0',
    'whole months of the log of outgoing webhooks to keep; 0: all',
  ),
  setting('GAPURA_KEEP_AUDIT_MONTHS', 'plain', '0', 'whole months of the audit to keep; 0: all'),
  setting('GAPURA_DOCS', 'plain', 'callers', 'who may read the interface: callers, public or off'),
  setting('GAPURA_DASHBOARD', 'plain', 'auto', 'the dashboard: auto if installed, or off'),
  setting('GAPURA_CALLER_REQUESTS_PER_MINUTE', 'plain', '0', 'of one owner in one process; 0: all'),
  setting('GAPURA_CALLER_REQUESTS_AT_ONCE', 'plain', '64', 'of one owner in progress; 0: all'),
  setting(
    'GAPURA_GUESSES_PER_MINUTE',
    'plain',
    '100',
    'unknown credentials of one address; 0: all',
  ),
  setting('GAPURA_TRUSTED_PROXIES', 'plain', '0', 'proxies of yours that add to X-Forwarded-For'),
  setting('GAPURA_ALLOWED_ORIGINS', 'plain', 'none', 'other origins whose pages may send changes'),
  setting('GAPURA_REFUND_DAILY_LIMIT', 'plain', '0', 'rupiah one caller may refund a day; 0: all'),
  setting(
    'GAPURA_REFUND_SECOND_PERSON_ABOVE',
    'plain',
    '0',
    'rupiah above which a second person must approve; 0: never',
  ),
  setting('GAPURA_REFUND_HOLD_HOURS', 'plain', '72', 'how long a held refund waits'),
  setting(
    'GAPURA_RECONCILE_SECOND_PERSON_ABOVE',
    'plain',
    '0',
    'rupiah above which a second person must approve a decision about an exception; 0: never',
  ),
  setting('GAPURA_FEE_ROUNDING', 'plain', 'half_up', 'how expected fees are rounded'),
  setting('GAPURA_WEBHOOK_KEY', 'secret', null, 'encrypts the secrets of webhook endpoints'),
  setting('GAPURA_WEBHOOK_PRIVATE', 'plain', 'false', 'webhooks to private addresses, over http'),
  setting('GAPURA_WEBHOOK_ENDPOINTS_MAX', 'plain', '20', 'webhook endpoints of one owner'),
  setting('GAPURA_WEBHOOK_PROXY', 'url', null, 'a forward proxy for outgoing webhooks'),
  setting('GAPURA_NATS_URL', 'url', null, 'the message bus that events are published to'),
  setting('GAPURA_NATS_CREDENTIALS', 'secret', null, 'the text of a NATS credentials file'),
  setting('GAPURA_NATS_SUBJECT', 'plain', 'gapura', 'the beginning of the subjects'),
  setting('GAPURA_STAFF_CHANNELS', 'secret', null, 'Slack, Telegram and e-mail for staff, as JSON'),
  setting(
    'GAPURA_STAFF_CHANNELS_REST_SECONDS',
    'plain',
    '60',
    'the least time between two messages of a channel',
  ),
  setting(
    'GAPURA_GATEWAY_SILENT_HOURS',
    'plain',
    '0',
    'hours without a notification before staff are notified; 0: never',
  ),
  setting('GAPURA_JWT_ISSUER', 'plain', null, 'the issuer of the callers’ tokens'),
  setting('GAPURA_JWT_AUDIENCE', 'plain', null, 'the audience of the tokens'),
  setting('GAPURA_JWT_JWKS_URL', 'url', null, 'the address of the issuer’s keys'),
  setting('GAPURA_JWT_SECRET', 'secret', null, 'or the shared secret of the tokens'),
  setting('GAPURA_OIDC_ISSUER', 'url', null, 'the identity provider where staff sign in'),
  setting('GAPURA_OIDC_CLIENT_ID', 'plain', null, 'the client at the provider'),
  setting('GAPURA_OIDC_CLIENT_SECRET', 'secret', null, 'the secret of that client'),
  setting('GAPURA_PUBLIC_URL', 'url', null, 'where browsers reach the service'),
]
