import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import {
  addressFault,
  AddressRefused,
  isPrivateAddress,
  publicLookup,
  type Resolve,
} from '../../src/gateway/webhooks/address.ts'
import {
  spellings,
  V4_RANGES,
  V6_RANGES,
  V6_SPELLINGS,
  V6_ZONES,
} from './webhook_address_tables.ts'
import {
  listen,
  listenOn443,
  nameServer,
  NOT_PUBLIC,
  PRIVATE,
  PUBLIC,
  senderOf,
} from './webhook_listener.ts'

const NO_URL = 'must be a URL, such as https://shop.example/webhooks'

const innerOf = (ranges: typeof V4_RANGES) =>
  ranges.flatMap(({ first, inside, last }) => [first, inside, last])
const outerOf = (ranges: typeof V4_RANGES) =>
  ranges.flatMap(({ before = [], after = [] }) => [before, after].flat())
const PRIVATE_ADDRESSES = [...innerOf(V4_RANGES), ...innerOf(V6_RANGES)]
const PUBLIC_ADDRESSES = [
  ...outerOf(V4_RANGES),
  ...outerOf(V6_RANGES),
  '1.1.1.1',
  '103.10.128.1',
  '2606:4700::1111',
  '2404:6800::1',
]
const hostOf = (address: string): string => (address.includes(':') ? `[${address}]` : address)

const SPELLED = [
  '127.0.0.1',
  '169.254.169.254',
  '10.0.0.1',
  '192.168.1.254',
  '172.16.0.9',
  '100.64.0.1',
  '0.0.0.0',
  '127.1.2.3',
].flatMap(spellings)
const LITERALS = [
  ...SPELLED,
  ...PRIVATE_ADDRESSES.map(hostOf),
  ...V6_SPELLINGS.map((address) => `[${address}]`),
]

describe('an address in the URL', () => {
  test('more than 500 private ones are tried', () => {
    expect(new Set(LITERALS).size).toBeGreaterThan(500)
  })

  test('a private one is refused in every spelling, and no connection is made', async () => {
    const connections = await listenOn443()
    const { asked, resolve } = nameServer(['1.1.1.1'])
    const post = senderOf({ ...PUBLIC, resolve })
    const wrong: string[] = []
    for (const host of LITERALS) {
      const url = `https://${host}/webhooks`
      // The message shows that it is the address that is refused, and no other rule.
      if (addressFault(url, PUBLIC) !== NOT_PUBLIC) {
        // Not posted: where the rule is broken, no test may reach another machine.
        wrong.push(`${host} is accepted`)
        continue
      }
      const { error, status } = await post(url)
      if (error !== 'address_refused' || status !== null) wrong.push(`${host}: ${error}`)
    }
    expect(wrong).toEqual([])
    expect(asked).toEqual([])
    expect(connections()).toBe(0)
  })

  test('the spellings of loopback do reach this machine where private addresses are allowed', async () => {
    const listener = await listen('127.0.0.1')
    const post = senderOf(PRIVATE)
    const hosts = spellings('127.0.0.1')
    for (const [index, host] of hosts.entries()) {
      await post(`http://${host}:${listener?.port}/`)
      expect([host, listener?.connections()]).toEqual([host, index + 1])
    }
    expect(hosts.length).toBeGreaterThan(100)
  })

  test.each([...V4_RANGES, ...V6_RANGES])(
    '$name: both edges and the inside are private',
    (range) => {
      expect(innerOf([range]).filter((address) => !isPrivateAddress(address))).toEqual([])
    },
  )

  test.each(PUBLIC_ADDRESSES)('%s is public', (address) => {
    expect(isPrivateAddress(address)).toBe(false)
    expect(addressFault(`https://${hostOf(address)}/webhooks`, PUBLIC)).toBeUndefined()
  })

  test.each(V6_ZONES)('[%s] is no URL', (address) => {
    expect(addressFault(`https://[${address}]/`, PUBLIC)).toBe(NO_URL)
    expect(addressFault(`https://[${address}]/`, PRIVATE)).toBe(NO_URL)
  })

  test.each([
    'fe80::1%lo',
    '::1%lo',
    '::ffff:127.0.0.1%lo',
    '',
    'localhost',
    '127.0.0.1 ',
    '1.1.1',
  ])('an answer of the name server that is %j is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true)
  })
})

/** Public; the wrong family makes the system refuse it, so that nothing leaves the machine. */
const OPEN = { address: '2606:4700::1111', family: 4 }
const HERE = { address: '127.0.0.1', family: 4 }

