import { gatewayError, type GatewayError } from '../domain/errors.ts'
import { isUnavailable, StoreError, type StoreErrorCode } from '../store/connection/errors.ts'

const RETRY_AFTER_S = 5
/** The pause of a move is at most two seconds (ADR 0040). */
const MOVING_RETRY_AFTER_S = 1
/** As the fence around a moving owner words it; see note_owner_change. */
const MOVING = 'the owner is moved to another cell'

/** `store_unavailable` if the error only says that the database is unavailable, else undefined. */
export function storeTrouble(error: unknown): GatewayError | undefined {
  if (!isUnavailable(error)) return undefined
  if (error instanceof Error && error.message === MOVING) {
    return gatewayError('store_unavailable', {
      retry_after_s: MOVING_RETRY_AFTER_S,
      cause: error,
      message: 'The owner is being moved to another cell',
    })
  }
  const remedied = error instanceof StoreError && error.remedy !== null
  return gatewayError('store_unavailable', {
    retry_after_s: RETRY_AFTER_S,
    cause: error,
    ...(remedied && { message: error.message }),
    ...(remedied && UNFIT.has(error.code) && { advice: `${error.remedy}.` }),
  })
}

/** No repetition helps here, so the advice of the catalogue would mislead. */
const UNFIT: ReadonlySet<StoreErrorCode> = new Set([
  'not_migrated',
  'no_rights',
  'login_refused',
  'database_missing',
  'environment_mismatch',
  'statements_shared',
])
