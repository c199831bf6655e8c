// The settings of the stand-alone server, out of the environment.
import { FEE_ROUNDING_DEFAULT, FEE_ROUNDINGS } from '../domain/fees.ts'
import { Secret } from '../gateway/secret.ts'
import { openVault } from '../gateway/webhooks/vault.ts'
import type { JwtSettings } from '../http/platform/authentication.ts'
import { checkedOrigins } from '../http/platform/cross_site.ts'
import { DOCS_ACCESS } from '../http/platform/docs.ts'
import { GUESSES_PER_MINUTE, REQUESTS_AT_ONCE } from '../http/platform/limits.ts'
import type { GapuraOptions } from './create_gapura.ts'
import { Reader, type Environment } from './environment_reader.ts'
import { DASHBOARD_ACCESS } from './dashboard_files.ts'
import { biSnapOf, cellOf, gatewayOf, statementsOf } from './gateway_config.ts'
import type { DatabaseAddress } from './inspect.ts'
import { LOG_LEVELS, type LogLevel } from './json_logger.ts'
import type { Place } from './listening.ts'
import { prefixOf } from './mount.ts'
import { parseChannels } from './staff_channels.ts'
import { ENDPOINTS_MAX } from './webhook_endpoints.ts'

/** Settings of the stand-alone server (configuration.md). */
export interface ServerConfig {
  host: string
  port: number
  /** Where health and metrics are; nowhere unless a port is set (api-rules.md#authentication). */
  admin: Place | null
  /** How long requests are still taken once the process is asked to stop. */
  drain_ms: number
  /** The least that the process logs; `info` by default. */
  log_level?: LogLevel
  gapura: GapuraOptions & { databaseUrl: string }
}

/** The settings in the environment, or a ConfigError with everything that is wrong with them. */
export function readConfig(environment: Environment = process.env): ServerConfig {
  const reader = new Reader(environment)
  const jwt = jwtOf(reader)
  const nats = natsOf(reader)
  const webhooks = webhooksOf(reader)
  const host = reader.text('GAPURA_HOST') ?? '127.0.0.1'
  const config: ServerConfig = {
    host,
    port: reader.integer('GAPURA_PORT', 3_000, 65_535),
    admin: adminOf(reader, host),
    drain_ms: reader.integer('GAPURA_DRAIN_SECONDS', 0, 300) * 1_000,
    log_level: reader.choice('GAPURA_LOG_LEVEL', LOG_LEVELS) ?? 'info',
    gapura: {
      ...addressOf(reader),
      prefix: reader.checked('GAPURA_PREFIX', prefixOf) ?? '',
      gateway: { ...gatewayOf(reader), ...biSnapOf(reader) },
      statements: statementsOf(reader),
      ...cellOf(reader),
      confirmNotifications:
        reader.choice('GATEWAY_CONFIRM_NOTIFICATIONS', ['off', 'value']) === 'value',
      ...(jwt && { jwt }),
      ...oidcOf(reader),
      ...(nats && { nats }),
      ...(webhooks && { webhooks }),
      ...alertsOf(reader),
      retention: retentionOf(reader),
      docs: reader.choice('GAPURA_DOCS', DOCS_ACCESS) ?? 'callers',
      dashboard: reader.choice('GAPURA_DASHBOARD', DASHBOARD_ACCESS) ?? 'auto',
      limits: limitsOf(reader),
      allowed_origins: reader.checked('GAPURA_ALLOWED_ORIGINS', originsOf) ?? [],
      refunds: refundsOf(reader),
      feeRounding: reader.choice('GAPURA_FEE_ROUNDING', FEE_ROUNDINGS) ?? FEE_ROUNDING_DEFAULT,
    },
  }
  reader.finish()
  return config
}

function adminOf(reader: Reader, host: string): Place | null {
  const admin_host = reader.text('GAPURA_ADMIN_HOST') ?? host
  if (reader.text('GAPURA_ADMIN_PORT') === undefined) return null
  return { host: admin_host, port: reader.integer('GAPURA_ADMIN_PORT', 0, 65_535) }
}

