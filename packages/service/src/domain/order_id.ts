/**
 * The gateway's own bound on what we may send (gateway-protocol.md#charge-request); subscription
 * cycles come back longer.
 */
const ORDER_ID = /^[A-Za-z0-9\-_~.]{1,50}$/

/** Whether a caller may use this as an order id. A slash would make the status URL another path. */
export const isOrderId = (text: string): boolean =>
  ORDER_ID.test(text) && text !== '.' && text !== '..'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The name of a cell. Letters only: an order id ends in it, and must not end in a digit. */
export const CELL_NAME = /^[a-z]{1,8}$/

/** The cell of a service that was given no name (ADR 0003). */
export const FIRST_CELL = 'a'

/**
 * An order id of fixed length that ends in a letter, from 16 random bytes. The gateway signs
 * order id, code and amount without separators, so an id ending in a digit could lend that digit
 * to the code behind it.
 */
export const mintOrderId = (random: Uint8Array, cell = FIRST_CELL): string =>
  minted('ord', random, cell)

/**
 * The same for an invoice: at most 36 characters there (gateway-protocol.md#creating-an-invoice),
 * and with a prefix of its own.
 */
export const mintInvoiceOrderId = (random: Uint8Array, cell = FIRST_CELL): string =>
  minted('inv', random, cell)

function minted(prefix: string, random: Uint8Array, cell: string): string {
  if (random.length < 16) throw new RangeError('an order id needs 16 random bytes')
  return `${prefix}-${lettersOf(random.subarray(0, 16))}-${cell}`
}

/** The gateway appends digits to the order id of an invoice. */
const MINTED = /^(?:ord|inv)-[0-9A-HJKMNP-TV-Z]{16}-([a-z]{1,8})(?:-\d{6,20})?$/

/** The cell that minted this order id; undefined if no cell did. */
export const cellOfOrderId = (order_id: string): string | undefined => MINTED.exec(order_id)?.[1]

function lettersOf(random: Uint8Array): string {
  let text = ''
  for (const byte of random) text += ALPHABET.charAt(byte & 31)
  return text
}

/** The number of an invoice the caller gave none: its day in Jakarta and eight letters. */
export const mintInvoiceNumber = (day: string, random: Uint8Array): string =>
  `INV-${day.replaceAll('-', '')}-${lettersOf(random.subarray(0, 8))}`

const SUBSCRIPTION_SLUG_MAX = 17

/**
 * The name sent to the gateway for a subscription: a readable slug and 22 characters of our own id,
 * so that every cycle's signed order id names its subscription (ADR 0012). At most 40 characters.
 */
export function mintSubscriptionName(name: string, id: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, SUBSCRIPTION_SLUG_MAX)
    .replace(/-$/, '')
  return `${slug === '' ? 'sub' : slug}-${shortId(id)}`
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A UUID in 22 characters of base 62: all of its 128 bits, so it can be read back. */
function shortId(uuid: string): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`)
  let text = ''
  for (let place = 0; place < 22; place++) {
    text = BASE62.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  return text
}

const CYCLE_ORDER_ID = /^[a-z0-9-]{1,17}-([0-9A-Za-z]{22})\d{32}$/

/** The subscription id inside a cycle's order id (name + 32 digits), or nothing. */
export function parseCycleOrderId(order_id: string): string | undefined {
  const short = CYCLE_ORDER_ID.exec(order_id)?.[1]
  if (short === undefined) return undefined
  let value = 0n
  for (const character of short) value = value * 62n + BigInt(BASE62.indexOf(character))
  if (value >= 1n << 128n) return undefined
  const hex = value.toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const CYCLE_DIGITS = /^\d{32}$/

/** Whether this is the order id of a cycle of the subscription with this minted name. */
export const isCycleOf = (order_id: string, gateway_name: string): boolean =>
  order_id.startsWith(gateway_name) && CYCLE_DIGITS.test(order_id.slice(gateway_name.length))
