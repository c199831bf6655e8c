import type { Caller } from '../../domain/caller.ts'
import { readEnvironment } from '../../store/maintenance/inspection.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'

/** The owner of a key or a session, and the merchant it belongs to. */
export const readMe = async ({ db }: Context, { owner_id, scopes }: Caller) => ({
  owner_id,
  scopes,
  environment: (await withReadTransaction(db, readEnvironment)) ?? 'sandbox',
})
