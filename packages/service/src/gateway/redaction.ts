const HIDDEN = '[secret]'
/** Shorter than this it is hidden only where it stands alone: a CVV is in every other number. */
const SECRET_LENGTH_MIN = 6
const TEXT_LENGTH_MAX = 500

/**
 * Text from outside, fit for an error or a log: without the secrets of the call it answers, without
 * anything that looks like a card number, and of bounded length. Gateways echo what they refuse.
 */
export function scrub(text: string, secrets: Iterable<string>): string {
  let clean = text
  for (const secret of secrets) {
    if (secret === '') continue
    for (const form of formsOf(secret)) clean = clean.replaceAll(form, HIDDEN)
  }
  clean = clean.replace(/\d(?:[ -]?\d){12,}/g, hideCards)
  return clean.length > TEXT_LENGTH_MAX ? `${clean.slice(0, TEXT_LENGTH_MAX)}…` : clean
}

/** As it is, as it stands in a URL, and as the user name of Basic authentication. */
function formsOf(secret: string): (string | RegExp)[] {
  if (secret.length < SECRET_LENGTH_MIN) {
    return [new RegExp(`(?<![0-9A-Za-z])${RegExp.escape(secret)}(?![0-9A-Za-z])`, 'g')]
  }
  return [secret, encodeURIComponent(secret), Buffer.from(`${secret}:`).toString('base64')]
}

const CARD_LENGTH_MIN = 13
const CARD_LENGTH_MAX = 19

/** A run of digits is hidden whole if any stretch of it could be a card. */
function hideCards(run: string): string {
  const digits = run.replace(/\D/g, '')
  for (let start = 0; start + CARD_LENGTH_MIN <= digits.length; start++) {
    for (let length = CARD_LENGTH_MIN; length <= CARD_LENGTH_MAX; length++) {
      const stretch = digits.slice(start, start + length)
      if (stretch.length === length && isCardNumber(stretch)) return HIDDEN
    }
  }
  return run
}

/** The Luhn check. A long order number that passes by chance is hidden too: the cheaper mistake. */
function isCardNumber(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of digits.split('').toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'token',
  'token_id',
  'saved_token_id',
  'payment_option_token',
  'signature_key',
  'card_number',
  'card_cvv',
  'client_key',
  'bank_one_time_token',
])

/** The values of secret fields anywhere in a request: what its answer must not bring back. */
export function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && SECRET_FIELDS.has(key) ? [inner] : secretsIn(inner),
  )
}

/** A copy fit for a table or a caller: secret fields are gone, however deep they were. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !SECRET_FIELDS.has(key))
      .map(([key, inner]) => [key, withoutSecrets(inner)]),
  )
}
