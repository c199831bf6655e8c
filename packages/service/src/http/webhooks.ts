// Endpoints that events are sent to, and the log of what was sent (webhooks.md).
import { Type } from 'typebox'
import { OPERATOR_EVENTS } from '../domain/operator_event.ts'
import { SIGNALS } from '../domain/signals.ts'
import { DELIVERY_ERRORS, DELIVERY_OUTCOMES, ENDPOINT_STATES } from '../domain/webhook.ts'
import {
  DELETE_INPUT,
  DELIVERY_QUERY,
  ENABLE_INPUT,
  ENDPOINT_CHANGE,
  ENDPOINT_INPUT,
  ENDPOINT_QUERY,
  parseDeliveryQuery,
  parseEndpointQuery,
  RESEND_INPUT,
} from '../services/webhooks/endpoint_input.ts'
import {
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  listEndpoints,
  pauseEndpoint,
  readEndpoint,
  rotateEndpointSecret,
  updateEndpoint,
} from '../services/webhooks/endpoints.ts'
import {
  listDeliveries,
  readDelivery,
  resendDeliveries,
  testEndpoint,
} from '../services/webhooks/deliveries.ts'
import { listRoute, NEWEST_FIRST } from './platform/list.ts'
import { route } from './platform/route.ts'
import {
  count,
  countOrNull,
  named,
  oneOf,
  oneOfOrNull,
  orNull,
  pageOf,
  text,
  textOrNull,
  time,
  timeOrNull,
  titled,
  uuid,
  uuidOrNull,
} from './platform/schema.ts'

const endpoint = {
  id: uuid('The id of the endpoint.'),
  owner_id: textOrNull('The owner whose events it gets; null: the events of every owner.'),
  url: text('Where events are posted to.'),
  types: orNull(
    Type.Array(Type.Enum([...SIGNALS, ...OPERATOR_EVENTS])),
    'The types it gets; null: every type of payments, invoices and subscriptions.',
  ),
  description: text('For your own use.'),
  state: oneOf(
    ENDPOINT_STATES,
    '`paused` by you, `disabled` by the service; in both states events wait.',
  ),
  disabled_reason: textOrNull('Why the service disabled it.'),
  failing_since: timeOrNull('Since when every attempt failed; null after a success.'),
  public_key: textOrNull('The key that verifies `v1a` signatures, if it was asked for.'),
  created_at: time('When the endpoint was created.'),
  updated_at: time('When it was last changed.'),
}

const ENDPOINT = named('WebhookEndpoint', endpoint)
export const ENDPOINT_PAGE = pageOf('WebhookEndpointPage', ENDPOINT)
const ENDPOINT_WITH_SECRET = named('WebhookEndpointWithSecret', {
  ...endpoint,
  secret: text('The secret that signs, shown this once: store it where the receiver finds it.'),
})

const delivery = {
  id: uuid('The id of the attempt.'),
  endpoint_id: uuid('The endpoint.'),
  event_id: uuid('The id of the event, as in `webhook-id`.'),
  type: text('The type of the event; `webhook_test` of a test.'),
  object_id: uuidOrNull('The payment, invoice or subscription of the event; null of a test.'),
  sequence: countOrNull('The number of the event among those of its object; null of a test.'),
  owner_id: textOrNull('The owner of that object; null of a test.'),
  attempt: count('Which attempt it was, from 1.'),
  outcome: oneOf(DELIVERY_OUTCOMES, 'What came of it; only 2xx is a delivery.'),
  error_class: oneOfOrNull(DELIVERY_ERRORS, 'What failed; null if it was delivered.'),
  url: text('Where it was posted to.'),
  response_status: countOrNull('The HTTP status of the response; null without one.'),
  response_body: text('The first 2 kB of the response.'),
  duration_ms: count('How long it took, in milliseconds.'),
  created_at: time('When the attempt ended.'),
}

export const DELIVERY_PAGE = pageOf('WebhookDeliveryPage', named('WebhookDelivery', delivery))
const DELIVERY = named('WebhookDeliveryDetail', {
  ...delivery,
  request_body: textOrNull('The body that was posted; null of a test or a dropped event.'),
  next_attempt_at: timeOrNull('When the event is tried again; null if it is not.'),
})

const QUEUED = named('QueuedDeliveries', {
  id: uuid('The endpoint.'),
  event_id: uuidOrNull('The id of a test event, as in `webhook-id`; null of a resend.'),
  queued: count('How many events a worker sends now; the log shows them.'),
})

const acting = { method: 'POST', scope: 'webhooks:write' } as const

