// What callers send about endpoints of webhooks.
import { Type } from 'typebox'
import { seesAll, type Caller } from '../../domain/caller.ts'
import type { FieldFault } from '../../domain/charge_rules.ts'
import { OPERATOR_EVENTS } from '../../domain/operator_event.ts'
import { SIGNALS } from '../../domain/signals.ts'
import { DELIVERY_OUTCOMES, ENDPOINT_STATES } from '../../domain/webhook.ts'
import { addressFault, type AddressRules } from '../../gateway/webhooks/address.ts'
import type { EventType } from '../../store/events/outbox.ts'
import { listQueryParser, PAGE_QUERY, uuidQuery } from '../page_query.ts'
import { keptTextParser, refuseFaults, requestParser, secretFaults } from '../validation.ts'

const maybe = Type.Optional
const closed = { additionalProperties: false }
const time = (description: string) =>
  Type.String({ minLength: 10, maxLength: 40, examples: ['2026-01-31T00:00:00Z'], description })

const url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  examples: ['https://shop.example/webhooks'],
  description: 'Where events are posted to: https, port 443, a public address.',
})
const types = Type.Union(
  [
    Type.Array(Type.Enum([...SIGNALS, ...OPERATOR_EVENTS]), { minItems: 1, uniqueItems: true }),
    Type.Null(),
  ],
  {
    description:
      'Only these types; null or left out: every type of payments, invoices and subscriptions.',
  },
)
const description = Type.String({ maxLength: 200, description: 'For your own use.' })

export const DELETE_INPUT = Type.Object(
  {
    reason: maybe(
      Type.String({
        minLength: 3,
        maxLength: 255,
        pattern: '\\S',
        description: 'Why it is deleted, for the audit; required of staff.',
      }),
    ),
  },
  closed,
)
const parseDelete = keptTextParser(DELETE_INPUT)

/** What ends for good needs a reason from staff; owners decide about their own without one. */
export function deletionReason({ staff }: Caller, input: unknown): string | undefined {
  const { reason } = parseDelete(input ?? {})
  if (staff && reason === undefined) {
    refuseFaults([{ field: 'reason', message: 'is required of staff' }])
  }
  return reason
}

export const ENDPOINT_INPUT = Type.Object(
  {
    url,
    types: maybe(types),
    description: maybe(description),
    all_owners: maybe(
      Type.Boolean({
        description: 'For staff: the events of every owner instead of your own.',
      }),
    ),
    ed25519: maybe(
      Type.Boolean({ description: 'Sign with Ed25519 (`v1a`) as well; the public key is shown.' }),
    ),
  },
  closed,
)

export const ENDPOINT_CHANGE = Type.Object(
  { url: maybe(url), types: maybe(types), description: maybe(description) },
  closed,
)

export const ENABLE_INPUT = Type.Object(
  {
    from: maybe(
      time(
        'Continue with the events from this time on instead of where it stopped; earlier ones are sent again, later ones skipped.',
      ),
    ),
  },
  closed,
)

export const RESEND_INPUT = Type.Object(
  {
    delivery_id: maybe(uuidQuery('Send the event of this delivery again.')),
    from: maybe(time('Send the events of all deliveries from this time on again.')),
    to: maybe(time('Only of deliveries before this time; now if left out.')),
    outcome: maybe(
      Type.Enum([...DELIVERY_OUTCOMES], {
        description: 'Of a range, only those that came to this.',
      }),
    ),
  },
  closed,
)

export const ENDPOINT_QUERY = Type.Object(
  {
    state: maybe(Type.Enum([...ENDPOINT_STATES], { description: 'Only endpoints in this state.' })),
    ...PAGE_QUERY,
  },
  closed,
)

export const parseEndpointQuery = listQueryParser(ENDPOINT_QUERY, ({ state }) => ({
  filters: state === undefined ? {} : { state },
}))

export const DELIVERY_QUERY = Type.Object(
  {
    endpoint_id: uuidQuery('The endpoint whose deliveries are listed.'),
    outcome: maybe(
      Type.Enum([...DELIVERY_OUTCOMES], { description: 'Only attempts that came to this.' }),
    ),
    event_id: maybe(uuidQuery('Only attempts to deliver this event.')),
    ...PAGE_QUERY,
  },
  closed,
)

export const parseDeliveryQuery = listQueryParser(
  DELIVERY_QUERY,
  ({ page_size: _size, cursor: _cursor, ...filters }) => ({ filters }),
)

const parseInput = requestParser(ENDPOINT_INPUT)
const parseChange = requestParser(ENDPOINT_CHANGE)
const parseEnabling = requestParser(ENABLE_INPUT)
const parseResend = requestParser(RESEND_INPUT)

/** Operator events are for staff who watch all owners. */
function typeFaults(given: readonly EventType[] | null | undefined, all: boolean): FieldFault[] {
  const known: readonly string[] = SIGNALS
  if (all || (given ?? []).every((type) => known.includes(type))) return []
  return [{ field: 'types', message: 'operator events are only for endpoints of all owners' }]
}

function urlFaults(given: string | undefined, rules: AddressRules): FieldFault[] {
  const message = given === undefined ? undefined : addressFault(given, rules)
  return message === undefined ? [] : [{ field: 'url', message }]
}

export function parseEndpoint(caller: Caller, given: unknown, rules: AddressRules) {
  const input = parseInput(given)
  const { all_owners = false, ed25519 = false } = input
  refuseFaults([
    ...urlFaults(input.url, rules),
    ...typeFaults(input.types, all_owners),
    ...secretFaults({ url: input.url, description: input.description }),
    ...(all_owners && !seesAll(caller) ? [{ field: 'all_owners', message: 'only for staff' }] : []),
  ])
  const { types: wanted = null, description: text = '' } = input
  return { url: new URL(input.url).href, types: wanted, description: text, all_owners, ed25519 }
}

export function parseEndpointChange(given: unknown, all_owners: boolean, rules: AddressRules) {
  const change = parseChange(given)
  refuseFaults([
    ...urlFaults(change.url, rules),
    ...typeFaults(change.types, all_owners),
    ...secretFaults({ url: change.url, description: change.description }),
  ])
  return { ...change, ...(change.url !== undefined && { url: new URL(change.url).href }) }
}

const timeOf = (text: string | undefined): Date | undefined => {
  const parsed = new Date(text ?? '')
  return Number.isNaN(parsed.getTime()) ? undefined : parsed
}

const timeFault = (field: string, text: string | undefined): FieldFault[] =>
  text === undefined || timeOf(text) !== undefined
    ? []
    : [{ field, message: 'must be a time, such as 2026-01-31T00:00:00Z' }]

export function parseEnable(given: unknown): { from: Date | undefined } {
  const { from } = parseEnabling(given)
  refuseFaults(timeFault('from', from))
  return { from: timeOf(from) }
}

export function parseResendInput(given: unknown) {
  const { delivery_id, from, to, outcome } = parseResend(given)
  const one = delivery_id !== undefined
  refuseFaults([
    ...timeFault('from', from),
    ...timeFault('to', to),
    ...(one === (from !== undefined)
      ? [{ field: 'delivery_id', message: 'give this or from' }]
      : []),
    ...(one && (to ?? outcome) !== undefined
      ? [{ field: 'delivery_id', message: 'must be given alone' }]
      : []),
  ])
  return { delivery_id, from: timeOf(from), to: timeOf(to), outcome }
}
