import { inspect } from 'node:util'
import { HIDDEN } from '../domain/secret_shapes.ts'

/** A value that cannot be printed by accident: not by a template, JSON, a logger or the inspector. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The one way to the value. Call it where it is used, and keep the result nowhere. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}
