// Notifications not signed with the server key, made from a genuine one. Each keeps as much of the
// genuine one as it can.
import { randomBytes } from 'node:crypto'
import { signNotification } from '../../packages/service/src/gateway/signature.ts'
import type { Random } from './random.ts'

/** The fields of a payment notification that a forger would touch. */
export interface Notice extends Record<string, unknown> {
  order_id: string
  status_code: string
  gross_amount: string
  signature_key: string
  transaction_status: string
}

export const signed = (
  notice: Omit<Notice, 'signature_key'> & Record<string, unknown>,
  server_key: string,
): Notice =>
  ({ ...notice, signature_key: signNotification(notice as Notice, server_key) }) as Notice

/** A settlement of this payment as the gateway would send it. */
export const settlement = (
  payment: { order_id: string; transaction_id: string; gross_amount: string },
  server_key: string,
): Notice =>
  signed(
    {
      ...payment,
      status_code: '200',
      transaction_status: 'settlement',
      payment_type: 'qris',
      fraud_status: 'accept',
      transaction_time: '2026-10-01 10:00:00',
      settlement_time: '2026-10-01 10:01:00',
      merchant_id: 'G0000',
      currency: 'IDR',
    },
    server_key,
  )

type Forge = (genuine: Notice, random: Random, other: Notice) => Record<string, unknown>

const digits = (random: Random): string => String(Math.floor(random.between(1, 9_999_999)))

/** The signature fits none of these. Replays and status swaps are not here: theirs fits. */
export const FORGERIES: Readonly<Record<string, Forge>> = {
  'a random signature': (genuine) => ({
    ...genuine,
    signature_key: randomBytes(64).toString('hex'),
  }),
  'no signature': (genuine) => ({ ...genuine, signature_key: undefined }),
  'an empty signature': (genuine) => ({ ...genuine, signature_key: '' }),
  'a short signature': (genuine) => ({
    ...genuine,
    signature_key: genuine.signature_key.slice(0, -1),
  }),
  'a long signature': (genuine) => ({ ...genuine, signature_key: `${genuine.signature_key}0` }),
  'capitals in the signature': (genuine) => ({
    ...genuine,
    signature_key: genuine.signature_key.toUpperCase().replace(/^\d*$/, 'A'),
  }),
  'the signature of another order': (genuine, _random, other) => ({
    ...genuine,
    signature_key: other.signature_key,
  }),
  'a signature by another key': (genuine) => signed(genuine, 'SB-Mid-server-somebody_else'),
  'a signature by no key': (genuine) => signed(genuine, ''),
  'another amount': (genuine, random) => ({
    ...genuine,
    gross_amount: `${digits(random)}1.00`,
  }),
  'the amount as a number': (genuine) => ({
    ...genuine,
    gross_amount: Number(genuine.gross_amount),
  }),
  'another code': (genuine, random) => ({
    ...genuine,
    status_code: random.pick(['201', '202', '407', '2000', '20', '', ' 200']),
  }),
  'another order': (genuine, _random, other) => ({ ...genuine, order_id: other.order_id }),
  'an order id with more to it': (genuine, random) => ({
    ...genuine,
    order_id: `${genuine.order_id}${random.pick([' ', '\n', '%00', 'x', '\u200b'])}`,
  }),
  'the code in the order id': (genuine) => ({
    ...genuine,
    order_id: `${genuine.order_id}${genuine.status_code.slice(0, 1)}`,
    status_code: genuine.status_code.slice(1),
  }),
  'the amount in the code': (genuine) => ({
    ...genuine,
    status_code: `${genuine.status_code}${genuine.gross_amount.slice(0, 1)}`,
    gross_amount: genuine.gross_amount.slice(1),
  }),
  'an object for the order id': (genuine) => ({ ...genuine, order_id: { is: genuine.order_id } }),
  'a list for the signature': (genuine) => ({
    ...genuine,
    signature_key: [genuine.signature_key],
  }),
  'null for the signature': (genuine) => ({ ...genuine, signature_key: null }),
}

export const FORGERY_NAMES = Object.keys(FORGERIES)

export function forged(
  name: string,
  notices: { genuine: Notice; other: Notice },
  random: Random,
): Record<string, unknown> {
  const forge = FORGERIES[name]
  if (forge === undefined) throw new RangeError(`no forgery is called ${name}`)
  return forge(notices.genuine, random, notices.other)
}

const AMOUNT = /^\d{1,13}\.\d{2}$/

/**
 * The same signed characters, cut at other places: the signature fits each of them. The first is
 * not the genuine one.
 */
export function shifted(notice: Notice): Notice[] {
  const text = `${notice.order_id}${notice.status_code}${notice.gross_amount}`
  const readings: Notice[] = []
  for (let at = 1; at < text.length - 6; at++) {
    const [order_id, status_code, gross_amount] = [
      text.slice(0, at),
      text.slice(at, at + 3),
      text.slice(at + 3),
    ]
    const other = order_id !== notice.order_id
    if (other && /^\d{3}$/.test(status_code) && AMOUNT.test(gross_amount)) {
      readings.push({ ...notice, order_id, status_code, gross_amount, transaction_id: undefined })
    }
  }
  return readings
}

/** Statuses that are sent with the code 200: the signature of one fits them all. */
export const WORDS_OF_200 = [
  'settlement',
  'capture',
  'authorize',
  'refund',
  'partial_refund',
  'chargeback',
  'partial_chargeback',
] as const

/** The genuine notification with another status of its class, and the fields that go with it. */
export function swapped(notice: Notice, random: Random): Record<string, unknown> {
  const transaction_status = random.pick(WORDS_OF_200)
  const refund = { refund_key: 'forged', refund_amount: notice.gross_amount }
  const refunding = transaction_status.includes('refund') && random.chance(0.5)
  return { ...notice, transaction_status, ...(refunding && { refunds: [refund] }) }
}
