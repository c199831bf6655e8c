// The webhook of the gateway.
import { Type } from 'typebox'
import { receiveNotification } from '../services/notifications/receive_notification.ts'
import { route } from './platform/route.ts'
import { named, text, uuid } from './platform/schema.ts'

/** The gateway's own payload, of which only what the signature needs is fixed. */
const NOTIFICATION = Type.Object(
  {
    order_id: text('The order id of the payment.'),
    transaction_status: text("The gateway's status of the payment."),
    status_code: text("The gateway's status code."),
    gross_amount: text('The amount of the payment, as the gateway writes it.'),
    signature_key: text('SHA-512 of order id, status code, amount and the server key.'),
  },
  { title: 'Notification' },
)

export const RECEIVED = named('NotificationReceived', {
  status: Type.Literal('ok', { description: 'The notification was accepted.' }),
  notification_id: Type.Optional(
    uuid('The id under which it is stored. An unsigned notice is not stored and has none.'),
  ),
})

export const notification = {
  receiveNotification: route({
    method: 'POST',
    path: '/notification/',
    operation: 'receive_notification',
    summary: 'Receive a webhook notification from the gateway and verify its signature',
    access: 'public',
    scope: null,
    input: NOTIFICATION,
    reply: RECEIVED,
    errors: ['signature_invalid'],
    run: async (ctx, { input }) => await receiveNotification(ctx, input),
  }),
}
