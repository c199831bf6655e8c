// The environment, read once. Every fault is found before any is reported, and no value is ever
// printed: it may be a key in the wrong place.
import { readFileSync } from 'node:fs'
import { Secret } from '../gateway/secret.ts'
import type { JwtSettings } from '../http/platform/authentication.ts'
import { checkedOrigins } from '../http/platform/cross_site.ts'
import { DOCS_ACCESS } from '../http/platform/docs.ts'
import { GUESSES_PER_MINUTE, REQUESTS_AT_ONCE } from '../http/platform/limits.ts'
import type { GapuraOptions } from './create_gapura.ts'
import { DASHBOARD_ACCESS } from './dashboard_files.ts'
import type { DatabaseAddress } from './inspect.ts'
import { LOG_LEVELS, type LogLevel } from './json_logger.ts'
import type { Place } from './listening.ts'
import { prefixOf } from './mount.ts'

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

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`the settings have ${faults.length} fault(s):\n${faults.join('\n')}`)
    this.faults = faults
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** The settings in the environment, or a ConfigError with everything that is wrong with them. */
export function readConfig(environment: Environment = process.env): ServerConfig {
  const reader = new Reader(environment)
  const jwt = jwtOf(reader)
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
      gateway: gatewayOf(reader),
      confirmNotifications:
        reader.choice('GATEWAY_CONFIRM_NOTIFICATIONS', ['off', 'value']) === 'value',
      ...(jwt && { jwt }),
      retention: retentionOf(reader),
      docs: reader.choice('GAPURA_DOCS', DOCS_ACCESS) ?? 'callers',
      dashboard: reader.choice('GAPURA_DASHBOARD', DASHBOARD_ACCESS) ?? 'auto',
      limits: limitsOf(reader),
      allowed_origins: reader.checked('GAPURA_ALLOWED_ORIGINS', originsOf) ?? [],
      refunds: refundsOf(reader),
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

function gatewayOf(reader: Reader): GapuraOptions['gateway'] {
  const is_production = reader.flag('GATEWAY_IS_PRODUCTION', false)
  const server_key = reader.required('GATEWAY_SERVER_KEY')
  const previous = reader.text('GATEWAY_SERVER_KEY_PREVIOUS')
  const client_key = reader.text('GATEWAY_CLIENT_KEY')
  const base_url = reader.url('GATEWAY_BASE_URL')
  const notification_urls = reader.urls('GATEWAY_NOTIFICATION_URL', 3)
  if (is_production) {
    const keys = { GATEWAY_SERVER_KEY: server_key, GATEWAY_CLIENT_KEY: client_key }
    for (const [name, key] of Object.entries(keys)) {
      if (key?.startsWith('SB-')) reader.fault(name, 'is a sandbox key, and production is on')
    }
    if (base_url?.startsWith('http:')) reader.fault('GATEWAY_BASE_URL', 'needs https in production')
  }
  return {
    server_key: new Secret(server_key),
    is_production,
    ...(previous !== undefined && { previous_server_key: new Secret(previous) }),
    ...(client_key !== undefined && { client_key }),
    ...(base_url !== undefined && { base_url }),
    notification_urls,
    card_data: reader.flag('GATEWAY_CARD_DATA', false),
  }
}

/** Months after which maintenance drops; not set or 0 is never (ADR 0018). */
function retentionOf(reader: Reader): NonNullable<GapuraOptions['retention']> {
  const notifications_months = reader.integer('GAPURA_KEEP_NOTIFICATIONS_MONTHS', 0, 1_200)
  const events_months = reader.integer('GAPURA_KEEP_EVENTS_MONTHS', 0, 1_200)
  const audit_months = reader.integer('GAPURA_KEEP_AUDIT_MONTHS', 0, 1_200)
  return {
    ...(notifications_months > 0 && { notifications_months }),
    ...(events_months > 0 && { events_months }),
    ...(audit_months > 0 && { audit_months }),
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

/** With commas between them. */
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

/** Reads variables, or the files they point to, and collects what is wrong. */
class Reader {
  readonly #environment: Environment
  readonly #faults: string[] = []

  constructor(environment: Environment) {
    this.#environment = environment
  }

  fault(name: string, what: string): void {
    this.#faults.push(`${name} ${what}`)
  }

  finish(): void {
    if (this.#faults.length > 0) throw new ConfigError(this.#faults)
  }

  /** The variable, or the content of the file `*_FILE` names; empty is not set. */
  text(name: string): string | undefined {
    const value = this.#environment[name]?.trim()
    const file = this.#environment[`${name}_FILE`]
    if (file === undefined || file === '') return value === '' ? undefined : value
    if (value !== undefined) this.fault(name, `and ${name}_FILE exclude each other`)
    try {
      // Editors end files with a line break; keys never have one.
      return readFileSync(file, 'utf8').trim() || undefined
    } catch {
      this.fault(`${name}_FILE`, 'cannot be read')
      return undefined
    }
  }

  required(name: string): string {
    const value = this.text(name)
    if (value === undefined) this.fault(name, 'is not set')
    else if (/\s/.test(value)) this.fault(name, 'contains white space')
    return value ?? ''
  }

  choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.text(name)
    const chosen = values.find((one) => one === value)
    if (value !== undefined && chosen === undefined) {
      this.fault(name, `is one of ${values.join(', ')}`)
    }
    return chosen
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.choice(name, ['true', 'false', '1', '0'])
    return value === undefined ? otherwise : value === 'true' || value === '1'
  }

  integer(name: string, otherwise: number, max: number): number {
    const value = this.text(name) ?? String(otherwise)
    const good = /^\d{1,9}$/.test(value) && Number(value) <= max
    if (!good) this.fault(name, `is a whole number up to ${max}`)
    return Number(value)
  }

  url(name: string): string | undefined {
    return this.urls(name, 1)[0]
  }

  /** Addresses with commas between them. */
  urls(name: string, max: number): string[] {
    const values = this.text(name)?.split(',') ?? []
    const urls = values.map((value) => value.trim())
    if (!urls.every((url) => URL.canParse(url) && /^https?:/.test(url)) || urls.length > max) {
      this.fault(name, max === 1 ? 'is an http or https address' : `is at most ${max} addresses`)
    }
    return urls
  }

  matching(name: string, pattern: RegExp): string | undefined {
    const value = this.text(name)
    if (value !== undefined && !pattern.test(value))
      this.fault(name, `must match ${pattern.source}`)
    return value
  }

  /** A value that the given function parses and checks. */
  checked<Value>(name: string, parse: (text: string) => Value): Value | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    try {
      return parse(value)
    } catch (error) {
      this.fault(name, error instanceof Error ? error.message : 'is not valid')
      return undefined
    }
  }
}
