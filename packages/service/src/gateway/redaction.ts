import {
  HIDDEN,
  hideKeys,
  hideSecrets,
  isOneTimeToken,
  isSecretName,
  passesLuhn,
} from '../domain/secret_shapes.ts'

/** Shorter than this it is hidden only where it stands alone: a CVV is in every other number. */
const SECRET_LENGTH_MIN = 6
const TEXT_LENGTH_MAX = 500

/**
 * Text from outside, fit for an error or a log: without the secrets of the call it answers, without
 * anything that looks like a card number, and of bounded length. Gateways echo what they refuse.
 */
export const scrub = (text: string, secrets: Iterable<string>): string =>
  scrubbed(text, needlesOf(secrets))

function scrubbed(text: string, needles: readonly Needle[]): string {
  const clean = hideSecrets(hide(text, needles)).replace(/\d(?:[ -]?\d){12,}/g, hideCards)
  return clean.length > TEXT_LENGTH_MAX ? `${clean.slice(0, TEXT_LENGTH_MAX)}…` : clean
}

/** A secret, as it must not be found again. Worked out once for a whole message. */
interface Needle {
  secret: string
  /** As it is, as it stands in a URL, and as the user name of Basic authentication. */
  forms: readonly (string | RegExp)[]
}

const needlesOf = (secrets: Iterable<string>): Needle[] =>
  [...secrets]
    .filter((secret) => secret !== '')
    .map((secret) => ({ secret, forms: formsOf(secret) }))

function formsOf(secret: string): (string | RegExp)[] {
  if (secret.length < SECRET_LENGTH_MIN) {
    return [new RegExp(`(?<![0-9A-Za-z])${RegExp.escape(secret)}(?![0-9A-Za-z])`, 'g')]
  }
  return [secret, encodeURIComponent(secret), Buffer.from(`${secret}:`).toString('base64')]
}

/** The text with these very secrets hidden, and nothing else touched. */
function hide(text: string, needles: readonly Needle[]): string {
  let clean = text
  for (const { secret, forms } of needles) {
    // No form is shorter than the secret itself, and most texts are.
    if (clean.length < secret.length) continue
    for (const form of forms) clean = clean.replaceAll(form, HIDDEN)
  }
  return clean
}

const CARD_LENGTH_MIN = 13
const CARD_LENGTH_MAX = 19

/**
 * A run of digits is hidden whole if any stretch of it could be a card. A long order number that
 * passes by chance is hidden too: in a sentence that is the cheaper mistake.
 */
function hideCards(run: string): string {
  const digits = run.replace(/\D/g, '')
  for (let start = 0; start + CARD_LENGTH_MIN <= digits.length; start++) {
    for (let length = CARD_LENGTH_MIN; length <= CARD_LENGTH_MAX; length++) {
      const stretch = digits.slice(start, start + length)
      if (stretch.length === length && passesLuhn(stretch)) return HIDDEN
    }
  }
  return run
}

/** The values of secret fields anywhere in a request: what its answer must not bring back. */
export function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && isSecretName(key) ? [inner] : secretsIn(inner),
  )
}

/** Sentences, in which a gateway may quote anything. */
const isSentence = (name: string): boolean => name.includes('message')
/** Where the payer is sent. */
const isAddress = (name: string): boolean => name === 'url' || name.endsWith('_url')

/**
 * A copy fit for a table or a caller: secret fields are gone, however deep they were, and sentences
 * quote none. These secrets are hidden wherever else they stand.
 */
export const withoutSecrets = (value: unknown, secrets: readonly string[] = []): unknown =>
  copyWithout(value, needlesOf(secrets), '')

function copyWithout(value: unknown, needles: readonly Needle[], name: string): unknown {
  if (typeof value === 'string') {
    if (isSentence(name)) return scrubbed(value, needles)
    const clean = hideIn(name, value, needles)
    return isAddress(name) ? clean : hideKeys(clean)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => copyWithout(inner, needles, name))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isSecretName(key))
      .map(([key, inner]) => [hideKeys(hide(key, needles)), copyWithout(inner, needles, key)]),
  )
}

/**
 * An answer in which nothing stands that we sent in secret, fields and all: they are ours to read,
 * as the token of a card just registered.
 */
export const hideEchoes = (value: unknown, secrets: readonly string[]): unknown =>
  echoless(value, needlesOf(secrets), '')

function echoless(value: unknown, needles: readonly Needle[], name: string): unknown {
  if (typeof value === 'string') return hideIn(name, value, needles)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => echoless(inner, needles, name))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      hide(key, needles),
      echoless(inner, needles, key),
    ]),
  )
}

// The page of a 3-D Secure check is found by the token, which is spent by then (D-70).
function hideIn(name: string, text: string, needles: readonly Needle[]): string {
  const stays = ({ secret }: Needle): boolean =>
    // So short that it may be part of anything, as a CVV of a token's own digits.
    secret.length < SECRET_LENGTH_MIN || (isAddress(name) && isOneTimeToken(secret))
  return hide(
    text,
    needles.filter((needle) => text.length >= needle.secret.length && !stays(needle)),
  )
}
