import { GatewayError, gatewayError } from '../domain/errors.ts'
import type { ObjectKind } from '../domain/signals.ts'

interface WrittenDown {
  subject_kind: ObjectKind
  subject_id: string
  operation: string
}

/**
 * Runs what follows once an object is on disk. Whatever fails from here on names the object, so
 * that the caller can look. What is no failure of a kind (the database went away) must not read as
 * "send it again": the gateway may have acted, and the resolver repairs the record.
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
