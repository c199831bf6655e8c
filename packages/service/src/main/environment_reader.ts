// The environment, read once. Every fault is found before any is reported, and no value is ever
// printed: it may be a key in the wrong place.
import { readFileSync } from 'node:fs'

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`the settings have ${faults.length} fault(s):\n${faults.join('\n')}`)
    this.faults = faults
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads variables, or the files they point to, and collects what is wrong. */
export class Reader {
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
