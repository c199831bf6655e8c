// Endpoints of outgoing webhooks. What was sent to them is in webhook_deliveries.ts.
import { OPERATOR_EVENTS, SIGNALS, type GapuraApi } from 'gapura'
import { UsageError, type Call, type Command, type Flag } from '../command.ts'
import { timeOf } from '../formats.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { record } from '../output.ts'
import { AS_FLAG, LOOKING, staffOf, withGapura } from '../session.ts'

type Endpoint = Awaited<ReturnType<GapuraApi['getWebhookEndpoint']>>

export const ENDPOINT_ARGUMENT = {
  name: 'endpoint',
  summary: 'its id, as webhooks list shows it',
} as const

const TYPES = [...SIGNALS, ...OPERATOR_EVENTS] as const
type EventType = (typeof TYPES)[number]

const TYPE_FLAG: Flag = {
  value: 'type',
  summary: 'only events of this type; may be repeated',
  multiple: true,
}
const DESCRIPTION_FLAG: Flag = { value: 'text', summary: 'for your own use' }

/** The types that were given; undefined if none was. */
function typesOf(call: Call): EventType[] | undefined {
  const given = call.texts('type')
  if (given.length === 0) return undefined
  const known = given.flatMap((type) => TYPES.filter((one) => one === type))
  if (known.length === given.length) return [...new Set(known)]
  const wrong = given.filter((type) => !TYPES.some((one) => one === type))
  throw new UsageError(`no such type: ${wrong.join(', ')}; there is ${TYPES.join(', ')}`)
}

const ownerOf = ({ owner_id }: Endpoint): string => owner_id ?? 'all owners'
const shownTypes = ({ types }: Endpoint): string => types?.join(' ') ?? 'all types'

const endpointText = (endpoint: Endpoint): string =>
  record([
    ['endpoint', endpoint.id],
    ['url', endpoint.url],
    ['types', shownTypes(endpoint)],
    ['owner', ownerOf(endpoint)],
    ['state', endpoint.state],
    ['reason', endpoint.disabled_reason],
    ['failing since', endpoint.failing_since && timeOf(endpoint.failing_since)],
    ['description', endpoint.description],
    ['public key', endpoint.public_key],
    ['created', timeOf(endpoint.created_at)],
    ['updated', timeOf(endpoint.updated_at)],
  ])

const printEndpoint = ({ output }: Call, endpoint: Endpoint): void =>
  output.result(endpoint, () => endpointText(endpoint))

/** The secret alone is the result, so that a pipe carries only it. */
function printSecret({ output }: Call, endpoint: Endpoint & { secret: string }): void {
  output.result(endpoint, () => endpoint.secret)
  if (output.json) return
  output.note(endpointText(endpoint))
  output.note('Store the secret where the receiver finds it: it is not shown again.')
}

const COLUMNS = [
  { title: 'ID', of: ({ id }: Endpoint) => id },
  { title: 'URL', of: ({ url }: Endpoint) => url },
  { title: 'TYPES', of: shownTypes },
  { title: 'OWNER', of: ownerOf },
  { title: 'STATE', of: ({ state }: Endpoint) => state },
  { title: 'FAILING SINCE', of: ({ failing_since }: Endpoint) => timeOf(failing_since) },
]

const list: Command = {
  name: 'webhooks list',
  summary: 'List the webhook endpoints of every owner.',
  flags: { state: { value: 'state', summary: 'enabled, paused or disabled' }, ...PAGE_FLAGS },
  examples: ['gapura webhooks list', 'gapura webhooks list --state disabled'],
  run: async (call) => {
    const query = queryOf(call, { state: 'state' })
    const page = await withGapura(
      call,
      async ({ api }) => await api.listWebhookEndpoints(LOOKING, query),
    )
    printPage(call, page, COLUMNS, 'No webhook endpoints.')
  },
}

const create: Command = {
  name: 'webhooks create',
  summary: 'Create a webhook endpoint, which gets the events from now on.',
  details: `Prints the secret that signs; it is not shown again. Give --owner or --all-owners. The types are ${TYPES.join(', ')}; without --type it gets every type of payments, invoices and subscriptions. ${OPERATOR_EVENTS.join(', ')} are only for endpoints of all owners. The audit names the owner of an endpoint that is created with --owner.`,
  arguments: [{ name: 'url', summary: 'where events are posted to' }],
  flags: {
    owner: { value: 'owner', summary: 'the owner whose events it gets' },
    'all-owners': { summary: 'the events of every owner' },
    type: TYPE_FLAG,
    description: DESCRIPTION_FLAG,
    ed25519: { summary: 'sign with Ed25519 (v1a) as well' },
    as: AS_FLAG,
  },
  examples: [
    'gapura webhooks create https://shop.example/webhooks --owner shop --type payment_settled',
    'gapura webhooks create https://shop.example/alarms --all-owners --type alarm_opened',
  ],
  run: async (call) => {
    const owner = call.text('owner')
    const all_owners = call.on('all-owners')
    if (all_owners === (owner !== undefined)) throw new UsageError('give --owner or --all-owners')
    const staff = staffOf(call)
    const caller = owner === undefined ? staff : { ...staff, owner_id: owner }
    const description = call.text('description')
    const input = {
      url: call.argument('url'),
      types: typesOf(call) ?? null,
      ...(description !== undefined && { description }),
      all_owners,
      ed25519: call.on('ed25519'),
    }
    const made = await withGapura(
      call,
      async ({ api }) => await api.createWebhookEndpoint(caller, input),
    )
    printSecret(call, made)
  },
}