describe('a name', () => {
  /** Those of the answers that the lookup would hand to a connection. */
  async function acceptedOf(answers: readonly (readonly string[])[]): Promise<string[]> {
    const lookup = publicLookup(PUBLIC, nameServer(...answers).resolve)
    const accepted: string[] = []
    for (const answer of answers) {
      const error = await new Promise((resolve) => {
        lookup('trap.example', { all: true }, (fault) => resolve(fault))
      })
      if (!(error instanceof AddressRefused)) accepted.push(answer.join())
    }
    return accepted
  }

  test('with a private address is refused', async () => {
    const answers = [...PRIVATE_ADDRESSES, ...V6_SPELLINGS, 'fe80::1%lo'].map((one) => [one])
    expect(await acceptedOf(answers)).toEqual([])
  })

  test('with a public and a private address is refused, whichever comes first', async () => {
    const mixed = PRIVATE_ADDRESSES.flatMap((address) =>
      ['1.1.1.1', '2606:4700::1111'].flatMap((open) => [
        [address, open],
        [open, address],
        [open, open, address, open],
      ]),
    )
    expect(await acceptedOf(mixed)).toEqual([])
  })

  // Only addresses of this machine: where the rule is broken, no test may reach another one.
  test.each([
    ['127.0.0.1'],
    ['127.8.8.8'],
    ['0.0.0.0'],
    ['::1'],
    ['::'],
    ['::ffff:127.0.0.1'],
    ['127.0.0.1', '::1'],
  ])('that leads to this machine gets no connection: %s', async (...answer) => {
    const connections = await listenOn443()
    const { asked, resolve } = nameServer(answer)
    const { error, status } = await senderOf({ ...PUBLIC, resolve })('https://trap.example/')
    expect([error, status]).toEqual(['address_refused', null])
    expect(asked).toEqual(['trap.example'])
    expect(connections()).toBe(0)
  })

  test.each([[[OPEN, HERE]], [[HERE, OPEN]]])(
    'that leads to this machine and elsewhere gets no connection',
    async (answer) => {
      const connections = await listenOn443()
      const post = senderOf({
        ...PUBLIC,
        resolve: (_host, _options, found) => void setImmediate(() => found(null, answer)),
      })
      expect(await post('https://trap.example/')).toMatchObject({ error: 'address_refused' })
      expect(connections()).toBe(0)
    },
  )

  test('is refused by the connection itself, on any port', async () => {
    const listener = await listen('127.0.0.1')
    const open = async (rules: { allow_private: boolean }): Promise<unknown> =>
      await new Promise((resolve) => {
        const { resolve: by } = nameServer(['127.0.0.1'])
        const lookup = publicLookup(rules, by)
        const socket = connect({ host: 'trap.example', port: listener?.port ?? 0, lookup })
        socket.once('error', resolve).once('close', () => resolve('closed'))
      })
    expect(await open(PUBLIC)).toBeInstanceOf(AddressRefused)
    expect(listener?.connections()).toBe(0)
    // Seen to fail: the same name does connect without the rule.
    expect(await open(PRIVATE)).toBe('closed')
    expect(listener?.connections()).toBe(1)
  })

  test('is refused without an address, and an error of the name server is passed on', async () => {
    const none = senderOf({ ...PUBLIC, ...nameServer([]) })
    expect(await none('https://trap.example/')).toMatchObject({ error: 'address_refused' })
    const failing: Resolve = (_host, _options, found) =>
      found(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
    expect(await senderOf({ ...PUBLIC, resolve: failing })('https://trap.example/')).toMatchObject({
      error: 'dns',
      status: null,
    })
  })

  test('that becomes private after a first public answer is refused', async () => {
    const connections = await listenOn443()
    let asked = 0
    const post = senderOf({
      ...PUBLIC,
      resolve: (_host, _options, found) => {
        asked += 1
        const answer = asked === 1 ? OPEN : HERE
        setImmediate(() => found(null, [answer]))
      },
    })
    expect(await post('https://rebind.example/')).toMatchObject({ error: 'connection' })
    expect(await post('https://rebind.example/')).toMatchObject({ error: 'address_refused' })
    expect(await post('https://rebind.example/')).toMatchObject({ error: 'address_refused' })
    expect(connections()).toBe(0)
  })

  test('is resolved once for a connection, which goes to the address that was tested', async () => {
    const listener = await listen('127.0.0.1')
    const { asked, resolve } = nameServer(['127.0.0.1'], ['127.0.0.2'])
    await senderOf({ ...PRIVATE, resolve })(`http://rebind.example:${listener?.port}/`)
    expect(listener?.connections()).toBe(1)
    expect(asked).toEqual(['rebind.example'])
  })

  test.each([true, false])(
    'with all: %s the lookup answers in the form that was asked for',
    async (all) => {
      const { resolve } = nameServer(['1.1.1.1', '8.8.8.8'])
      const answer = await new Promise((done) => {
        publicLookup(PUBLIC, resolve)('shop.example', { all }, (...given) => done(given))
      })
      const both = [
        ['1.1.1.1', 4],
        ['8.8.8.8', 4],
      ].map(([address, family]) => ({ address, family }))
      expect(answer).toEqual(all ? [null, both] : [null, '1.1.1.1', 4])
    },
  )
})
