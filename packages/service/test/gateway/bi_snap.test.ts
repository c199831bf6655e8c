// The signatures of BI-SNAP against the two examples that the gateway publishes, and the client
// against the simulator, which checks them by code of its own.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { inspect } from 'node:util'
import { createSimulator, type Simulator } from '@gapura/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  biSnapCredentials,
  callSignature,
  snapTime,
  tokenSignature,
} from '../../src/gateway/bi_snap.ts'
import { Secret } from '../../src/gateway/secret.ts'
import { SharedParts } from '../../src/gateway/shared_parts.ts'
import { StatementClient } from '../../src/gateway/statements.ts'
import { PUBLISHED_KEY } from './published_key.ts'

describe('the published examples', () => {
  test('the signature of an access token', () => {
    const private_key = createPrivateKey(PUBLISHED_KEY)
    const signed = { client_id: 'G1234325-SNAP', private_key }
    expect(tokenSignature(signed, '2023-07-31T07:10:00+07:00')).toBe(
      'iv5YorKVVFOFS59l0HChDvPe+HeoE/jY5CfVgCg5i16nj5/DVnKg49ilkv8PyeU7y38apHhgO+cUrvkfUs5BhDD69yLn7xp8hzN9RcR0UDy5+nCrQ3GGCVSzZJvlEXN+TB0j4Q6pMsjrq4+YRoyDa4mTlsjJTU9aGjLRFBYgY4MyMQ5x11JyLnoFwbS8TJ5e/q4mUozrp49VyHe7OQSFnJNwvMSFrDyAIxoOK0IZQIlY29PaDIFcWoR+RJAY42H2FryjJcPpNfeercbkj9jsBLV3wmEKiNoN6lgFFLk5QicDnAAQzL45s92EYeCqDNuTTJOydaJbUqEo1d/ZPVNBtQ==',
    )
  })

  test('the signature of a call', () => {
    const call = {
      method: 'POST',
      path: '/v1.0/debit/payment-host-to-host',
      token: 'gp9HjjEj813Y9JGoqwOeOPWbnt4CupvIJbU1Mmu4a11MNDZ7Sg5u9a',
      digest: '56fa5f4999ad8014de49d7898c1d1d53472569db8999de3c1b752a0dd181e98c',
      timestamp: '2020-01-01T00:00:00+07:00',
    }
    expect(callSignature(call, new Secret('fdppqbF5wq7vVegyvsV1CROMv646nJ7A'))).toBe(
      'FSlidRHe4ow9qppNifGVQNcdv67lBjgCiP0BHylh+IKXo4fs2rHaGsFNUY0N8t0rPlZs4iAHAOCDklnCccwuJw==',
    )
  })

  test('a time is written to the second in Jakarta', () => {
    expect(snapTime(new Date('2026-01-31T23:30:59.999Z'))).toBe('2026-02-01T06:30:59+07:00')
  })
})

describe('credentials', () => {
  const given = { client_id: 'c', client_secret: 's', partner_id: 'p', private_key: PUBLISHED_KEY }

  test.each([
    ['with line breaks', PUBLISHED_KEY],
    ['with escaped line breaks', PUBLISHED_KEY.replaceAll('\n', String.raw`\n`)],
    ['in base64', Buffer.from(PUBLISHED_KEY).toString('base64')],
  ])('a private key %s is read', (_, private_key) => {
    expect(biSnapCredentials({ ...given, private_key }).private_key.asymmetricKeyType).toBe('rsa')
  })

  const small = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  test.each([
    ['text', { private_key: 'hunter2' }],
    [
      'a key of 1,024 bits',
      { private_key: small.export({ type: 'pkcs8', format: 'pem' }).toString() },
    ],
    [
      'a key of another kind',
      { private_key: curve.export({ type: 'pkcs8', format: 'pem' }).toString() },
    ],
    ['a secret with a line break', { client_secret: 'hunter2\n' }],
    ['a channel of letters', { channel_id: 'hunter2' }],
  ])('%s is refused without being shown', (_, wrong) => {
    expect(() => biSnapCredentials({ ...given, ...wrong })).toThrow(/must be/)
    expect(() => biSnapCredentials({ ...given, ...wrong })).not.toThrow(/hunter2/)
  })

  test('printing them shows neither secret nor key', () => {
    const shown = inspect(biSnapCredentials({ ...given, client_secret: 'hunter2' }), { depth: 5 })
    expect(shown).not.toMatch(/hunter2|MIIE/)
  })
})

