import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { GapuraEventError, signEvent, verifyEvent } from '../../../sdk/src/events.ts'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { Secret } from '../../src/gateway/secret.ts'
import {
  newSecret,
  newSigningKeys,
  signerOf,
  type SignedMessage,
  type Signers,
} from '../../src/gateway/webhooks/signature.ts'
import { openVault, SealBroken } from '../../src/gateway/webhooks/vault.ts'

const signedHeaders = (message: SignedMessage, signers: Signers) => signerOf(signers)(message)

const id = '01a1e489-fb56-7f13-b3fd-ee67249fc509'
const body = JSON.stringify({
  type: 'payment_settled',
  timestamp: '2026-11-16T03:00:00.104Z',
  data: { id, sequence: 2, object: { order_id: 'Café – ☕ "quoted" \\ \u2028', is_paid: true } },
})
const now_s = () => Math.floor(Date.now() / 1_000)
const message = (changed: object = {}) => ({ id, timestamp: now_s(), body, ...changed })

/** The reference library of Standard Webhooks. */
const byLibrary = (secret: string, headers: Record<string, string>, text = body): unknown =>
  new Webhook(secret).verify(text, headers)
const bySdk = async (secrets: string | string[], headers: Record<string, string>, text = body) =>
  await verifyEvent({ body: text, headers, secrets })

describe('v1', () => {
  test('the reference library and the SDK accept a signed message', async () => {
    const secret = newSecret()
    const headers = signedHeaders(message(), { secrets: [secret] })
    expect(byLibrary(secret, headers)).toEqual(JSON.parse(body))
    expect(await bySdk(secret, headers)).toEqual({ id, ...JSON.parse(body) })
  })

  test('is the signature that the reference library makes', () => {
    const secret = newSecret()
    const { id: message_id, timestamp } = message()
    const headers = signedHeaders({ id: message_id, timestamp, body }, { secrets: [secret] })
    const expected = new Webhook(secret).sign(message_id, new Date(timestamp * 1_000), body)
    expect(headers).toEqual({
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': expected,
    })
  })

  test('is the signature that the SDK makes for the tests of a receiver', async () => {
    const secrets = [newSecret(), newSecret()]
    const { timestamp } = message()
    const now = new Date(timestamp * 1_000)
    expect(await signEvent({ id, body, secrets, now })).toEqual(
      signedHeaders({ id, timestamp, body }, { secrets }),
    )
  })

  test.each(['', ' ', 'null', '{}', '"\u0000"', 'x'.repeat(100_000), '😀'])(
    'a body of any kind verifies: %j',
    (text) => {
      const secret = newSecret()
      const headers = signedHeaders(message({ body: text }), { secrets: [secret] })
      const [, given = ''] = headers['webhook-signature'].split(',')
      const stamp = new Date(Number(headers['webhook-timestamp']) * 1_000)
      expect(new Webhook(secret).sign(id, stamp, text)).toBe(`v1,${given}`)
    },
  )

  test('a secret is whsec_ and 32 random bytes, never the same', () => {
    const secrets = Array.from({ length: 100 }, newSecret)
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(new Set(secrets).size).toBe(100)
  })

  test('while a secret is rotated, a receiver with either one accepts, with another none', async () => {
    const [current, former, other] = [newSecret(), newSecret(), newSecret()]
    const headers = signedHeaders(message(), { secrets: [current, former] })
    for (const secret of [current, former]) {
      expect(byLibrary(secret, headers)).toEqual(JSON.parse(body))
      expect(await bySdk(secret, headers)).toMatchObject({ id })
    }
    expect(() => byLibrary(other, headers)).toThrow(WebhookVerificationError)
    await expect(bySdk(other, headers)).rejects.toMatchObject({ code: 'signature_mismatch' })
    expect(await bySdk([other, former], headers)).toMatchObject({ id })
  })
})

