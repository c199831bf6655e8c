import type { Caller } from '../../domain/caller.ts'
import { readEnvironment } from '../../store/maintenance/inspection.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'

/** Whom a key or a session belongs to, and whose money it is about. */
export const readMe = async ({ db }: Context, { owner_id, scopes }: Caller) => ({
  owner_id,
  scopes,
  environment: (await withReadTransaction(db, readEnvironment)) ?? 'sandbox',
})
