// An interface document with other routes than ours, to test the SDK's generator.
import type { OpenApi, Schema } from '../../scripts/sdk/document.ts'

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: Schema) => ({ content: { 'application/json': { schema } } })
const id = { name: 'pk', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
const key = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }
const filter = (name: string, schema: Schema, required = false) => ({
  name,
  in: 'query',
  required,
  schema,
})

const status: Schema = {
  enum: ['initiated', 'failure', 'draft', 'pending', 'overdue', 'paid'],
  description: 'Where it stands',
}
const text: Schema = { type: 'string' }
const pageOf = (name: string): Schema => ({
  type: 'object',
  required: ['next', 'previous', 'results'],
  properties: {
    next: { anyOf: [text, { type: 'null' }] },
    previous: { anyOf: [text, { type: 'null' }] },
    results: { type: 'array', items: ref(name) },
  },
})
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

/** With the real problem body, which is written against by hand. */
export const planted = (problem: OpenApi['components']['schemas']): OpenApi => ({
  paths: {
    '/invoices/': {
      get: {
        operationId: 'list_invoices',
        summary: 'List invoices',
        parameters: [filter('status', status), filter('cursor', text)],
        responses: { 200: json(ref('InvoicePage')) },
      },
      post: {
        operationId: 'create_invoice',
        parameters: [key],
        requestBody: json(ref('InvoiceInput')),
        responses: { 201: json(ref('Invoice')) },
      },
    },
    '/invoices/{pk}/void/': {
      post: {
        operationId: 'void_invoice',
        description: 'Ends with a star */ and a slash',
        parameters: [id, key],
        requestBody: json(object({ reason: text })),
        responses: { 200: json(ref('Invoice')) },
      },
    },
    '/subscriptions/{pk}/{action_name}/': {
      post: {
        operationId: 'act_subscription',
        parameters: [
          id,
          {
            name: 'action_name',
            in: 'path',
            schema: { enum: ['disable', 'enable', 'cancel'] },
          },
          key,
        ],
        responses: { 200: json(object({ id: text })) },
      },
    },
    '/subscriptions/{pk}/': {
      patch: {
        operationId: 'update_subscription',
        parameters: [id, key],
        requestBody: json({ type: 'object', properties: { name: text } }),
        responses: {
          200: json(object({ id: text })),
          202: json(object({ queued: { const: true } })),
        },
      },
    },
    '/staff/open_alarms/': {
      get: {
        operationId: 'list_open_alarms',
        responses: { 200: json(pageOf('Alarm')) },
      },
    },
    '/staff/open_alarms/{pk}/close/': {
      post: {
        operationId: 'close_open_alarm',
        parameters: [id, key],
        responses: { 200: json(ref('Alarm')) },
      },
    },
    '/staff/report/': {
      get: {
        operationId: 'get_staff_report',
        parameters: [filter('from', text, true)],
        responses: { 200: json(ref('Report')) },
      },
    },
  },
  components: {
    schemas: {
      ...problem,
      Invoice: object({ id: text, status, amount: text, lines: { type: 'array', items: text } }),
      InvoiceSummary: object({ id: text, status }),
      InvoicePage: pageOf('InvoiceSummary'),
      InvoiceInput: object({ due_date: text }),
      Report: object({
        total: { type: 'integer' },
        // Only what a route refers to becomes a type, and the types of events name these.
        payment: ref('Payment'),
        refund: ref('Refund'),
        subscription: ref('Subscription'),
        checkout: ref('CheckoutRecord'),
      }),
      Payment: object({ id: text }),
      Refund: object({ id: text }),
      Subscription: object({ id: text }),
      CheckoutRecord: object({ id: text }),
      Alarm: object({ id: text, about: { description: 'Anything' } }),
    },
  },
})
