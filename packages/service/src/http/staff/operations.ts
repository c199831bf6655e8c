// Calls to the gateway that changed something, or may have: what is open, and how one ends by hand.
import { Type } from 'typebox'
import { OPERATION_KINDS, OPERATION_STATES } from '../../domain/operation.ts'
import { OBJECT_KINDS } from '../../domain/signals.ts'
import { listOperations, resolveOperation } from '../../services/staff/operations.ts'
import {
  HAND_INPUT,
  OPERATION_QUERY,
  parseOperationQuery,
} from '../../services/staff/staff_query.ts'
import { CHECKOUT_RECORD } from '../checkouts.ts'
import { INVOICE } from '../invoices.ts'
import { PAYMENT } from '../payment_schemas.ts'
import { listRoute, NEWEST_FIRST } from '../platform/list.ts'
import { AT_GATEWAY, route } from '../platform/route.ts'
import {
  anyObject,
  count,
  named,
  oneOf,
  orNull,
  pageOf,
  part,
  text,
  time,
  timeOrNull,
  titled,
  uuid,
  uuidOrNull,
} from '../platform/schema.ts'
import { SUBSCRIPTION } from '../subscriptions.ts'

export const OPERATION = named('Operation', {
  id: uuid('The id of the operation; it is also the idempotency key at the gateway.'),
  owner_id: text('The owner of the object.'),
  kind: oneOf(OPERATION_KINDS, 'Which call to the gateway it is.'),
  subject_kind: oneOf(OBJECT_KINDS, 'What kind of object it changes.'),
  subject_id: uuid('The object it changes.'),
  refund_id: uuidOrNull('The refund it makes; null for other operations.'),
  request: anyObject('What was sent, without tokens, card data and keys.'),
  reply: orNull(anyObject('The reply.'), 'What the gateway answered; null until it has.'),
  state: oneOf(
    OPERATION_STATES,
    '`unknown`: it was sent and its outcome is unknown; the resolver queries the gateway.',
  ),
  attempt: count('How many attempts there were; only the latest may record a result.'),
  due_at: timeOrNull('When the resolver takes it up next; null where it has ended.'),
  sent_at: time('When it was last sent.'),
  sends: count('How often it was sent.'),
  created_at: time('When the operation was created.'),
  updated_at: time('When the operation last changed.'),
})

export const OPERATION_PAGE = pageOf('OperationPage', OPERATION)

export const RESOLVED = named('Resolved', {
  operation: part(OPERATION, 'The operation as it is now.'),
  payment: Type.Optional(part(PAYMENT, 'The payment that it is about, as it is now.')),
  invoice: Type.Optional(part(INVOICE, 'The invoice that it is about, as it is now.')),
  subscription: Type.Optional(
    part(SUBSCRIPTION, 'The subscription that it is about, as it is now.'),
  ),
  checkout: Type.Optional(part(CHECKOUT_RECORD, 'The checkout that it is about, as it is now.')),
})

export const operations = {
  listOperations: listRoute(
    {
      path: '/staff/operations/',
      operation: 'list_staff_operations',
      summary: 'List operations with an unknown outcome, or all operations of one object',
      access: 'staff',
      scope: 'staff:read',
      query: OPERATION_QUERY,
      reply: OPERATION_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseOperationQuery, find: listOperations },
  ),

  resolveOperation: route({
    method: 'POST',
    path: '/staff/operations/{pk}/resolve/',
    operation: 'resolve_staff_operation',
    summary: 'Resolve an operation manually, unless the gateway reports its outcome',
    access: 'staff',
    scope: 'staff:act',
    input: titled('HandInput', HAND_INPUT),
    repeat: 'an operation ends once; a repeat is refused and says how it ended.',
    reply: RESOLVED,
    errors: AT_GATEWAY,
    run: async (ctx, { request, id, input }) =>
      await resolveOperation(ctx, request.caller, id, input),
  }),
}
