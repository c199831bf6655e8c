// What staff look after beside payments: figures, API keys, health, the audit and personal data.
import { Type } from 'typebox'
import { ALARM_KINDS } from '../../domain/alarm.ts'
import { SCOPES } from '../../domain/caller.ts'
import { listKeys, readHealth, readPulse, readMe } from '../../services/staff/desk.ts'
import { ERASURE_INPUT, erasePerson } from '../../services/privacy/erase_person.ts'
import * as acts from '../../services/staff/act_on_object.ts'
import { KEY_QUERY, parseKeyQuery, SHORT_REASON_INPUT } from '../../services/staff/staff_query.ts'
import { CHECKOUT } from '../checkouts.ts'
import { INVOICE } from '../invoices.ts'
import { listRoute, NEWEST_FIRST } from '../platform/list.ts'
import { CHANGING, inProcess, route } from '../platform/route.ts'
import {
  count,
  listOf,
  named,
  oneOf,
  orNull,
  pageOf,
  part,
  seconds,
  text,
  textOrNull,
  time,
  timeOrNull,
  titled,
  uuid,
  yesOrNo,
} from '../platform/schema.ts'
import { SUBSCRIPTION } from '../subscriptions.ts'

const scopes = listOf(oneOf(SCOPES, 'A scope.'), 'What the caller may do.')

export const ME = named('StaffIdentity', {
  owner_id: text('The name under which the caller is recorded.'),
  scopes,
  environment: oneOf(['production', 'sandbox'], 'The gateway environment of this installation.'),
  cells: Type.Optional(
    part(
      named('CellsOfService', {
        here: text('The name of this cell.'),
        others: listOf(
          named('OtherCell', {
            name: text('The name of the cell.'),
            dashboard_url: textOrNull('Where staff open its dashboard; null: not configured.'),
          }),
          'The other cells.',
        ),
      }),
      'The cells, if payments of all of them can be listed here.',
    ),
  ),
})

export const KEY_PAGE = pageOf(
  'StaffKeyPage',
  named('StaffKey', {
    id: uuid('The id of the key; the key itself is not stored.'),
    owner_id: text('The owner that the key acts as.'),
    name: text('The name that was given to the key.'),
    staff: yesOrNo('Whether the key belongs to a staff member.'),
    scopes,
    expires_at: timeOrNull('When the key stops working; null: never.'),
    revoked_at: timeOrNull('When the key was revoked; null: it is in use.'),
    created_at: time('When the key was created.'),
    used_at: timeOrNull('When the key was last used, accurate to a minute; null: never.'),
  }),
)

export const WAITING = named('Waiting', {
  count: count('How many wait; counting stops at 100.'),
  oldest_s: seconds('How long the oldest has waited, in seconds.'),
})

const last_notification_at = timeOrNull('When the latest webhook notification was received.')
const last_payment_at = timeOrNull('When the latest payment was created.')

export const HEALTH = named('StaffHealthReport', {
  now: time('The time in the database.'),
  last_notification_at,
  last_payment_at,
  breaker: part(
    named('BreakerState', {
      open: yesOrNo('Whether calls to the gateway are stopped, because it keeps failing.'),
      openings: count('How often that happened since the process started.'),
    }),
    'The circuit breaker of this process.',
  ),
  operations: part(WAITING, 'Operations without a known outcome.'),
  overdue: part(WAITING, 'Payments still pending past their expiry time.'),
  checks: part(WAITING, 'Payments whose check at the gateway is due.'),
  jobs: orNull(WAITING, 'Background jobs that are due; null where no worker has run yet.'),
  alarms: listOf(
    named('OpenAlarms', {
      kind: oneOf(ALARM_KINDS, 'The kind of the alarms.'),
      count: count('How many are open.'),
    }),
    'Open alarms by kind.',
  ),
  subscribers: listOf(
    named('SubscriberLag', {
      subscriber: text('The name of the subscriber.'),
      lag_s: seconds('The age of the oldest event it has not received, in seconds.'),
      dead: count('How many events it failed at and gave up.'),
    }),
    'How far each subscriber is behind.',
  ),
  workers: listOf(
    named('WorkerPulse', {
      id: text('The id of the worker process.'),
      description: text('Where it runs.'),
      started_at: time('When it started.'),
      beat_at: time('When it last reported.'),
      silent_ms: seconds('How long ago that was, in milliseconds.'),
    }),
    'The worker processes, the latest report first.',
  ),
})

export const PULSE = named('Pulse', {
  last_notification_at,
  last_payment_at,
  open_alarms: count('How many alarms are open.'),
  held_refunds: count('How many refunds wait for a second staff member.'),
})

const reading = { method: 'GET', access: 'staff', scope: 'staff:read' } as const

