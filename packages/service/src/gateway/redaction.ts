import {
  HIDDEN,
  hideKeys,
  hideSecrets,
  isOneTimeToken,
  isSecretName,
  passesLuhn,
} from '../domain/secret_shapes.ts'
import { isObject } from './json.ts'

/** A shorter secret is hidden only if it stands alone: a CVV is part of many numbers. */
const SECRET_LENGTH_MIN = 6
const TEXT_LENGTH_MAX = 500

/**
 * Text from outside, safe for an error or a log: without the secrets of the call it answers,
 * without anything that looks like a card number, and of limited length. Gateways echo what they
 * refuse.
 */
export const scrub = (text: string, secrets: Iterable<string>): string =>
  scrubbed(text, needlesOf(secrets))

function scrubbed(text: string, needles: readonly Needle[]): string {
  const clean = hideSecrets(hide(text, needles)).replace(/\d(?:[ -]?\d){12,}/g, hideCards)
  return clean.length > TEXT_LENGTH_MAX ? `${clean.slice(0, TEXT_LENGTH_MAX)}…` : clean
}

/** A secret to hide. Prepared once for a whole message. */
export interface Needle {
  secret: string
  /** As it is, as it appears in a URL, and as the user name of Basic authentication. */
  forms: readonly (string | RegExp)[]
}

export const needlesOf = (secrets: Iterable<string>): Needle[] =>
  [...secrets]
    .filter((secret) => secret !== '')
    .map((secret) => ({ secret, forms: formsOf(secret) }))

function formsOf(secret: string): (string | RegExp)[] {
  if (secret.length < SECRET_LENGTH_MIN) {
    return [new RegExp(`(?<![0-9A-Za-z])${RegExp.escape(secret)}(?![0-9A-Za-z])`, 'g')]
  }
  return [secret, encodeURIComponent(secret), Buffer.from(`${secret}:`).toString('base64')]
}

/** The text with exactly these secrets hidden. */
function hide(
  text: string,
  needles: readonly Needle[],
  stays?: (needle: Needle) => boolean,
): string {
  let clean = text
  for (const needle of needles) {
    // No form is shorter than the secret itself, and most texts are.
    if (clean.length < needle.secret.length || stays?.(needle) === true) continue
    for (const form of needle.forms) clean = clean.replaceAll(form, HIDDEN)
  }
  return clean
}

const CARD_LENGTH_MIN = 13
const CARD_LENGTH_MAX = 19

/**
 * A run of digits is hidden as a whole if any part of it could be a card number. A long order
 * number that matches by chance is hidden too: in a sentence that is the smaller mistake.
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

/** The values of secret fields anywhere in a request: its answer must not return them. */
export function secretsIn(value: unknown): string[] {
  const secrets: string[] = []
  collectSecrets(value, secrets)
  return secrets
}

function collectSecrets(value: unknown, secrets: string[]): void {
  if (Array.isArray(value)) for (const inner of value) collectSecrets(inner, secrets)
  if (!isObject(value)) return
  for (const key of Object.keys(value)) {
    const inner = value[key]
    if (typeof inner === 'string' && isSecretName(key)) secrets.push(inner)
    else collectSecrets(inner, secrets)
  }
}

/** Sentences, in which a gateway may quote anything. */
const isSentence = (name: string): boolean => name.includes('message')
/** Where the payer is sent. */
const isAddress = (name: string): boolean => name === 'url' || name.endsWith('_url')

/**
 * A copy that may be stored or returned: secret fields are removed at any depth, and sentences
 * quote none. The given secrets are hidden everywhere else.
 */
export const withoutSecrets = (value: unknown, needles: readonly Needle[] = []): unknown =>
  copyWithout(value, needles, '')

function copyWithout(value: unknown, needles: readonly Needle[], name: string): unknown {
  if (typeof value === 'string') {
    if (isSentence(name)) return scrubbed(value, needles)
    const clean = hideIn(name, value, needles)
    return isAddress(name) ? clean : hideKeys(clean)
  }
  if (Array.isArray(value)) return value.map((inner) => copyWithout(inner, needles, name))
  if (!isObject(value)) return value
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (isSecretName(key)) continue
    setMember(copy, hideKeys(hide(key, needles)), copyWithout(value[key], needles, key))
  }
  return copy
}

/** Every webhook is copied: a loop over names costs half of what lists of pairs do. */
function setMember(copy: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(copy, name, { value, ...PLAIN })
  else copy[name] = value
}

const PLAIN = { enumerable: true, writable: true, configurable: true } as const

/**
 * An answer without the secrets that we sent. Its own secret fields stay, such as the token of a
 * card that was just registered.
 */
export const hideEchoes = (value: unknown, secrets: readonly string[]): unknown =>
  echoless(value, needlesOf(secrets), '')

function echoless(value: unknown, needles: readonly Needle[], name: string): unknown {
  if (typeof value === 'string') return hideIn(name, value, needles)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => echoless(inner, needles, name))
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    setMember(copy, hide(key, needles), echoless(inner, needles, key))
  }
  return copy
}

// The page of a 3-D Secure check is found by the token, which is used up by then (ADR 0019).
const hideIn = (name: string, text: string, needles: readonly Needle[]): string =>
  hide(text, needles, isAddress(name) ? staysInAddress : staysAnywhere)

/** So short that it may be part of anything. */
const staysAnywhere = ({ secret }: Needle): boolean => secret.length < SECRET_LENGTH_MIN

const staysInAddress = (needle: Needle): boolean =>
  staysAnywhere(needle) || isOneTimeToken(needle.secret)
