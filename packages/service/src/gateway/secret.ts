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

const KEY_BYTES = 32

/** The bytes of keys in base64, of which the first is used and every one is accepted. */
export function keyBytesOf(keys: readonly Secret[]): [current: Buffer, ...former: Buffer[]] {
  const [current, ...former] = keys.map((key) => Buffer.from(key.reveal(), 'base64'))
  const all = current === undefined ? [] : [current, ...former]
  if (current === undefined || all.some(({ byteLength }) => byteLength !== KEY_BYTES)) {
    throw new RangeError('must be 32 bytes in base64, as `openssl rand -base64 32` prints')
  }
  return [current, ...former]
}
