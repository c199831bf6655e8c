// The environment, read once. Every fault is found before any is reported, and no value is ever
// printed: it may be a key in the wrong place.
import { readFileSync } from 'node:fs'
import { Secret } from '../gateway/secret.ts'
import type { JwtSettings } from '../http/bearer.ts'
import type { GapuraOptions } from './create_gapura.ts'
import { prefixOf } from './mount.ts'

/** Settings of the stand-alone server (D-23). */
export interface ServerConfig {
  host: string
  port: number
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
  const schema = reader.matching('GAPURA_SCHEMA', /^[a-z_][a-z0-9_]{0,40}$/)
  const jwt = jwtOf(reader)
  const config: ServerConfig = {
    host: reader.text('GAPURA_HOST') ?? '127.0.0.1',
    port: reader.integer('GAPURA_PORT', 3_000, 65_535),
    gapura: {
      databaseUrl: reader.required('DATABASE_URL'),
      ...(schema !== undefined && { schema }),
      prefix: reader.checked('GAPURA_PREFIX', prefixOf) ?? '',
      database: {
        connections_max: reader.integer('GAPURA_DATABASE_CONNECTIONS', 10, 1_000),
        prepared: reader.flag('GAPURA_PREPARED_STATEMENTS', true),
      },
      gateway: gatewayOf(reader),
      confirmNotifications:
        reader.choice('GATEWAY_CONFIRM_NOTIFICATIONS', ['off', 'value']) === 'value',
      ...(jwt && { jwt }),
    },
  }
  reader.finish()
  return config
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

  choice(name: string, values: readonly string[]): string | undefined {
    const value = this.text(name)
    if (value !== undefined && !values.includes(value)) {
      this.fault(name, `is one of ${values.join(', ')}`)
    }
    return value
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

  /** A value by the rule of whoever uses it. */
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
