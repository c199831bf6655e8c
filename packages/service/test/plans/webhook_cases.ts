// Endpoints of webhooks and the log of their deliveries.
import { retryEvents } from '../../src/store/events/dead_events.ts'
import { newId } from '../../src/store/sql/values.ts'
import {
  findDelivery,
  findNextAttempt,
  findObjectEvent,
  forgetResends,
  insertResendRange,
  listDeliveries,
  listResends,
} from '../../src/store/webhooks/deliveries.ts'
import {
  changeEndpoint,
  countEndpoints,
  deleteEndpoint,
  findEndpoint,
  findEventFrom,
  listEndpoints,
  lockEndpoint,
  rotateSecret,
  setEndpointState,
  setFailing,
} from '../../src/store/webhooks/endpoints.ts'
import { STAFF } from '../store/sample_rows.ts'
import type { Landmarks, PlanCase } from './plan_case.ts'
import { looks, writes } from './row_cases.ts'

const KEY = 'webhook_endpoint_pkey'
const ADDRESS = 'webhook_endpoint_address'
const first = { page_size: 20, cursor: null }
const ANI = { owner_id: 'owner-7', staff: false, scopes: [] }

export const webhookCases = ({ id }: Landmarks): PlanCase[] => {
  const changed = { id: newId(), url: 'https://new.example/', types: null, description: '' }
  const place = { object_id: id, sequence: 1 }
  return [
    looks('an endpoint', KEY, (tx) => findEndpoint(tx, ANI, newId())),
    writes('lock an endpoint', KEY, (tx) => lockEndpoint(tx, ANI, newId())),
    looks('endpoints of an owner', ADDRESS, (tx) => countEndpoints(tx, 'owner-7')),
    looks('a page of endpoints', 'webhook_endpoint_list', (tx) =>
      listEndpoints(tx, STAFF, {}, first),
    ),
    writes('change an endpoint', KEY, (tx) => changeEndpoint(tx, changed)),
    writes('the state of an endpoint', KEY, (tx) => setEndpointState(tx, newId(), 'paused')),
    writes('rotate a secret', KEY, (tx) => rotateSecret(tx, newId(), 's', 24)),
    writes('an endpoint fails', KEY, (tx) => setFailing(tx, newId(), true)),
    writes('delete an endpoint', KEY, (tx) => deleteEndpoint(tx, newId())),
    writes('forget resends', 'webhook_resend_endpoint', (tx) => forgetResends(tx, newId())),
    looks('the first event from a number on', '_xid_object_id_sequence_idx', (tx) =>
      findEventFrom(tx, '5'),
    ),
    looks('a page of deliveries', '_endpoint_id_created_at_id_idx', (tx) =>
      listDeliveries(tx, { endpoint_id: newId(), outcome: 'failed' }, first),
    ),
    looks('a delivery', '_pkey', (tx) => findDelivery(tx, newId())),
    looks('an event of an object', '_pkey', (tx) => findObjectEvent(tx, place)),
    looks('the next attempt at an event', 'dead_event_object', (tx) =>
      findNextAttempt(tx, 'subscriber-1', { object_id: id, event_id: newId() }),
    ),
    writes('events of an object are tried again', 'dead_event_object', (tx) =>
      retryEvents(tx, 'subscriber-1', id),
    ),
    writes('send a range again', '_endpoint_id_created_at_id_idx', (tx) =>
      insertResendRange(tx, newId(), { from: new Date(0), to: new Date(), limit: 100 }),
    ),
    looks('what is to be sent again', 'webhook_resend_endpoint', (tx) =>
      listResends(tx, newId(), 8),
    ),
  ]
}
