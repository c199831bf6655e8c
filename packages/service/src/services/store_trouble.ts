import { gatewayError, type GatewayError } from '../domain/errors.ts'
import { isUnavailable } from '../store/connection/errors.ts'

const RETRY_AFTER_S = 5

/** `store_unavailable` if the error only says that the database is unavailable, else undefined. */
export const storeTrouble = (error: unknown): GatewayError | undefined =>
  isUnavailable(error)
    ? gatewayError('store_unavailable', { retry_after_s: RETRY_AFTER_S, cause: error })
    : undefined
