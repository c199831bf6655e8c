import { StoreError } from './errors.ts'
import type { Tx } from './transaction.ts'

export const ENVIRONMENTS = ['sandbox', 'production'] as const

export type Environment = (typeof ENVIRONMENTS)[number]

/**
 * Stores which of the gateway's environments this database belongs to, and throws later if it is
 * used with the other: test orders and real money never share a table.
 */
export async function claimEnvironment(tx: Tx, environment: Environment): Promise<void> {
  const claimed = await tx.query(
    `update gapura.setting
     set environment = $1
     where environment is null
       or environment = $1
     returning environment`,
    [environment],
  )
  if (claimed.length === 0) {
    throw new StoreError(
      'environment_mismatch',
      `This database does not belong to ${environment}`,
      undefined,
      'Use another database or schema, or correct GATEWAY_IS_PRODUCTION (gateway.is_production)',
    )
  }
}

/** What must be true of a database before the service answers requests. */
export interface Fitness {
  /** The newest applied migration. */
  version: number
  environment: Environment | null
}

export async function readFitness(tx: Tx): Promise<Fitness | undefined> {
  const [fitness] = await tx.query<Fitness>(
    `select
       coalesce((select max(version) from gapura.migration), 0)::integer as version,
       environment
     from gapura.setting`,
  )
  return fitness
}

/** The database's clock, which all processes share. */
export async function readClock(tx: Tx): Promise<Date> {
  const [row] = await tx.query<{ now: Date }>('select gapura.now() as now')
  if (row === undefined) throw new RangeError('the database returned no time')
  return row.now
}

/** By the database's clock, a moment that `performance.now()` said of this process. Default: now. */
export const onClock = (now: Date, moment: number | undefined): Date =>
  moment === undefined ? now : new Date(now.getTime() - (performance.now() - moment))

/** Advances virtual time for every process of this database. Refused in production. */
export async function moveClock(tx: Tx, by_ms: number): Promise<void> {
  await tx.query(
    `update gapura.setting
     set clock_offset = clock_offset + make_interval(secs => $1::double precision / 1000)`,
    [by_ms],
  )
}
