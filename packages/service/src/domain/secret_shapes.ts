// Secrets recognised by their shape: they must never be stored or logged, whichever field they are
// in (ADR 0019). A CVV has no shape, so it is recognised only by the name of its field.

/** Names under which secrets travel, whatever the spelling: `card_cvv`, `cardCvv`, `Card-CVV`. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'token',
  'tokenid',
  'savedtokenid',
  'paymentoptiontoken',
  'signaturekey',
  'cardnumber',
  'cardcvv',
  'cardcvc',
  'cvv',
  'cvv2',
  'cvc',
  'clientkey',
  'serverkey',
  'bankonetimetoken',
])

/** Names met before. The gateway's are a few dozen; a stranger's thousandth is not remembered. */
const KNOWN_NAMES = new Map<string, boolean>()
const KNOWN_NAMES_MAX = 1_000

export function isSecretName(name: string): boolean {
  const known = KNOWN_NAMES.get(name)
  if (known !== undefined) return known
  const secret = SECRET_NAMES.has(name.toLowerCase().replace(/[_-]/g, ''))
  if (KNOWN_NAMES.size < KNOWN_NAMES_MAX) KNOWN_NAMES.set(name, secret)
  return secret
}

/** The first six or eight digits of a card: never a date of this century, nor a small number. */
const BIN = String.raw`(?<![0-9A-Za-z])(?:[3-6]\d|2[2-7])\d{4}(?:\d\d)?`
const UUID = String.raw`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`

const ONE_TIME_TOKEN = new RegExp(String.raw`${BIN}-\d{4}-${UUID}`, 'gi')

interface Shape {
  what: string
  pattern: RegExp
  /** A shorter text holds none: most fields of a webhook are passed over by this alone. */
  length_min: number
  /** What every such secret has in it, and hardly any other text; none where its length says so. */
  hint?: string
}

const SHAPES: readonly Shape[] = [
  {
    what: 'a server key',
    length_min: 15,
    hint: '-[Ss][Ee][Rr][Vv][Ee][Rr]-',
    pattern: /(?:SB-)?Mid-server-[\w-]{4,}/gi,
  },
  // The same as Basic authentication writes it.
  {
    what: 'a server key',
    length_min: 17,
    hint: 'TWlkLXNl',
    pattern: /(?:U0ItTWlkLXNlcnZl|TWlkLXNlcnZlc)[\w+/-]{4,}={0,2}/g,
  },
  { what: 'a card token', length_min: 48, hint: String.raw`\d{6}-`, pattern: ONE_TIME_TOKEN },
  {
    what: 'a card token',
    length_min: 26,
    hint: String.raw`\d{6}[A-Za-z]`,
    pattern: new RegExp(String.raw`${BIN}[A-Za-z]{16,24}\d{4}(?![0-9A-Za-z])`, 'g'),
  },
  { what: 'an API key', length_min: 36, hint: 'gpk_', pattern: /gpk_[0-9A-Za-z]{32}/g },
  {
    what: 'a token of a session',
    length_min: 68,
    hint: 'gp[ls]_',
    pattern: /gp[ls]_[0-9a-f]{64}/g,
  },
  { what: 'a JWT', length_min: 24, hint: 'eyJ', pattern: /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g },
  {
    what: 'a signature',
    length_min: 128,
    pattern: /(?<![0-9a-f])[0-9a-f]{128}(?![0-9a-f])/gi,
  },
]

// One expression instead of seven, because every text of every webhook is tested. Without the
// case-insensitive flag, which makes it three times slower.
const HINTS = new RegExp(SHAPES.flatMap(({ hint = [] }) => hint).join('|'))
const LENGTH_MIN = Math.min(...SHAPES.map(({ length_min }) => length_min))

const CARD_RUN = /(?<!\d)(?:\d{15,16}|\d{4}([ -])\d{4}\1\d{4}\1\d{4})(?!\d)/g

/** The secret that a text holds, in words for the caller; or undefined. */
export function secretIn(text: string): string | undefined {
  for (const { what, length_min, pattern } of SHAPES) {
    if (text.length >= length_min && text.search(pattern) >= 0) return what
  }
  const runs = text.match(CARD_RUN) ?? []
  return runs.some(isIssuedCard) ? 'a card number' : undefined
}

export const HIDDEN = '[secret]'

/** The text with all of them hidden. */
export const hideSecrets = (text: string): string =>
  hideKeys(text).replaceAll(CARD_RUN, (run) => (isIssuedCard(run) ? HIDDEN : run))

/** All but card numbers: an account number that looks like one by chance must stay what it is. */
export function hideKeys(text: string): string {
  if (text.length < LENGTH_MIN) return text
  const hinted = HINTS.test(text)
  let clean = text
  for (const { length_min, hint, pattern } of SHAPES) {
    if (clean.length < length_min || (hint !== undefined && !hinted)) continue
    clean = clean.replaceAll(pattern, HIDDEN)
  }
  return clean
}

/** A card's token for one use. The gateway puts it into the address of the 3-D Secure page. */
export const isOneTimeToken = (text: string): boolean => text.search(ONE_TIME_TOKEN) === 0

const ISSUERS = /^(?:4\d{15}|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|35\d{14})$/

/** Indonesian identity numbers of some provinces begin like cards; their date of birth differs. */
const IDENTITY = /^(?:35|5[123])\d{4}(?:0[1-9]|[1256]\d|4[1-9]|[37][01])(?:0[1-9]|1[0-2])\d{6}$/

/**
 * Stricter than looking like a number: a sale is lost if an order's own number is taken for a card,
 * so the issuer's digits must be right too.
 */
function isIssuedCard(run: string): boolean {
  const digits = run.replaceAll(/\D/g, '')
  return ISSUERS.test(digits) && !IDENTITY.test(digits) && passesLuhn(digits)
}

export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of digits.split('').toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
