// The inbox: every webhook notification that was accepted, and what became of it.
import { NOTIFICATION_EFFECTS } from '../../domain/notification.ts'
import {
  listNotifications,
  readNotification,
  replayNotification,
} from '../../services/staff/notifications.ts'
import { NOTIFICATION_QUERY, parseNotificationQuery } from '../../services/staff/staff_query.ts'
import { listRoute, NEWEST_FIRST } from '../platform/list.ts'
import { route } from '../platform/route.ts'
import {
  anyObject,
  named,
  oneOf,
  pageOf,
  textOrNull,
  time,
  uuid,
  uuidOrNull,
} from '../platform/schema.ts'

export const NOTIFICATION_SUMMARY = named('NotificationSummary', {
  id: uuid('The id of the notification.'),
  payment_id: uuidOrNull('The payment it is about; null where the order is unknown here.'),
  owner_id: textOrNull('The owner of the payment; null where the order is unknown here.'),
  order_id: textOrNull('The order id, as the gateway sent it.'),
  transaction_id: textOrNull("The gateway's id of the payment, as it was sent."),
  transaction_status: textOrNull('The status, as the gateway sent it.'),
  fraud_status: textOrNull('The fraud status, as the gateway sent it.'),
  payment_type: textOrNull('The payment method, as the gateway sent it.'),
  status_code: textOrNull('The status code, as the gateway sent it.'),
  gross_amount: textOrNull('The amount, as the gateway sent it.'),
  effect: oneOf(
    NOTIFICATION_EFFECTS,
    'What became of it; `deferred`: the gateway is asked before the payment changes.',
  ),
  reason: textOrNull('Why it had this effect.'),
  verified_with: textOrNull('Which server key verified it: `current` or `previous`.'),
  created_at: time('When it was received.'),
})

export const NOTIFICATION_PAGE = pageOf('NotificationPage', NOTIFICATION_SUMMARY)

export const NOTIFICATION_DETAIL = named('NotificationDetail', {
  ...NOTIFICATION_SUMMARY.properties,
  raw_payload: anyObject('The payload as it was received, without its signature.'),
})

export const REPLAYED = named('Replayed', {
  id: uuid('The id of the new notification that the replay wrote.'),
  effect: NOTIFICATION_SUMMARY.properties.effect,
  reason: textOrNull('Why it had this effect, and who replayed it.'),
  payment_id: uuidOrNull('The payment it is about; null where the order is unknown here.'),
  replay_of: uuid('The notification that was replayed.'),
})

const reading = { access: 'staff', scope: 'staff:read' } as const

export const notifications = {
  listNotifications: listRoute(
    {
      ...reading,
      path: '/staff/notifications/',
      operation: 'list_staff_notifications',
      summary: 'List received notifications, newest first',
      query: NOTIFICATION_QUERY,
      reply: NOTIFICATION_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseNotificationQuery, find: listNotifications },
  ),

  getNotification: route({
    ...reading,
    method: 'GET',
    path: '/staff/notifications/{pk}/',
    operation: 'get_staff_notification',
    summary: 'Read a notification with its payload',
    reply: NOTIFICATION_DETAIL,
    run: async (ctx, { request, id }) => await readNotification(ctx, request.caller, id),
  }),

  replayNotification: route({
    method: 'POST',
    path: '/staff/notifications/{pk}/replay/',
    operation: 'replay_staff_notification',
    summary: 'Process a stored notification again, as if it had just arrived',
    access: 'staff',
    scope: 'staff:act',
    repeat: 'a repeat has no further effect.',
    reply: REPLAYED,
    run: async (ctx, { request, id }) => await replayNotification(ctx, request.caller, id),
  }),
}
