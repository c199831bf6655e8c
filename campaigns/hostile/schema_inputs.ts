// Dates, enumerations, and every other field of the document: a valid request with one invalid
// place.
import type { Random } from '../bench/random.ts'
import { render, type HostileInput, type World } from './input.ts'
import { breaksOf, OPERATIONS, placesOf, without, withAt, type Operation } from './schema.ts'

const NO_DAYS = [
  '0000-00-00',
  '2026-02-29',
  '2099-02-30',
  '2099-13-01',
  '2099-00-10',
  '2099-1-1',
  '31-12-2099',
  '2099/12/31',
  'tomorrow',
  '',
  '２０９９-12-31',
  '2020-01-01',
]
const NO_TIMES = [
  '2026-02-30T00:00:00Z',
  '2026-04-31T10:00:00+07:00',
  '2026-01-01T24:00:01Z',
  '2026-01-01T10:00:60Z',
  '2026-01-01T10:61:00Z',
  '2026-13-01T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '2026-01-01',
  '2026-01-01T10:00:00',
  '2026-01-01T10:00:00+25:00',
  '2026-01-01T10:00:00+07:99',
  'now',
  '1767225600',
  '-000001-01-01T00:00:00Z',
]
/** Unusual but valid times. */
const ODD_TIMES = [
  '9999-12-31T23:59:59Z',
  '0001-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2024-02-29T23:59:59.999999999-12:00',
]

const WITH_BODY = OPERATIONS.filter(
  ({ body, name }) => body !== null && name !== 'receive_notification',
)
const WITH_QUERY = OPERATIONS.filter(({ parameters }) =>
  parameters.some((one) => one.in === 'query'),
)

const pathOf = ({ path }: Operation, { payments }: World, random: Random): string =>
  path
    .replace('{pk}', random.pick(payments).id)
    .replace('{action_name}', random.pick(['disable', 'nope', 'DISABLE', 'cancel%20']))

/** A valid body of the operation, with one place that the document forbids. */
function bodyInput(random: Random, world: World): HostileInput {
  const asked = random.pick(WITH_BODY)
  const schema = asked.body ?? {}
  const good = asked.examples.length === 0 ? {} : random.pick(asked.examples)
  const required = schema.required ?? []
  const key = random.pick(world.keys)
  const path = pathOf(asked, world, random)
  const as = (body: unknown, name: string, invalid: string): HostileInput => ({
    category: 'schema',
    name: `${asked.name} ${name}`,
    bytes: render({ path, body: JSON.stringify(body), key }),
    invalid,
  })
  if (required.length > 0 && random.chance(0.1)) {
    const name = random.pick(required)
    return as(without(good, name), `without ${name}`, 'a field is missing')
  }
  const places = placesOf(schema).map((place) => ({
    place,
    breaks: breaksOf(place.schema, random),
  }))
  const { place, breaks } = random.pick(places.filter((one) => one.breaks.length > 0))
  const { value, why } = random.pick(breaks)
  return as(withAt(good, place.path, value), place.path.join('.'), why)
}

function queryInput(random: Random, world: World): HostileInput {
  const asked = random.pick(WITH_QUERY)
  const { name, schema } = random.pick(asked.parameters.filter((one) => one.in === 'query'))
  const texts = breaksOf(schema, random).filter(({ value }) => typeof value === 'string')
  const time = name.startsWith('created_')
  const day = name.startsWith('due_')
  const day_words = NO_DAYS.filter((word) => !word.startsWith('2020'))
  const word = time
    ? random.pick(NO_TIMES)
    : day
      ? random.pick(day_words)
      : texts.length === 0
        ? undefined
        : String(random.pick(texts).value)
  // A text where a text is allowed is no fault: only what the document forbids is sent here.
  const odd = time && random.chance(0.2) ? random.pick(ODD_TIMES) : undefined
  const unfit = word === undefined || schema.anyOf !== undefined
  const value = odd ?? (unfit ? '' : word)
  const path = `${asked.path}?${name}=${encodeURIComponent(value)}`
  return {
    category: 'schema',
    name: `${asked.name} ${name}`,
    bytes: render({ method: 'GET', path, key: random.pick(world.keys) }),
    invalid: odd === undefined ? 'not what the document says' : null,
  }
}

const GOOD_INVOICE = {
  customer_name: 'Ani',
  customer_email: 'ani@example.com',
  due_date: '2099-12-31',
  items: [{ description: 'Tea', price: 1_000 }],
}
const GOOD_SUBSCRIPTION = {
  name: 'Tea',
  amount: 1_000,
  payment_type: 'credit_card',
  token: 'no-such-token-of-a-card',
}

/** Invalid days and times, where one is expected. */
function timeInput(random: Random, world: World): HostileInput {
  const [path, body] = random.pick<[string, object]>([
    ['/invoices/', { ...GOOD_INVOICE, due_date: random.pick(NO_DAYS) }],
    ['/invoices/', { ...GOOD_INVOICE, invoice_date: random.pick(NO_DAYS.slice(0, -1)) }],
    ['/subscriptions/', { ...GOOD_SUBSCRIPTION, start_time: random.pick(NO_TIMES) }],
    [
      '/charge/',
      {
        payment_type: 'bank_transfer',
        bank: 'bca',
        gross_amount: 10_000,
        custom_expiry: {
          expiry_duration: random.pick([0, -1, 1.5, 100_000_000, 99_999_999]),
          unit: random.pick(['second', 'minute', 'hour', 'day']),
        },
      },
    ],
    [
      '/charge/',
      {
        payment_type: 'bank_transfer',
        bank: 'bca',
        gross_amount: 10_000,
        custom_expiry: {
          expiry_duration: 60,
          order_time: random.pick(['', 'now', '2026-02-30 10:00:00', '2026-01-01']),
        },
      },
    ],
  ])
  const bytes = render({ path, body: JSON.stringify(body), key: random.pick(world.keys) })
  return { category: 'schema', name: `a time of ${path}`, bytes, invalid: 'no such time' }
}

export function schemaInput(random: Random, world: World): HostileInput {
  const make = random.pick([bodyInput, bodyInput, bodyInput, queryInput, timeInput])
  return make(random, world)
}