/** Where the tables are, and nothing else: for what needs no gateway, as migrating does. */
export function readDatabaseAddress(environment: Environment = process.env): DatabaseAddress {
  const reader = new Reader(environment)
  const address = addressOf(reader)
  reader.finish()
  return address
}

function addressOf(reader: Reader): DatabaseAddress {
  const schema = reader.matching('GAPURA_SCHEMA', /^[a-z_][a-z0-9_]{0,40}$/)
  return {
    databaseUrl: reader.required('DATABASE_URL'),
    ...(schema !== undefined && { schema }),
    database: {
      connections_max: reader.integer('GAPURA_DATABASE_CONNECTIONS', 10, 1_000),
      prepared: reader.flag('GAPURA_PREPARED_STATEMENTS', true),
    },
  }
}

/** Months after which maintenance drops; not set or 0 is never (ADR 0018). */
function retentionOf(reader: Reader): NonNullable<GapuraOptions['retention']> {
  const notifications_months = reader.integer('GAPURA_KEEP_NOTIFICATIONS_MONTHS', 0, 1_200)
  const events_months = reader.integer('GAPURA_KEEP_EVENTS_MONTHS', 0, 1_200)
  const audit_months = reader.integer('GAPURA_KEEP_AUDIT_MONTHS', 0, 1_200)
  const deliveries_months = reader.integer('GAPURA_KEEP_DELIVERIES_MONTHS', 0, 1_200)
  return {
    ...(notifications_months > 0 && { notifications_months }),
    ...(events_months > 0 && { events_months }),
    ...(audit_months > 0 && { audit_months }),
    ...(deliveries_months > 0 && { deliveries_months }),
  }
}

function limitsOf(reader: Reader): NonNullable<GapuraOptions['limits']> {
  return {
    requests_per_minute: reader.integer('GAPURA_CALLER_REQUESTS_PER_MINUTE', 0, 10_000_000),
    requests_at_once: reader.integer('GAPURA_CALLER_REQUESTS_AT_ONCE', REQUESTS_AT_ONCE, 100_000),
    guesses_per_minute: reader.integer('GAPURA_GUESSES_PER_MINUTE', GUESSES_PER_MINUTE, 1_000_000),
    trusted_proxies: reader.integer('GAPURA_TRUSTED_PROXIES', 0, 10),
  }
}

const originsOf = (text: string): readonly string[] =>
  checkedOrigins(text.split(',').map((origin) => origin.trim()))

const RUPIAH_MAX = 999_999_999

/** 0 is no bound, as everywhere. */
function refundsOf(reader: Reader): NonNullable<GapuraOptions['refunds']> {
  const daily_limit = reader.integer('GAPURA_REFUND_DAILY_LIMIT', 0, RUPIAH_MAX)
  const above = reader.integer('GAPURA_REFUND_SECOND_PERSON_ABOVE', 0, RUPIAH_MAX)
  const hold_hours = reader.integer('GAPURA_REFUND_HOLD_HOURS', 72, 8_760)
  return {
    ...(daily_limit > 0 && { daily_limit }),
    ...(above > 0 && { second_person_above: above }),
    ...(hold_hours > 0 && { hold_hours }),
  }
}

function alertsOf(reader: Reader): Partial<GapuraOptions> {
  const channels = reader.checked('GAPURA_STAFF_CHANNELS', parseChannels) ?? []
  const seconds = reader.integer('GAPURA_STAFF_CHANNELS_REST_SECONDS', 60, 86_400)
  const hours = reader.integer('GAPURA_GATEWAY_SILENT_HOURS', 0, 8_760)
  const above = reader.integer('GAPURA_RECONCILE_SECOND_PERSON_ABOVE', 0, RUPIAH_MAX)
  return {
    ...(channels.length > 0 && { alerts: { channels, rest_ms: seconds * 1_000 } }),
    ...(hours > 0 && { gatewaySilentHours: hours }),
    ...(above > 0 && { reconcileSecondPersonAbove: above }),
  }
}

const SUBJECT = /^[A-Za-z0-9_-]{1,50}(?:\.[A-Za-z0-9_-]{1,50}){0,3}$/