export const webhooks = {
  listWebhookEndpoints: listRoute(
    {
      path: '/webhook_endpoints/',
      operation: 'list_webhook_endpoints',
      summary: 'List webhook endpoints, newest first; staff see those of every owner',
      scope: null,
      query: ENDPOINT_QUERY,
      reply: ENDPOINT_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseEndpointQuery, find: listEndpoints },
  ),

  createWebhookEndpoint: route({
    ...acting,
    path: '/webhook_endpoints/',
    operation: 'create_webhook_endpoint',
    summary: 'Create a webhook endpoint, which gets the events from now on',
    input: titled('WebhookEndpointInput', ENDPOINT_INPUT),
    status: 201,
    reply: ENDPOINT_WITH_SECRET,
    repeat: 'a second endpoint with the same address is `invalid_request`.',
    problems: ['webhooks_not_configured'],
    example: {
      payments: {
        summary: 'For settled and refunded payments',
        value: {
          url: 'https://shop.example/webhooks',
          types: ['payment_settled', 'payment_refunded'],
        },
      },
    },
    run: async (ctx, { request, input }) => await createEndpoint(ctx, request, input),
  }),

  getWebhookEndpoint: route({
    method: 'GET',
    path: '/webhook_endpoints/{pk}/',
    operation: 'get_webhook_endpoint',
    summary: 'Read a webhook endpoint',
    scope: null,
    reply: ENDPOINT,
    run: async (ctx, { request, id }) => await readEndpoint(ctx, request.caller, id),
  }),

  updateWebhookEndpoint: route({
    ...acting,
    path: '/webhook_endpoints/{pk}/update/',
    operation: 'update_webhook_endpoint',
    summary: 'Change the address, types or description of a webhook endpoint',
    input: titled('WebhookEndpointChange', ENDPOINT_CHANGE),
    reply: ENDPOINT,
    repeat: 'the same change again changes nothing.',
    problems: ['webhooks_not_configured'],
    run: async (ctx, { request, id, input }) => await updateEndpoint(ctx, request, id, input),
  }),

  pauseWebhookEndpoint: route({
    ...acting,
    path: '/webhook_endpoints/{pk}/pause/',
    operation: 'pause_webhook_endpoint',
    summary: 'Pause a webhook endpoint; its events wait',
    reply: ENDPOINT,
    repeat: 'a paused endpoint stays paused.',
    run: async (ctx, { request, id }) => await pauseEndpoint(ctx, request, id),
  }),

  enableWebhookEndpoint: route({
    ...acting,
    path: '/webhook_endpoints/{pk}/enable/',
    operation: 'enable_webhook_endpoint',
    summary: 'Enable a webhook endpoint, from where it stopped or from a chosen time',
    input: titled('WebhookEnableInput', ENABLE_INPUT),
    input_optional: true,
    reply: ENDPOINT,
    repeat: 'the endpoint continues from the same place; receivers drop repeats by their id.',
    run: async (ctx, { request, id, input }) => await enableEndpoint(ctx, request, id, input ?? {}),
  }),

  rotateWebhookEndpoint: route({
    ...acting,
    path: '/webhook_endpoints/{pk}/rotate/',
    operation: 'rotate_webhook_endpoint',
    summary: 'Give a webhook endpoint a new secret; both secrets sign for 24 hours',
    reply: ENDPOINT_WITH_SECRET,
    repeat: 'a repeat gives another secret; the one before it signs for 24 hours.',
    problems: ['webhooks_not_configured'],
    run: async (ctx, { request, id }) => await rotateEndpointSecret(ctx, request, id),
  }),

  deleteWebhookEndpoint: route({
    ...acting,
    path: '/webhook_endpoints/{pk}/delete/',
    operation: 'delete_webhook_endpoint',
    summary: 'Delete a webhook endpoint; what it has not received is not sent',
    input: titled('WebhookDeleteInput', DELETE_INPUT),
    input_optional: true,
    reply: ENDPOINT,
    repeat: 'a deleted endpoint is `not_found`.',
    run: async (ctx, { request, id, input }) => await deleteEndpoint(ctx, request, id, input),
  }),

  testWebhookEndpoint: route({
    ...acting,
    path: '/webhook_endpoints/{pk}/test/',
    operation: 'test_webhook_endpoint',
    summary: 'Send a test event to a webhook endpoint',
    reply: QUEUED,
    repeat: 'every request sends one more test event.',
    errors: ['invalid_request'],
    run: async (ctx, { request, id }) => await testEndpoint(ctx, request, id),
  }),

  resendWebhookEndpoint: route({
    ...acting,
    path: '/webhook_endpoints/{pk}/resend/',
    operation: 'resend_webhook_endpoint',
    summary: 'Send the event of a delivery again, or those of a range of time',
    input: titled('WebhookResendInput', RESEND_INPUT),
    reply: QUEUED,
    repeat: 'the events are sent once more under the same ids.',
    example: {
      failed: {
        summary: 'Everything that failed since a time',
        value: { from: '2026-01-31T00:00:00Z', outcome: 'failed' },
      },
    },
    run: async (ctx, { request, id, input }) => await resendDeliveries(ctx, request, id, input),
  }),

  listWebhookDeliveries: listRoute(
    {
      path: '/webhook_deliveries/',
      operation: 'list_webhook_deliveries',
      summary: 'List the attempts to deliver events to an endpoint, newest first',
      scope: null,
      query: DELIVERY_QUERY,
      reply: DELIVERY_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseDeliveryQuery, find: listDeliveries },
  ),

  getWebhookDelivery: route({
    method: 'GET',
    path: '/webhook_deliveries/{pk}/',
    operation: 'get_webhook_delivery',
    summary: 'Read one attempt with the body that was sent',
    scope: null,
    reply: DELIVERY,
    run: async (ctx, { request, id }) => await readDelivery(ctx, request.caller, id),
  }),
}
