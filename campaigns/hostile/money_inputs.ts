// Invalid amounts in every field that takes one, as JSON text, so that a value which a parser would
// round arrives as written.
import type { Random } from '../bench/random.ts'
import { render, type HostileInput, type World } from './input.ts'

interface Token {
  /** The JSON text in place of the amount. */
  text: string
  why: string | null
}

const bad = (why: string, ...texts: string[]): Token[] => texts.map((text) => ({ text, why }))
const may = (...texts: string[]): Token[] => texts.map((text) => ({ text, why: null }))

const FIXED: readonly Token[] = [
  ...bad('not a number JSON knows', 'NaN', 'Infinity', '-Infinity', '0x10', '1_000', '+1', '.5'),
  ...bad('not a number JSON knows', '1.', '01', '1,000', '--1', '1e', "'1'"),
  ...bad('beyond what a number holds', '1e400', '-1e400', '9007199254740993', '1e21'),
  ...bad('too large', '99999999999999999999', '"99999999999999"', '"1e13"', '1e15'),
  ...bad('not more than zero', '0', '-0', '-1', '"-1"', '"0"', '"0.00"', '-10000', '"-0"'),
  ...bad('not whole rupiah', '1.005', '0.1', '1.5', '"1.50"', '10000.01', '"10000.99"', '1e-7'),
  ...bad('too many decimals', '10000.001', '"10000.000"', '"1.0000000000000001"'),
  ...bad('no amount', '""', '" 10"', '"10 "', '"1e3"', '"0x10"', '"10,000"', '"10.000,00"'),
  ...bad('no amount', '"Rp10000"', '"１０"', '"١٠"', '"10\\n"', '"1 000"', '"+10"', '"010"'),
  ...bad('no amount', '"NaN"', '"Infinity"', '"10\\u0000"', '"½"', '"10\\u00a0"', '".5"', '"5."'),
  ...bad('another type', 'true', 'false', 'null', '[10000]', '{"amount":10000}', '[]', '{}'),
  ...may('1e3', '"10000"', '"10000.00"', '10000.0', '10000.00000000000000001', '9999999999999'),
]

/** Random ones, invalid by construction. */
function madeUp(random: Random): Token {
  const whole = Math.floor(random.between(1, 1e7))
  const digits = (count: number): string =>
    Array.from({ length: count }, () => String(Math.floor(random.between(0, 10)))).join('')
  const nonzero = Math.floor(random.between(1, 10))
  return random.pick<Token>([
    { text: `-${whole}`, why: 'negative' },
    { text: `"-${whole}.00"`, why: 'negative' },
    { text: `${whole}.${nonzero}`, why: 'not whole rupiah' },
    { text: `"${whole}.${digits(3)}"`, why: 'too many decimals' },
    { text: `"${whole}.0${nonzero}"`, why: 'not whole rupiah' },
    { text: `"${nonzero}${digits(13 + Math.floor(random.between(0, 6)))}"`, why: 'too large' },
    { text: `${nonzero}e${Math.floor(random.between(14, 308))}`, why: 'too large' },
    { text: `"${whole}e${nonzero}"`, why: 'no amount' },
    { text: `"0${whole}"`, why: 'no amount' },
    { text: `"${whole} "`, why: 'no amount' },
  ])
}

const MARK = '"@amount@"'
const QUANTITIES = ['0', '-1', '1.5', '1e9', '"1"', 'null', '1e400', '[1]', '9007199254740993']

const charge = (more: object): string =>
  JSON.stringify({ payment_type: 'qris', gross_amount: 10_000, ...more })
const item = { name: 'Tea', price: 5_000, quantity: 2 }

interface Field {
  name: string
  path: (world: World) => string
  body: string
  /** Zero is allowed there. */
  zero?: boolean
  /** A negative amount is allowed there: a discount. */
  negative?: boolean
}

const invoice = {
  customer_name: 'Ani',
  customer_email: 'ani@example.com',
  due_date: '2099-12-31',
  items: [{ description: 'Tea', price: '@amount@' }],
}
const subscription = {
  name: 'Tea',
  amount: '@amount@',
  payment_type: 'credit_card',
  token: 'no-such-token-of-a-card',
}
const paymentPath = (action: string) => (world: World) =>
  `/payments/${world.payments[0]?.id ?? ''}/${action}/`

const FIELDS: readonly Field[] = [
  { name: 'gross_amount', path: () => '/charge/', body: charge({ gross_amount: '@amount@' }) },
  {
    name: 'item price',
    path: () => '/charge/',
    body: charge({ item_details: [{ ...item, price: '@amount@' }] }),
    zero: true,
    negative: true,
  },
  { name: 'refund', path: paymentPath('refund'), body: JSON.stringify({ amount: '@amount@' }) },
  { name: 'capture', path: paymentPath('capture'), body: JSON.stringify({ amount: '@amount@' }) },
  { name: 'invoice price', path: () => '/invoices/', body: JSON.stringify(invoice), zero: true },
  { name: 'subscription', path: () => '/subscriptions/', body: JSON.stringify(subscription) },
]

/** One invalid amount, in one of the fields that take one. */
export function moneyInput(random: Random, world: World): HostileInput {
  if (random.chance(0.1)) return sumInput(random, world)
  const field = random.pick(FIELDS)
  const { text, why } = random.chance(0.5) ? random.pick(FIXED) : madeUp(random)
  const body = field.body.replace(MARK, () => text)
  // With a price that may be zero or less the sum is still wrong; only an invoice has no sum.
  const key = random.pick(world.keys)
  return {
    category: 'money',
    name: `${field.name} ${text.slice(0, 30)}`,
    bytes: render({ path: field.path(world), body, key }),
    invalid: why,
  }
}

/** Items whose sum is wrong, and invalid quantities. */
function sumInput(random: Random, world: World): HostileInput {
  const key = random.pick(world.keys)
  if (random.chance(0.5)) {
    const quantity = random.pick(QUANTITIES)
    const body = charge({ item_details: [{ ...item, quantity: '@amount@' }] }).replace(
      MARK,
      () => quantity,
    )
    const bytes = render({ path: '/charge/', body, key })
    return { category: 'money', name: `quantity ${quantity}`, bytes, invalid: 'no quantity' }
  }
  const off = Math.floor(random.between(1, 9_999))
  const body = charge({ gross_amount: 10_000 + off, item_details: [item] })
  const bytes = render({ path: '/charge/', body, key })
  return { category: 'money', name: 'sum of items', bytes, invalid: 'items do not add up' }
}
