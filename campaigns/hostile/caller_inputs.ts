// Callers with false credentials, at every route of the document.
import { createHmac, randomUUID } from 'node:crypto'
import type { Random } from '../bench/random.ts'
import { render, type HostileInput, type World } from './input.ts'
import { OPERATIONS } from './schema.ts'

const CLOSED = OPERATIONS.filter(({ name }) => name !== 'receive_notification')

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const HASHES: Readonly<Record<string, string>> = {
  HS256: 'sha256',
  HS384: 'sha384',
  HS512: 'sha512',
}

/** A token made with this secret. */
function token(header: { alg: string } & object, payload: object, secret: string): string {
  const text = `${part(header)}.${part(payload)}`
  const hash = HASHES[header.alg] ?? 'sha256'
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
}

/** Invalid tokens, by what is wrong with them. */
function tokens({ jwt: { secret, issuer, audience } }: World): [string, string][] {
  const now = Math.floor(Date.now() / 1_000)
  const good = { iss: issuer, aud: audience, sub: 'ani', exp: now + 600, scope: 'payments:write' }
  const hs256 = { alg: 'HS256', typ: 'JWT' }
  const [head = '', body = '', seal = ''] = token(hs256, good, secret).split('.')
  return [
    ['no algorithm', `Bearer ${part({ alg: 'none' })}.${body}.`],
    ['no algorithm, in capitals', `Bearer ${part({ alg: 'NONE' })}.${body}.${seal}`],
    ['another algorithm', `Bearer ${token({ alg: 'HS512' }, good, secret)}`],
    ['an algorithm of key pairs', `Bearer ${token({ alg: 'RS256' }, good, secret)}`],
    ['another secret', `Bearer ${token(hs256, good, 'x'.repeat(40))}`],
    ['no secret', `Bearer ${token(hs256, good, '')}`],
    ['expired', `Bearer ${token(hs256, { ...good, exp: now - 60 }, secret)}`],
    ['not yet', `Bearer ${token(hs256, { ...good, nbf: now + 600 }, secret)}`],
    ['without an end', `Bearer ${token(hs256, { ...good, exp: undefined }, secret)}`],
    ['an end in words', `Bearer ${token(hs256, { ...good, exp: 'never' }, secret)}`],
    ['another issuer', `Bearer ${token(hs256, { ...good, iss: 'https://b.example' }, secret)}`],
    ['another audience', `Bearer ${token(hs256, { ...good, aud: ['b'] }, secret)}`],
    ['empty subject', `Bearer ${token(hs256, { ...good, sub: '' }, secret)}`],
    ['a number in it', `Bearer ${token(hs256, { ...good, sub: 7 }, secret)}`],
    [
      'its own key',
      `Bearer ${token({ ...hs256, jwk: { kty: 'oct', k: 'eA' } } as never, good, 'x')}`,
    ],
    [
      'a critical header',
      `Bearer ${token({ ...hs256, crit: ['x'], x: 1 } as never, good, secret)}`,
    ],
    ['no seal', `Bearer ${head}.${body}.`],
    ['two parts', `Bearer ${head}.${body}`],
    ['five parts', `Bearer ${head}.${body}.${seal}.a.b`],
    ['a payload changed', `Bearer ${head}.${part({ ...good, staff: true })}.${seal}`],
  ]
}

/** Invalid keys. */
function keys(random: Random, world: World): [string, string][] {
  const [key = ''] = world.keys
  return [
    ['nothing', ''],
    ['a scheme alone', 'Bearer'],
    ['a scheme and a space', 'Bearer '],
    ['a guessed key', `Bearer gpk_${randomUUID().replaceAll('-', '')}`],
    ['a key cut short', `Bearer ${key.slice(0, -1)}`],
    ['a key and more', `Bearer ${key}x`],
    ['a key in capitals', `Bearer ${key.toUpperCase()}`],
    ['a key in quotes', `Bearer "${key}"`],
    ['two keys', `Bearer ${key}, Bearer ${key}`],
    ['a key without its scheme', key],
    ['a key as a password', `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
    ['the server key', `Bearer ${world.server_key}`],
    ['a long one', `Bearer ${'x'.repeat(Math.floor(random.between(4_097, 8_000)))}`],
    ['a broken one', `Bearer \u00ff\u00fe`],
    ['a statement', `Bearer ' or 1=1 --`],
  ]
}

export function callerInput(random: Random, world: World): HostileInput {
  const { method, path } = random.pick(CLOSED)
  const [name, authorization] = random.pick(
    random.chance(0.6) ? tokens(world) : keys(random, world),
  )
  const filled = path
    .replace('{pk}', random.chance(0.5) ? random.pick(world.payments).id : randomUUID())
    .replace('{action_name}', 'cancel')
  const body = method === 'POST' ? '{"payment_type":"qris","gross_amount":10000}' : undefined
  return {
    category: 'caller',
    name: `${name} at ${method} ${path}`,
    bytes: render({
      method,
      path: filled,
      ...(authorization !== '' && { headers: { authorization } }),
      ...(body !== undefined && { body }),
    }),
    invalid: 'an unknown caller',
  }
}