const acting = {
  method: 'POST',
  access: 'staff',
  input: titled('StaffReasonInput', SHORT_REASON_INPUT),
} as const

const subscribing = {
  ...acting,
  scope: 'subscriptions:write',
  reply: SUBSCRIPTION,
  errors: [...CHANGING, 'subscription_action_refused'],
} as const

/** Actions on checkouts, invoices and subscriptions, as callers have them, with the reason of staff. */
export const staff_objects = {
  createCheckout: route({
    method: 'POST',
    access: 'staff',
    path: '/staff/checkouts/',
    operation: 'create_staff_checkout',
    summary: 'Open a page where the payer chooses how to pay, for the owner that is named',
    scope: 'payments:write',
    input: titled('StaffCheckoutInput', acts.STAFF_CHECKOUT_INPUT),
    status: 201,
    reply: CHECKOUT,
    errors: [...CHANGING, 'duplicate_order', 'order_ended', 'gateway_duplicate'],
    example: {
      link: {
        summary: 'A payment link of a day for an owner',
        value: { owner_id: 'shop', amount: 150_000, description: 'Ordered by phone' },
      },
    },
    run: async (ctx, { request, input }) => await acts.staffCreateCheckout(ctx, request, input),
  }),

  cancelCheckout: route({
    ...acting,
    path: '/staff/checkouts/{pk}/cancel/',
    operation: 'cancel_staff_checkout',
    summary: 'Cancel an open checkout and what the payer chose on it, with a reason',
    scope: 'payments:write',
    reply: CHECKOUT,
    errors: [...CHANGING, 'checkout_not_open'],
    run: async (ctx, { request, id, input }) =>
      await acts.staffCancelCheckout(ctx, request, id, input),
  }),

  voidInvoice: route({
    ...acting,
    path: '/staff/invoices/{pk}/void/',
    operation: 'void_staff_invoice',
    summary: 'Void an invoice that is pending or overdue, with a reason',
    scope: 'invoices:write',
    reply: INVOICE,
    errors: [...CHANGING, 'invoice_not_voidable'],
    run: async (ctx, { request, id, input }) =>
      await acts.staffVoidInvoice(ctx, request, id, input),
  }),

  disableSubscription: route({
    ...subscribing,
    path: '/staff/subscriptions/{pk}/disable/',
    operation: 'disable_staff_subscription',
    summary: 'Disable a subscription, with a reason',
    run: async (ctx, { request, id, input }) =>
      await acts.staffDisableSubscription(ctx, request, id, input),
  }),

  enableSubscription: route({
    ...subscribing,
    path: '/staff/subscriptions/{pk}/enable/',
    operation: 'enable_staff_subscription',
    summary: 'Enable a subscription again, with a reason',
    run: async (ctx, { request, id, input }) =>
      await acts.staffEnableSubscription(ctx, request, id, input),
  }),

  cancelSubscription: route({
    ...subscribing,
    path: '/staff/subscriptions/{pk}/cancel/',
    operation: 'cancel_staff_subscription',
    summary: 'Cancel a subscription permanently, with a reason',
    run: async (ctx, { request, id, input }) =>
      await acts.staffCancelSubscription(ctx, request, id, input),
  }),
}

export const identity = {
  getMe: route({
    method: 'GET',
    path: '/staff/me/',
    operation: 'get_me',
    summary: 'Read the caller of this key or session',
    access: 'staff',
    scope: null,
    reply: ME,
    run: async (ctx, { request }) => await readMe(ctx, request.caller),
  }),
}

export const desk = {
  listKeys: listRoute(
    {
      path: '/staff/keys/',
      operation: 'list_staff_keys',
      summary: 'List the API keys of every owner, without the secret keys',
      access: 'staff',
      scope: 'staff:read',
      query: KEY_QUERY,
      reply: KEY_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseKeyQuery, find: listKeys },
  ),

  getHealth: route({
    ...reading,
    path: '/staff/health/',
    operation: 'get_staff_health',
    summary: 'Read the queues, their oldest entries and the running workers',
    reply: HEALTH,
    run: async (ctx, { request }) => await readHealth(ctx, request.caller),
  }),

  getPulse: route({
    ...reading,
    path: '/staff/pulse/',
    operation: 'get_staff_pulse',
    summary: 'Read the times of the last changes, to decide whether to reload',
    reply: PULSE,
    run: async (ctx, { request }) => await readPulse(ctx, request.caller),
  }),

  /** Removes what is stored about a person, or about all customers of an owner. */
  erasePerson: inProcess({
    method: 'POST',
    path: '/staff/erasures/',
    access: 'staff',
    scope: 'staff:act',
    input: ERASURE_INPUT,
    repeat: 'a repeat finds nothing more to erase.',
    run: async (ctx, { request, input }) => await erasePerson(ctx, request.caller, input),
  }),
}