describe('refused', () => {
  const secret = newSecret()
  const headers = signedHeaders(message(), { secrets: [secret] })
  const refused = async (changed: Record<string, string>, text = body) => {
    const sent = { ...headers, ...changed }
    expect(() => byLibrary(secret, sent, text)).toThrow(WebhookVerificationError)
    await expect(bySdk(secret, sent, text)).rejects.toBeInstanceOf(GapuraEventError)
  }
  const signature = headers['webhook-signature']

  test.each([
    ['another body', {}, body.replace('payment_settled', 'payment_refunded')],
    ['a body with a space more', {}, `${body} `],
    ['the same JSON, written again', {}, JSON.stringify(JSON.parse(body), null, 1)],
    ['another id', { 'webhook-id': '01a1e489-fb56-7f13-b3fd-ee67249fc50a' }, body],
    ['a newer timestamp', { 'webhook-timestamp': String(now_s() + 1) }, body],
    [
      'a part of id and timestamp moved',
      { 'webhook-id': `${id}.1`, 'webhook-timestamp': '7' },
      body,
    ],
    ['no signature', { 'webhook-signature': '' }, body],
    ['another version', { 'webhook-signature': signature.replace('v1', 'v2') }, body],
    ['v1 called v1a', { 'webhook-signature': signature.replace('v1', 'v1a') }, body],
    ['a cut signature', { 'webhook-signature': signature.slice(0, -4) }, body],
    [
      'a signature of zeros',
      { 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` },
      body,
    ],
  ])('%s', async (_name, changed, text) => {
    await refused(changed, text)
  })

  test.each([-600, -301, 301, 3_600])(
    'signed %i seconds from now: old or replayed',
    async (off) => {
      const moved = signedHeaders(message({ timestamp: now_s() + off }), { secrets: [secret] })
      await refused(moved)
    },
  )

  test('an Ed25519 signature does not pass as v1, and does not disturb it', async () => {
    const { private_key } = newSigningKeys()
    const both = signedHeaders(message(), { secrets: [secret], private_key })
    expect(byLibrary(secret, both)).toEqual(JSON.parse(body))
    expect(await bySdk(secret, both)).toMatchObject({ id })
    await refused({ ...both, 'webhook-signature': both['webhook-signature'].split(' ')[1] ?? '' })
  })
})

describe('v1a', () => {
  const keys = newSigningKeys()
  /** As a receiver does it, from the text of the public key alone. */
  const verifies = (headers: Record<string, string>, text: string, shown: string): boolean => {
    const raw = Buffer.from(shown.replace(/^whpk_/, ''), 'base64')
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
      format: 'jwk',
    })
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    return (headers['webhook-signature'] ?? '')
      .split(' ')
      .filter((one) => one.startsWith('v1a,'))
      .some((one) => verify(null, Buffer.from(signed), key, Buffer.from(one.slice(4), 'base64')))
  }

  test('is verified with the public key that is shown, and with no other', () => {
    const headers = signedHeaders(message(), { secrets: [newSecret()], ...keys })
    expect(keys.public_key).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/)
    expect(keys.private_key).toMatch(/^whsk_[A-Za-z0-9+/]{43}=$/)
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1a,\S{88}$/)
    expect(verifies(headers, body, keys.public_key)).toBe(true)
    expect(verifies(headers, body, newSigningKeys().public_key)).toBe(false)
    expect(verifies(headers, `${body} `, keys.public_key)).toBe(false)
    expect(verifies({ ...headers, 'webhook-id': 'other' }, body, keys.public_key)).toBe(false)
  })

  test('is absent without a private key', () => {
    const headers = signedHeaders(message(), { secrets: [newSecret()] })
    expect(headers['webhook-signature']).not.toContain('v1a')
  })
})

describe('the vault', () => {
  const key = () => new Secret(randomBytes(32).toString('base64'))
  const [first, second] = [key(), key()]
  const vault = openVault([first])
  const secret = newSecret()

  test('opens what it sealed, and seals the same secret differently each time', () => {
    const sealed = [vault.seal('a', secret), vault.seal('a', secret)]
    for (const text of sealed) expect(vault.open('a', text)).toBe(secret)
    expect(sealed[0]).not.toBe(sealed[1])
    for (const part of [secret, secret.slice(6), first.reveal()]) {
      expect(sealed.join()).not.toContain(part)
    }
  })

  test('a new first key seals, and the former one still opens', () => {
    const changed = openVault([second, first])
    expect(changed.open('a', vault.seal('a', secret))).toBe(secret)
    const sealed = changed.seal('a', secret)
    expect(openVault([second]).open('a', sealed)).toBe(secret)
    expect(() => vault.open('a', sealed)).toThrow(SealBroken)
  })

  test('another key, and another endpoint, do not open it', () => {
    const sealed = vault.seal('a', secret)
    expect(() => openVault([second]).open('a', sealed)).toThrow(SealBroken)
    expect(() => vault.open('b', sealed)).toThrow(SealBroken)
  })

  const opens = (sealed: string): boolean => {
    try {
      vault.open('a', sealed)
      return true
    } catch (error) {
      if (error instanceof SealBroken) return false
      throw error
    }
  }

  test('a text that was changed in any one place does not open', () => {
    const sealed = vault.seal('a', secret)
    // The last letter has bits that no byte uses.
    const places = Array.from({ length: sealed.length - 1 }, (_, index) => index)
    const opening = places.filter((index) =>
      opens(sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1)),
    )
    expect(opening).toEqual([])
  })

  test('a text that was cut at any place does not open', () => {
    const sealed = vault.seal('a', secret)
    const bytes = Buffer.from(sealed.slice(9), 'base64url')
    const lengths = Array.from({ length: bytes.length }, (_, length) => length)
    const opening = lengths.filter((length) =>
      opens(sealed.slice(0, 9) + bytes.subarray(0, length).toString('base64url')),
    )
    expect(opening).toEqual([])
    expect(() => vault.open('a', '')).toThrow(SealBroken)
  })

  test.each([[[]], [['']], [['c2hvcnQ=']], [[Buffer.alloc(33).toString('base64')]]])(
    'keys %j are refused',
    (texts) => {
      expect(() => openVault(texts.map((text) => new Secret(text)))).toThrow(RangeError)
    },
  )
})
