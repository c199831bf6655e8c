import type { Database } from '../../store/connection/database.ts'
import {
  listMissingPartitions,
  listWorkers,
  readActivity,
  readClocks,
  readEnvironment,
  type Activity,
  type Clocks,
  type WorkerPulse,
} from '../../store/maintenance/inspection.ts'
import { measureEventTrouble, type EventTrouble } from '../../store/maintenance/gauges.ts'
import type { Environment } from '../../store/connection/settings.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'

/** The state of the database, for `gapura doctor`. */
export interface StoreInspection {
  environment: Environment | null
  clocks: Clocks
  workers: WorkerPulse[]
  missing_partitions: string[]
  activity: Activity
  /** The subscribers that fail at events now. */
  events: EventTrouble[]
}

/** Inspects a database that has our tables. Changes nothing. */
export const inspectStore = async (db: Database): Promise<StoreInspection> =>
  await withReadTransaction(db, async (tx) => ({
    clocks: await readClocks(tx),
    environment: await readEnvironment(tx),
    workers: await listWorkers(tx),
    missing_partitions: await listMissingPartitions(tx),
    activity: await readActivity(tx),
    events: await measureEventTrouble(tx),
  }))
