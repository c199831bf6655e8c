import { lockAlarmAbout, openAlarm } from '../store/staff/alarms.ts'
import type { Tx } from '../store/connection/transaction.ts'
import { buryEvent } from '../store/events/dead_events.ts'
import type { EventType } from '../store/events/outbox.ts'
import { newId } from '../store/sql/values.ts'
import type { Delivered } from './delivery.ts'
import type { Subscriber } from './subscribers.ts'

/** An event that a handler failed at, once that is on disk. */
export interface EventFailure {
  subscriber: string
  event_id: string
  type: EventType
  object_id: string
  attempts: number
  error: string
  /** No further attempt is made: staff retry or skip it. */
  dead: boolean
}

export interface RetryOptions {
  /** After this many failures of one event staff are alarmed. */
  attempts_max: number
  retry_ms_min: number
  retry_ms_max: number
}

interface Failing {
  subscriber: Subscriber
  options: RetryOptions
}

type Failed = NonNullable<Delivered['failed']>

/**
 * Sets a failed event aside with the time of its next attempt; after the last one it is dead. Staff
 * are alarmed unless the subscriber is an endpoint: its owner sees what it has not received, and staff
 * learn of an endpoint that fails for days.
 */
export async function setAside(
  tx: Tx,
  { subscriber, options }: Failing,
  { event, error, retry_after_ms = 0 }: Failed,
  attempts: number,
): Promise<EventFailure> {
  const { id: event_id, type, object_id } = event
  const failure = { subscriber: subscriber.name, event_id, type, object_id, attempts, error }
  const retry_in_ms = subscriber.endpoint
    ? subscriber.endpoint.retryIn(attempts, retry_after_ms)
    : retryIn(attempts, options)
  if (retry_in_ms !== undefined) {
    await buryEvent(tx, subscriber.name, event, { attempts, error, retry_in_ms })
    return { ...failure, dead: false }
  }
  await buryEvent(tx, subscriber.name, event, { attempts, error })
  if (subscriber.endpoint !== undefined) return { ...failure, dead: true }
  const about = { kind: 'event_dead', subject_id: event.id } as const
  // Another subscriber's failure at the same event may be released at this moment.
  await lockAlarmAbout(tx, about)
  await openAlarm(tx, {
    ...about,
    id: newId(),
    subject_kind: 'event',
    owner_id: event.owner_id,
    detail: `${subscriber.name} failed ${attempts} times at ${event.type}`,
  })
  return { ...failure, dead: true }
}

function retryIn(
  attempts: number,
  { attempts_max, retry_ms_min, retry_ms_max }: RetryOptions,
): number | undefined {
  if (attempts >= attempts_max) return undefined
  return Math.min(retry_ms_min * 2 ** (attempts - 1), retry_ms_max)
}
