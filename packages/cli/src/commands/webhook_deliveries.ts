// What was sent to the endpoints of webhooks, and what is sent again.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, GapuraApi } from 'gapura'
import { UsageError, type Call, type Command } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { CommandFailure } from '../failure.ts'
import { timeOf } from '../formats.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { record } from '../output.ts'
import { AS_FLAG, LOOKING, staffOf, withGapura } from '../session.ts'
import { ENDPOINT_ARGUMENT } from './webhooks.ts'

type Delivery = Awaited<ReturnType<GapuraApi['listWebhookDeliveries']>>['results'][number]
type Detail = Awaited<ReturnType<GapuraApi['getWebhookDelivery']>>

const OUTCOMES = ['delivered', 'failed'] as const

const statusOf = ({ response_status }: Delivery): string =>
  response_status === null ? '-' : String(response_status)

const COLUMNS = [
  { title: 'ID', of: ({ id }: Delivery) => id },
  { title: 'TIME', of: ({ created_at }: Delivery) => timeOf(created_at) },
  { title: 'EVENT', of: ({ type }: Delivery) => type },
  {
    title: 'ATTEMPT',
    of: ({ attempt }: Delivery) => String(attempt),
    align: 'right' as const,
  },
  { title: 'OUTCOME', of: ({ outcome }: Delivery) => outcome },
  { title: 'STATUS', of: statusOf, align: 'right' as const },
  { title: 'MS', of: ({ duration_ms }: Delivery) => String(duration_ms), align: 'right' as const },
  { title: 'ERROR', of: ({ error_class }: Delivery) => error_class ?? '-' },
]

const deliveryText = (delivery: Delivery): string =>
  record([
    ['delivery', delivery.id],
    ['time', timeOf(delivery.created_at)],
    ['url', delivery.url],
    ['event', `${delivery.type} ${delivery.event_id}`],
    ['object', delivery.object_id],
    ['attempt', String(delivery.attempt)],
    ['outcome', delivery.outcome],
    ['error', delivery.error_class],
    ['status', statusOf(delivery)],
    ['took', `${delivery.duration_ms} ms`],
  ])

const detailText = (detail: Detail): string =>
  [
    deliveryText(detail),
    ...(detail.next_attempt_at === null ? [] : [`next try ${timeOf(detail.next_attempt_at)}`]),
    `Request:\n${detail.request_body ?? '(not kept)'}`,
    `Response:\n${detail.response_body || '(empty)'}`,
  ].join('\n\n')

const deliveries: Command = {
  name: 'webhooks deliveries',
  summary: 'List the attempts to deliver events to a webhook endpoint, or show one.',
  arguments: [ENDPOINT_ARGUMENT],
  flags: {
    outcome: { value: 'outcome', summary: 'delivered or failed' },
    event: { value: 'id', summary: 'only attempts to deliver this event' },
    delivery: { value: 'id', summary: 'show this one, with request and response' },
    ...PAGE_FLAGS,
  },
  examples: [
    'gapura webhooks deliveries <id> --outcome failed',
    'gapura webhooks deliveries <id> --delivery <id>',
  ],
  run: async (call) => {
    const one = call.text('delivery')
    const endpoint_id = call.argument('endpoint')
    const outcome = call.oneOf('outcome', OUTCOMES)
    const given = { ...queryOf(call, { event: 'event_id' }), endpoint_id }
    await withGapura(call, async ({ api }) => {
      if (one !== undefined) {
        const detail = await api.getWebhookDelivery(LOOKING, one)
        if (detail.endpoint_id !== endpoint_id) throw notOf(endpoint_id)
        call.output.result(detail, () => detailText(detail))
        return
      }
      const query = { ...given, ...(outcome && { outcome }) }
      const page = await api.listWebhookDeliveries(LOOKING, query)
      printPage(call, page, COLUMNS, 'No deliveries.')
    })
  },
}

