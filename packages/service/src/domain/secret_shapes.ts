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
}

const SHAPES: readonly Shape[] = [
  {
    what: 'a server key',
    length_min: 15,
    pattern: /(?:SB-)?Mid-server-[\w-]{4,}/gi,
  },
  // The same as Basic authentication writes it.
  {
    what: 'a server key',
    length_min: 17,
    pattern: /(?:U0ItTWlkLXNlcnZl|TWlkLXNlcnZlc)[\w+/-]{4,}={0,2}/g,
  },
  { what: 'a card token', length_min: 48, pattern: ONE_TIME_TOKEN },
  {
    what: 'a card token',
    length_min: 26,
    pattern: new RegExp(String.raw`${BIN}[A-Za-z]{16,24}\d{4}(?![0-9A-Za-z])`, 'g'),
  },
  { what: 'an API key', length_min: 36, pattern: /gpk_(?:[a-z]{1,8}_)?[0-9A-Za-z]{32}/g },
  { what: 'a token of a session', length_min: 68, pattern: /gp[ls]_[0-9a-f]{64}/g },
  { what: 'a JWT', length_min: 24, pattern: /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g },
  {
    what: 'a signature',
    length_min: 128,
    pattern: /(?<![0-9a-f])[0-9a-f]{128}(?![0-9a-f])/gi,
  },
]

const LENGTH_MIN = Math.min(...SHAPES.map(({ length_min }) => length_min))

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isLetter = (code: number): boolean =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
const isHex = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)
const [SPACE, HYPHEN] = [32, 45]
const isDigitOrGap = (code: number): boolean => isDigit(code) || code === SPACE || code === HYPHEN

/**
 * Whether the text has a run of at least so many of these characters, followed by one of those. It
 * reads one character in `length`, because a run that long has one there.
 */
function hasRun(
  text: string,
  length: number,
  isPart: (code: number) => boolean,
  follows?: (code: number) => boolean,
): boolean {
  for (let at = length - 1; at < text.length; at += length) {
    if (!isPart(text.charCodeAt(at))) continue
    let from = at
    while (from > 0 && isPart(text.charCodeAt(from - 1))) from--
    // Beyond the end the code is NaN, which is part of nothing.
    while (isPart(text.charCodeAt(at + 1))) at++
    const long = at - from + 1 >= length
    if (long && (follows === undefined || follows(text.charCodeAt(at + 1)))) return true
    at += 1
  }
  return false
}

const SERVER = /-[Ss][Ee][Rr][Vv][Ee][Rr]-/
const BIN_LENGTH = 6
const isAfterBin = (code: number): boolean => code === HYPHEN || isLetter(code)
const SIGNATURE_LENGTH = 128

/**
 * Whether `hideKeys` could change the text: false for nearly all. Every text of every webhook is
 * tested, and one expression for all shapes takes twenty times as long.
 */
const mayHoldKeys = (text: string): boolean =>
  text.length >= LENGTH_MIN &&
  (text.includes('gpk_') ||
    text.includes('gpl_') ||
    text.includes('gps_') ||
    text.includes('eyJ') ||
    text.includes('TWlkLXNl') ||
    SERVER.test(text) ||
    hasRun(text, BIN_LENGTH, isDigit, isAfterBin) ||
    hasRun(text, SIGNATURE_LENGTH, isHex))

const CARD_LENGTH_MIN = 15
/** Four digits four times, with a gap between. */
const SPACED_CARD_LENGTH = 19

/**
 * Whether `hideSecrets` could change the text, or a string that the text quotes as JSON: no secret
 * has a character that JSON writes otherwise.
 */
export const mayHoldSecrets = (text: string): boolean =>
  mayHoldKeys(text) ||
  hasRun(text, CARD_LENGTH_MIN, isDigit) ||
  hasRun(text, SPACED_CARD_LENGTH, isDigitOrGap)

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
  mayHoldSecrets(text)
    ? hideKeys(text).replaceAll(CARD_RUN, (run) => (isIssuedCard(run) ? HIDDEN : run))
    : text

/** All but card numbers: an account number that looks like one by chance must stay what it is. */
export function hideKeys(text: string): string {
  if (!mayHoldKeys(text)) return text
  let clean = text
  for (const { length_min, pattern } of SHAPES) {
    if (clean.length >= length_min) clean = clean.replaceAll(pattern, HIDDEN)
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
