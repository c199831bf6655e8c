import { ConfigError, inspectDatabase, readDatabaseAddress, type DatabaseInspection } from 'gapura'
import type { Environment } from '../command.ts'
import { failureOf } from '../failure.ts'
import { span, timeOf } from '../formats.ts'
import { fail, ok, skip, warn, type Check } from './check.ts'

type Store = NonNullable<DatabaseInspection['store']>

/** Three missed heartbeats of a worker, as in the service. */
const WORKER_SILENT_MS_MAX = 15_000
const QUIET_MS_MAX = 86_400_000
const SETTLES_WITHIN_MS = 15 * 60_000

export interface DatabaseChecked {
  checks: Check[]
  /** The server's clock and the time of the request, if it could be read. */
  clock: { server: Date; asked: Date } | null
}

/** Every check that needs the database. */
export async function checkDatabase(environment: Environment): Promise<DatabaseChecked> {
  try {
    const found = await inspectDatabase(readDatabaseAddress(environment))
    const checks = [serverCheck(found), schemaCheck(found)]
    if (found.store === null) {
      const later = ['worker', 'partitions', 'notifications', 'events'].map((name) =>
        skip(name, 'needs the tables'),
      )
      return { checks: [...checks, ...later], clock: null }
    }
    const { store } = found
    const clock = { server: store.clocks.server, asked: new Date() }
    return { checks: [...checks, ...storeChecks(store, environment)], clock }
  } catch (error) {
    if (error instanceof ConfigError) {
      return { checks: [skip('database', 'DATABASE_URL cannot be read')], clock: null }
    }
    const { message, advice } = failureOf(error)
    const remedy = advice.join(' ') || 'Check DATABASE_URL.'
    return { checks: [fail('database', message, remedy)], clock: null }
  }
}

function serverCheck({ server_faults }: DatabaseInspection): Check {
  if (server_faults.length === 0) return ok('database', 'reachable, and fit for money')
  const detail = `not fit for money: ${server_faults.join('; ')}`
  return fail(
    'database',
    detail,
    'Use a primary of PostgreSQL 15 or newer with fsync and full_page_writes on.',
  )
}

function schemaCheck({ pending }: DatabaseInspection): Check {
  if (pending.length === 0) return ok('schema', 'of this release')
  const [first = ''] = pending
  const detail = `${pending.length} migrations are missing, from ${first} on`
  return fail('schema', detail, 'Run gapura migrate; gapura migrate --plan shows the SQL first.')
}

const storeChecks = (store: Store, environment: Environment): Check[] => [
  environmentCheck(store, environment),
  workerCheck(store),
  partitionsCheck(store),
  notificationsCheck(store),
  eventsCheck(store),
  waitingCheck(store),
]

function environmentCheck({ environment: claimed }: Store, environment: Environment): Check {
  const production = /^(?:true|1)$/.test(environment['GATEWAY_IS_PRODUCTION'] ?? '')
  const wanted = production ? 'production' : 'sandbox'
  if (claimed === null) return ok('environment', `unclaimed; the first start makes it ${wanted}`)
  if (claimed === wanted) return ok('environment', `the database belongs to ${claimed}`)
  const detail = `the database belongs to ${claimed}, and the settings say ${wanted}`
  return fail('environment', detail, 'Use another database, or correct GATEWAY_IS_PRODUCTION.')
}

function workerCheck({ workers }: Store): Check {
  const [last] = workers
  const alive = workers.filter(({ silent_ms }) => silent_ms <= WORKER_SILENT_MS_MAX)
  const remedy = 'Start one: gapura work, or gapura serve --with-worker.'
  if (alive.length > 0)
    return ok('worker', `${alive.length} alive: ${alive.map((w) => w.description).join(', ')}`)
  if (last === undefined) return fail('worker', 'none is running', remedy)
  const since = `${last.description} has been silent for ${span(last.silent_ms)}`
  return fail(
    'worker',
    `none is alive: ${since}`,
    `${remedy} It takes over what the dead one held.`,
  )
}

function partitionsCheck({ missing_partitions }: Store): Check {
  if (missing_partitions.length === 0)
    return ok('partitions', 'this month and the next three are there')
  const detail = `missing: ${missing_partitions.join(', ')}`
  const remedy =
    'A worker makes them as it starts and every hour: start one, or look for maintenance in its log.'
  return fail('partitions', detail, remedy)
}

function notificationsCheck({ activity }: Store): Check {
  const { now, last_notification_at: last, last_payment_at: paid } = activity
  const remedy =
    'Check the notification URL in the gateway’s dashboard, and gapura doctor --webhook-url <url>.'
  if (last === null) {
    const waited = paid !== null && now.getTime() - paid.getTime() > SETTLES_WITHIN_MS
    if (waited) return warn('notifications', 'none has ever come, and there are payments', remedy)
    return ok('notifications', 'none yet')
  }
  const age_ms = now.getTime() - last.getTime()
  const detail = `the last one ${span(age_ms)} ago (${timeOf(last)})`
  const missed = paid !== null && paid.getTime() - last.getTime() > SETTLES_WITHIN_MS
  if (missed && age_ms > QUIET_MS_MAX)
    return warn('notifications', `${detail}, and payments since`, remedy)
  return ok('notifications', detail)
}

/** Each subscriber that fails, with one of its errors: most often its handler throws. */
function eventsCheck({ events }: Store): Check {
  if (events.length === 0) return ok('events', 'no subscriber fails')
  const detail = events
    .map(
      ({ subscriber, dead, failing, error }) =>
        `${subscriber} fails at ${dead + failing} events, ${dead} of them dead: ${error}`,
    )
    .join('; ')
  const anyDead = events.some(({ dead }) => dead > 0)
  if (!anyDead) return warn('events', detail, 'Correct the handler; the events are retried.')
  const remedy = 'Correct the handler, then gapura events retry; gapura events list names them.'
  return fail('events', detail, remedy)
}

function waitingCheck({ activity: { open_alarms, overdue_operations } }: Store): Check {
  if (open_alarms + overdue_operations === 0) return ok('waiting', 'nothing waits for a person')
  const detail = `${open_alarms} open alarms, ${overdue_operations} operations overdue`
  return warn('waiting', detail, 'See gapura alarms list and gapura operations list.')
}