function natsOf(reader: Reader): GapuraOptions['nats'] {
  const servers = reader
    .text('GAPURA_NATS_URL')
    ?.split(',')
    .map((url) => url.trim())
  const credentials = reader.text('GAPURA_NATS_CREDENTIALS')
  const subject = reader.matching('GAPURA_NATS_SUBJECT', SUBJECT)
  if (servers === undefined) return undefined
  if (!servers.every((url) => /^(?:nats|tls):\/\/[^\s@/]+$/.test(url))) {
    reader.fault('GAPURA_NATS_URL', 'is nats:// or tls:// and a host, without user and password')
  }
  return {
    servers,
    ...(credentials !== undefined && { credentials: new Secret(credentials) }),
    ...(subject !== undefined && { subject }),
  }
}

function webhooksOf(reader: Reader): GapuraOptions['webhooks'] {
  const keys = reader.checked('GAPURA_WEBHOOK_KEY', (text) => {
    const secrets = text.split(',').map((key) => new Secret(key.trim()))
    openVault(secrets)
    return secrets
  })
  const allow_private = reader.flag('GAPURA_WEBHOOK_PRIVATE', false)
  const proxy_url = reader.url('GAPURA_WEBHOOK_PROXY')
  const endpoints_max = reader.integer('GAPURA_WEBHOOK_ENDPOINTS_MAX', ENDPOINTS_MAX, 10_000)
  if (allow_private && reader.flag('GATEWAY_IS_PRODUCTION', false)) {
    reader.fault('GAPURA_WEBHOOK_PRIVATE', 'is for development, and production is on')
  }
  if (keys === undefined) return undefined
  return { keys, allow_private, endpoints_max, ...(proxy_url !== undefined && { proxy_url }) }
}

function jwtOf(reader: Reader): JwtSettings | undefined {
  const issuer = reader.text('GAPURA_JWT_ISSUER')
  const audience = reader.text('GAPURA_JWT_AUDIENCE')
  const jwks_url = reader.url('GAPURA_JWT_JWKS_URL')
  const secret = reader.matching('GAPURA_JWT_SECRET', /^.{32,}$/)
  if (jwks_url === undefined && secret === undefined) return undefined
  if (jwks_url !== undefined && secret !== undefined) {
    reader.fault('GAPURA_JWT_SECRET', 'and GAPURA_JWT_JWKS_URL exclude each other')
  }
  // A token made for somebody else, or by somebody else with the same key, must not pass here.
  if (issuer === undefined) reader.fault('GAPURA_JWT_ISSUER', 'is needed with JWTs')
  if (audience === undefined) reader.fault('GAPURA_JWT_AUDIENCE', 'is needed with JWTs')
  return {
    issuer: issuer ?? '',
    audience: audience ?? '',
    ...(jwks_url !== undefined && { jwks_url }),
    ...(secret !== undefined && { secret: new Secret(secret) }),
  }
}

/** Single sign-on, and where browsers reach the service. */
function oidcOf(reader: Reader): Pick<GapuraOptions, 'oidc' | 'publicUrl'> {
  const issuer = reader.url('GAPURA_OIDC_ISSUER')
  const client_id = reader.text('GAPURA_OIDC_CLIENT_ID')
  const client_secret = reader.text('GAPURA_OIDC_CLIENT_SECRET')
  const publicUrl = reader.url('GAPURA_PUBLIC_URL')
  const site = publicUrl === undefined ? {} : { publicUrl }
  if (issuer === undefined) return site
  const needed = {
    GAPURA_OIDC_CLIENT_ID: client_id,
    GAPURA_OIDC_CLIENT_SECRET: client_secret,
    GAPURA_PUBLIC_URL: publicUrl,
  }
  for (const [name, value] of Object.entries(needed)) {
    if (value === undefined) reader.fault(name, 'is needed with GAPURA_OIDC_ISSUER')
  }
  const plain = [issuer, publicUrl].some((url) => url?.startsWith('http:') === true)
  if (plain && reader.flag('GATEWAY_IS_PRODUCTION', false)) {
    reader.fault('GAPURA_OIDC_ISSUER', 'and GAPURA_PUBLIC_URL need https in production')
  }
  const secret = new Secret(client_secret ?? '')
  return { ...site, oidc: { issuer, client_id: client_id ?? '', client_secret: secret } }
}
