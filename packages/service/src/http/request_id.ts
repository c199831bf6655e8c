import { randomUUID } from 'node:crypto'
import { secretIn } from '../domain/secret_shapes.ts'

const REQUEST_ID = /^[A-Za-z0-9._~:@/+=-]{1,100}$/

/** The client's own id where it is one we would print, else a new one. */
export const requestIdOf = (given: unknown): string =>
  typeof given === 'string' && REQUEST_ID.test(given) && secretIn(given) === undefined
    ? given
    : randomUUID()
