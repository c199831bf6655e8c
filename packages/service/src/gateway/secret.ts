import { inspect } from 'node:util'
import { HIDDEN } from '../domain/secret_shapes.ts'

/**
 * A value that cannot be printed by accident: not by a template, JSON, a logger or the inspector.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The only way to the value. Call it where the value is used, and do not store the result. */
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
