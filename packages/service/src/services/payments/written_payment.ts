import { GatewayError, gatewayError } from '../../domain/errors.ts'

/**
 * Runs what follows once a payment is on disk. Whatever fails from here on names the payment, so
 * that the caller can look. What is no failure of a kind (the database went away) must not read as
 * "send it again": the gateway may have acted, and the resolver repairs the record.
 */
export async function afterWritten<Result>(
  { payment_id, operation }: { payment_id: string; operation: string },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GatewayError) throw error.about(payment_id)
    throw gatewayError('outcome_not_recorded', { operation, payment_id, cause: error })
  }
}