const show: Command = {
  name: 'webhooks show',
  summary: 'Show a webhook endpoint.',
  arguments: [ENDPOINT_ARGUMENT],
  flags: {},
  examples: ['gapura webhooks show <id>'],
  run: async (call) => {
    const id = call.argument('endpoint')
    printEndpoint(
      call,
      await withGapura(call, async ({ api }) => await api.getWebhookEndpoint(LOOKING, id)),
    )
  },
}

/** What `update` changes. */
function changeOf(call: Call) {
  const types = typesOf(call)
  if (types !== undefined && call.on('all-types')) {
    throw new UsageError('--type and --all-types exclude each other')
  }
  const [url, description] = [call.text('url'), call.text('description')]
  const change = {
    ...(url !== undefined && { url }),
    ...(types !== undefined && { types }),
    ...(call.on('all-types') && { types: null }),
    ...(description !== undefined && { description }),
  }
  if (Object.keys(change).length > 0) return change
  throw new UsageError('give what to change: --url, --type, --all-types or --description')
}

const update: Command = {
  name: 'webhooks update',
  summary: 'Change the address, types or description of a webhook endpoint.',
  arguments: [ENDPOINT_ARGUMENT],
  flags: {
    url: { value: 'url', summary: 'where events are posted to' },
    type: TYPE_FLAG,
    'all-types': { summary: 'every type of payments, invoices and subscriptions' },
    description: DESCRIPTION_FLAG,
    as: AS_FLAG,
  },
  examples: ['gapura webhooks update <id> --type payment_settled --type payment_refunded'],
  run: async (call) => {
    const change = changeOf(call)
    const id = call.argument('endpoint')
    const changed = await withGapura(
      call,
      async ({ api }) => await api.updateWebhookEndpoint(staffOf(call), id, change),
    )
    printEndpoint(call, changed)
  },
}

const pause: Command = {
  name: 'webhooks pause',
  summary: 'Pause a webhook endpoint; its events wait.',
  arguments: [ENDPOINT_ARGUMENT],
  flags: { as: AS_FLAG },
  examples: ['gapura webhooks pause <id>'],
  run: async (call) => {
    const id = call.argument('endpoint')
    const paused = await withGapura(
      call,
      async ({ api }) => await api.pauseWebhookEndpoint(staffOf(call), id),
    )
    printEndpoint(call, paused)
  },
}

const enable: Command = {
  name: 'webhooks enable',
  summary: 'Enable a webhook endpoint, from where it stopped or from a chosen time.',
  details:
    'With --from, events before that time are skipped, and later ones are sent again even if they were delivered; receivers drop repeats by their id.',
  arguments: [ENDPOINT_ARGUMENT],
  flags: {
    from: { value: 'time', summary: 'continue with the events from this time on' },
    as: AS_FLAG,
  },
  examples: [
    'gapura webhooks enable <id>',
    'gapura webhooks enable <id> --from 2026-01-31T00:00:00Z',
  ],
  run: async (call) => {
    const id = call.argument('endpoint')
    const from = call.text('from')
    const input = from === undefined ? {} : { from }
    const enabled = await withGapura(
      call,
      async ({ api }) => await api.enableWebhookEndpoint(staffOf(call), id, input),
    )
    printEndpoint(call, enabled)
  },
}

const rotate: Command = {
  name: 'webhooks rotate',
  summary: 'Give a webhook endpoint a new secret; both secrets sign for 24 hours.',
  details: 'Prints the new secret; it is not shown again.',
  arguments: [ENDPOINT_ARGUMENT],
  flags: { as: AS_FLAG },
  examples: ['gapura webhooks rotate <id>'],
  run: async (call) => {
    const id = call.argument('endpoint')
    const rotated = await withGapura(
      call,
      async ({ api }) => await api.rotateWebhookEndpoint(staffOf(call), id),
    )
    printSecret(call, rotated)
  },
}

const remove: Command = {
  name: 'webhooks delete',
  summary: 'Delete a webhook endpoint; what it has not received is not sent.',
  arguments: [ENDPOINT_ARGUMENT],
  flags: {
    reason: { value: 'text', summary: 'why; kept permanently', required: true },
    as: AS_FLAG,
  },
  examples: ['gapura webhooks delete <id> --reason "the shop has closed"'],
  run: async (call) => {
    const id = call.argument('endpoint')
    const input = { reason: call.required('reason') }
    const deleted = await withGapura(
      call,
      async ({ api }) => await api.deleteWebhookEndpoint(staffOf(call), id, input),
    )
    call.output.result(deleted, () => `Endpoint ${deleted.url} is deleted.`)
  },
}

export const ENDPOINT_COMMANDS: readonly Command[] = [
  list,
  create,
  show,
  update,
  pause,
  enable,
  rotate,
  remove,
]
