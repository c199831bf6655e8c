import { GatewayError, gatewayError } from '../domain/errors.ts'
import type { ObjectKind } from '../domain/signals.ts'

interface WrittenDown {
  subject_kind: ObjectKind
  subject_id: string
  operation: string
}

/**
 * Runs what follows once an object is committed. Any failure from here on names the object, so that
 * the caller can look it up. An unclassified failure (the database went away) must not invite a
 * repeat: the gateway may have acted, and the resolver repairs the record.
 */
export async function afterWritten<Result>(
  { subject_kind: kind, subject_id: id, operation }: WrittenDown,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const known =
      error instanceof GatewayError
        ? error
        : gatewayError('outcome_not_recorded', { operation, cause: error })
    throw known.about({ kind, id })
  }
}