const notOf = (endpoint_id: string): CommandFailure =>
  new CommandFailure({
    exit_code: EXIT.not_found,
    code: 'not_found',
    message: `the delivery is not of endpoint ${endpoint_id}`,
    advice: ['gapura webhooks deliveries lists those of an endpoint.'],
  })

const resend: Command = {
  name: 'webhooks resend',
  summary: 'Send the event of a delivery again, or those of a range of time.',
  details:
    'Give --delivery for one event, or --from for those of all deliveries from that time on. The events have the same ids as before; a worker sends them.',
  arguments: [ENDPOINT_ARGUMENT],
  flags: {
    delivery: { value: 'id', summary: 'the delivery whose event is sent again' },
    from: { value: 'time', summary: 'of all deliveries from this time on' },
    to: { value: 'time', summary: 'before this time (default: now)' },
    outcome: { value: 'outcome', summary: 'of a range, only delivered or failed' },
    as: AS_FLAG,
  },
  examples: [
    'gapura webhooks resend <id> --delivery <id>',
    'gapura webhooks resend <id> --from 2026-01-31T00:00:00Z --outcome failed',
  ],
  run: async (call) => {
    const [delivery_id, from, to] = [call.text('delivery'), call.text('from'), call.text('to')]
    const outcome = call.oneOf('outcome', OUTCOMES)
    if ((delivery_id === undefined) === (from === undefined)) {
      throw new UsageError('give --delivery or --from')
    }
    const input = {
      ...(delivery_id !== undefined && { delivery_id }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(outcome && { outcome }),
    }
    const id = call.argument('endpoint')
    const sent = await withGapura(
      call,
      async ({ api }) => await api.resendWebhookEndpoint(staffOf(call), id, input),
    )
    call.output.result(sent, () => `${sent.queued} queued; webhooks deliveries shows the outcome.`)
  },
}

const WAIT_MS_MAX = 15_000
const LOOK_EVERY_MS = 200

/** Sends a test event and waits for its delivery; undefined if no worker sent it in time. */
async function sendTest(api: GapuraApi, caller: Caller, id: string): Promise<Delivery | undefined> {
  const { event_id } = await api.testWebhookEndpoint(caller, id)
  const query = { endpoint_id: id, event_id: event_id ?? '' }
  const end = Date.now() + WAIT_MS_MAX
  while (Date.now() < end) {
    const [sent] = (await api.listWebhookDeliveries(LOOKING, query)).results
    if (sent !== undefined) return sent
    await sleep(LOOK_EVERY_MS)
  }
  return undefined
}

const notSent = (): CommandFailure =>
  new CommandFailure({
    exit_code: EXIT.failure,
    code: 'not_sent',
    message: `no worker sent the test event within ${WAIT_MS_MAX / 1000} s`,
    advice: ['Check that gapura work runs, and that it has GAPURA_WEBHOOK_KEY.'],
  })

async function runTest(call: Call): Promise<typeof EXIT.ok | typeof EXIT.failure> {
  const sent = await withGapura(
    call,
    async ({ api }) => await sendTest(api, staffOf(call), call.argument('endpoint')),
  )
  if (sent === undefined) throw notSent()
  const { response_body } = sent
  call.output.result(sent, () =>
    [deliveryText(sent), ...(response_body ? [response_body] : [])].join('\n\n'),
  )
  return sent.outcome === 'delivered' ? EXIT.ok : EXIT.failure
}

const test: Command = {
  name: 'webhooks test',
  summary: 'Send a test event to a webhook endpoint and print what came of it.',
  details: `Waits up to ${WAIT_MS_MAX / 1000} s for a worker to send it. The exit code is 0 if it was delivered.`,
  arguments: [ENDPOINT_ARGUMENT],
  flags: { as: AS_FLAG },
  examples: ['gapura webhooks test <id>'],
  run: runTest,
}

export const DELIVERY_COMMANDS: readonly Command[] = [test, deliveries, resend]
