import type { ExitCode } from './exit_codes.ts'
import type { Output } from './output.ts'

export interface Flag {
  /** The name of its value in help texts; a flag without one is on or off. */
  value?: string
  summary: string
  required?: boolean
  /** May be given several times. */
  multiple?: boolean
}

export interface Argument {
  name: string
  summary: string
  optional?: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/** One command: the parser, the help text and docs/cli.md are all made from this. */
export interface Command {
  /** As typed: `payments list`. */
  name: string
  summary: string
  /** More sentences in the help of this one command. */
  details?: string
  arguments?: readonly Argument[]
  flags: Readonly<Record<string, Flag>>
  examples: readonly string[]
  run: (call: Call) => Promise<ExitCode | void>
}

/** The command line is not valid; the message says what is. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[]>>

interface CallParts {
  command: Command
  values: Values
  positionals: readonly string[]
  environment: Environment
  output: Output
}

/** One call of a command, with what it was given. */
export class Call {
  readonly output: Output
  readonly environment: Environment
  readonly #parts: CallParts

  constructor(parts: CallParts) {
    this.#parts = parts
    this.output = parts.output
    this.environment = parts.environment
  }

  /** The positional argument of this name; the parser has checked the required ones. */
  argument(name: string): string {
    const { command, positionals } = this.#parts
    const place = command.arguments?.findIndex((argument) => argument.name === name) ?? -1
    if (place < 0) throw new RangeError(`${command.name} has no argument ${name}`)
    return positionals[place] ?? ''
  }

  text(name: string): string | undefined {
    const value = this.#valueOf(name)
    return typeof value === 'string' ? value : undefined
  }

  /** A required flag. */
  required(name: string): string {
    const value = this.text(name)
    if (value === undefined) throw new UsageError(`--${name} is required`)
    return value
  }

  texts(name: string): string[] {
    const value = this.#valueOf(name)
    return Array.isArray(value) ? value.map(String) : []
  }

  on(name: string): boolean {
    return this.#valueOf(name) === true
  }

  integer(name: string, { min, max }: { min: number; max: number }): number | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}`)
  }

  oneOf<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const choice = choices.find((known) => known === value)
    if (choice === undefined) throw new UsageError(`--${name} must be one of ${choices.join(', ')}`)
    return choice
  }

  #valueOf(name: string) {
    const { command, values } = this.#parts
    if (!(name in command.flags)) throw new RangeError(`${command.name} has no flag ${name}`)
    return values[name]
  }
}