describe('reads of the history', () => {
  let simulator: Simulator
  let shared: SharedParts
  let client: StatementClient
  const observed: unknown[] = []
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })

  const sim = async (path: string, body?: object, method = 'POST') =>
    await fetch(`${simulator.url}/_sim/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
  const callsOf = async (operation: string): Promise<number> => {
    const reply = await fetch(`${simulator.url}/_sim/ledger/summary`)
    return ((await reply.json()) as { calls: Record<string, number> }).calls[operation] ?? 0
  }

  beforeAll(async () => {
    const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    simulator = await createSimulator({ port: 0, seed: 3, bi_snap: { public_key } })
  })
  beforeEach(async () => {
    await sim('reset')
    observed.length = 0
    shared = new SharedParts({
      server_key: simulator.server_key,
      base_url: simulator.url,
      retry_delay_ms: 1,
      timeout_ms_max: 500,
      observe: (one) => observed.push(one),
      bi_snap: {
        client_id: 'G000000001-SNAP',
        client_secret: 'simulator-client-secret',
        partner_id: 'G000000001',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
    })
    client = new StatementClient(shared)
  })
  afterAll(async () => {
    await shared.close()
    await simulator.close()
  })

  const today = { from: new Date(Date.now() - 3_600_000), to: new Date() }

  test('many at the same time buy one token, and each is signed by itself', async () => {
    await Promise.all(Array.from({ length: 8 }, async () => await client.listHistory(today, 0)))
    expect(await callsOf('create_access_token')).toBe(1)
    expect(await callsOf('list_history')).toBe(8)
  })

  test('a token that ended before its time is replaced by one refusal', async () => {
    await client.listHistory(today, 0)
    await sim('clock/advance', { minutes: 20 })
    await expect(client.listHistory(today, 0)).resolves.toEqual(
      expect.objectContaining({ detailData: [] }),
    )
    expect(await callsOf('create_access_token')).toBe(2)
  })

  test('a lost answer is asked for again with another external id', async () => {
    await sim('faults', { effect: 'drop_after', match: { operation: 'list_history' }, times: 2 })
    await client.listHistory(today, 0)
    expect(await callsOf('list_history')).toBe(3)
  })

  test.each(['drop_before', 'timeout_after', 'truncated_json', 'wrong_types', 'html'])(
    'a gateway that always answers with %s is a failure that is not definite',
    async (effect) => {
      await sim('faults', { effect, match: { operation: 'list_history' } })
      await expect(client.listHistory(today, 0)).rejects.toMatchObject({
        code: 'gateway_failed',
        definite: false,
      })
    },
  )

  test('a wrong private key is refused once, and nothing that was sent is in the error or observed', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
    const wrong = new StatementClient(
      new SharedParts({
        server_key: simulator.server_key,
        base_url: simulator.url,
        observe: (one) => observed.push(one),
        bi_snap: {
          client_id: 'G000000001-SNAP',
          client_secret: 'simulator-client-secret',
          partner_id: 'G000000001',
          private_key: other.export({ type: 'pkcs8', format: 'pem' }).toString(),
        },
      }),
    )
    const error: unknown = await wrong.listHistory(today, 0).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'gateway_authentication_failed' })
    expect(await callsOf('create_access_token')).toBe(1)
    expect(inspect([error, observed], { depth: 9 })).not.toMatch(/client-secret|PRIVATE|Bearer/)
  })

  test('without credentials the history is refused before anything is sent', async () => {
    const none = new StatementClient(
      new SharedParts({ server_key: simulator.server_key, base_url: simulator.url }),
    )
    expect(none.reads_history).toBe(false)
    await expect(none.listHistory(today, 0)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('the balance is read with the server key', async () => {
    await expect(client.getBalanceMutation(today)).resolves.toMatchObject({
      opening_balance_overall: 0,
      closing_balance_overall: 0,
    })
    expect(await callsOf('create_access_token')).toBe(0)
  })
})
