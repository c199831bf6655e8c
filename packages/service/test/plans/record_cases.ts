// The service's own records: operations, keys, alarms, dead events, months.
import {
  closeAlarm,
  closeAlarmAbout,
  listOpenAlarms,
  lockAlarmAbout,
} from '../../src/store/staff/alarms.ts'
import { API_KEYS_BY_HASH, listApiKeys, revokeApiKey } from '../../src/store/access/api_keys.ts'
import {
  findBlockedObjects,
  isDeadAnywhere,
  listDeadEvents,
  listDueRetries,
  releaseDeadEvent,
  reviveObject,
} from '../../src/store/events/dead_events.ts'
import {
  findIntent,
  keepOperationReplies,
  keepOperationReply,
  purgeOldKeys,
  purgeReplies,
  releaseIntent,
} from '../../src/store/operations/intents.ts'
import { newId } from '../../src/store/sql/values.ts'
import { beginSend, claimOperation, findClaims } from '../../src/store/operations/claims.ts'
import {
  endOperation,
  findOperation,
  finishOperation,
  markOperationUnknown,
} from '../../src/store/operations/rows.ts'
import { listOldPartitions } from '../../src/store/maintenance/partitions.ts'
import type { Landmarks, PlanCase } from './plan_case.ts'
import { looks, writes } from './row_cases.ts'

export const recordCases = (known: Landmarks): PlanCase[] => [
  ...operations(),
  ...keys(),
  ...alarms(),
  ...deadEvents(known),
  ...oldMonths(),
]

function operations(): PlanCase[] {
  const KEY = 'gateway_operation_pkey'
  const attempt = { id: newId(), attempt: 1 }
  return [
    looks('operation by id', KEY, (tx) => findOperation(tx, attempt.id)),
    writes('claim an operation', KEY, (tx) => claimOperation(tx, attempt, 1_000)),
    looks('claims that were made', KEY, (tx) =>
      findClaims(tx, [{ ...attempt, written_by: '0', sends: 1, due_at: null }]),
    ),
    writes('begin to send', KEY, (tx) => beginSend(tx, attempt, { lease_ms: 1_000 })),
    writes('mark an operation unknown', KEY, (tx) => markOperationUnknown(tx, attempt, 1_000)),
    writes('finish an operation', KEY, (tx) =>
      finishOperation(tx, attempt, { state: 'refused', reply: null }),
    ),
    writes('end an operation', KEY, (tx) =>
      endOperation(tx, attempt.id, { state: 'refused', reply: null }),
    ),
  ]
}

function keys(): PlanCase[] {
  const OPERATION = 'gateway_operation_pkey'
  const old = { older_than_hours: 24, limit: 50 }
  return [
    looks('an intent', 'gateway_operation_intent', (tx) =>
      findIntent(tx, { owner_id: 'owner-1', key: 'key-1' }),
    ),
    writes('keep a reply', OPERATION, (tx) =>
      keepOperationReply(tx, newId(), { code: 201, body: '{}' }),
    ),
    writes('keep several replies', OPERATION, (tx) =>
      keepOperationReplies(tx, [{ operation_id: newId(), code: 201, body: '{}' }], new Date()),
    ),
    writes('release an intent', OPERATION, (tx) => releaseIntent(tx, newId())),
    writes('purge a page of replies', 'operation_reply_pkey', (tx) => purgeReplies(tx, old)),
    writes('purge a page of old keys', 'idempotency_key_created', (tx) => purgeOldKeys(tx, old)),
    looks('API keys by hash', 'api_key_hash', (tx) =>
      tx.query(API_KEYS_BY_HASH, [['a'.repeat(64), 'b'.repeat(64)]]),
    ),
    looks('API keys of an owner', 'api_key_owner', (tx) => listApiKeys(tx, 'owner-1')),
    writes('revoke an API key', 'api_key_pkey', (tx) => revokeApiKey(tx, newId())),
  ]
}

function alarms(): PlanCase[] {
  const end = { closed_by: 'desk', note: null }
  const about = { kind: 'late_money' as const, subject_id: newId() }
  return [
    looks('open alarms', 'gateway_alarm_open', (tx) => listOpenAlarms(tx, 20)),
    writes('close an alarm', 'gateway_alarm_pkey', (tx) => closeAlarm(tx, newId(), end)),
    writes('close an alarm about', 'gateway_alarm_one_open', (tx) =>
      closeAlarmAbout(tx, about, end),
    ),
    writes('lock an alarm about', 'gateway_alarm_one_open', (tx) => lockAlarmAbout(tx, about)),
  ]
}

function deadEvents({ id }: Landmarks): PlanCase[] {
  // Few subscribers fail at the same object, so this index is as fast as the whole key.
  const BY_OBJECT = 'dead_event_object'
  const name = 'subscriber-1'
  const still = { subscriber: name, object_id: id }
  return [
    looks('dead events of a subscriber', 'dead_event_dead', (tx) => listDeadEvents(tx, name, 20)),
    looks('due retries', 'dead_event_retry', (tx) => listDueRetries(tx, name, 20)),
    looks('blocked objects', 'dead_event_pkey', (tx) =>
      findBlockedObjects(tx, name, [id, newId()]),
    ),
    looks('dead for anybody', BY_OBJECT, (tx) =>
      isDeadAnywhere(tx, { object_id: id, event_id: newId() }),
    ),
    writes('release a dead event', BY_OBJECT, (tx) => releaseDeadEvent(tx, still, 'retry')),
    writes('revive an object', BY_OBJECT, (tx) => reviveObject(tx, name, id)),
  ]
}

/** Of the current month too, which these data fill. */
const KEEP_NOTHING = -1

const oldMonths = (): PlanCase[] => [
  looks('old months of notifications', '_received_at_id_idx', (tx) =>
    listOldPartitions(tx, 'gateway_notification', KEEP_NOTHING),
  ),
  looks('old months of events', '_xid_object_id_sequence_idx', (tx) =>
    listOldPartitions(tx, 'gateway_event', KEEP_NOTHING),
  ),
]
