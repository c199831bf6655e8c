import { checkServer, type Database } from '../connection/database.ts'
import { MIGRATE, StoreError, withRemedies } from '../connection/errors.ts'
import { claimEnvironment, readFitness, type Environment } from '../connection/settings.ts'
import { withTransaction } from '../connection/transaction.ts'
import { readMigrations } from './migrate.ts'

/**
 * Throws a StoreError with its remedy unless the server is safe, the tables are those of this
 * release or a later one, and the database belongs to this environment, which it claims.
 */
export async function checkFitness(db: Database, environment: Environment): Promise<void> {
  await withRemedies(db.schema, async () => {
    await checkServer(db)
    const newest = await newestMigration()
    await withTransaction(db, async (tx) => {
      const behind = behindOf((await readFitness(tx))?.version ?? 0, newest)
      if (behind !== null) throw new StoreError('not_migrated', behind, undefined, MIGRATE)
      await claimEnvironment(tx, environment)
    })
  })
}

export const newestMigration = async (): Promise<number> =>
  (await readMigrations()).at(-1)?.version ?? 0

/**
 * A database ahead of us is fine: the next release migrates before the last process of this one has
 * gone, and migrations leave what the old ones need.
 */
export const behindOf = (version: number, newest: number): string | null =>
  version < newest ? `The database is at migration ${version} of ${newest}` : null
