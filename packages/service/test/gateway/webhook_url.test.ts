import { describe, expect, test } from 'vitest'
import { addressFault } from '../../src/gateway/webhooks/address.ts'
import { always, replyServer } from './reply_server.ts'
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

describe('the parts of a URL', () => {
  const long = 'a'.repeat(64)
  test.each([
    'localhost',
    'LOCALHOST',
    'ⅼocalhost',
    'loc%61lhost',
    'localhost.',
    'intranet',
    'com',
    'a..example',
    '.example.com',
    '-a.example',
    'a-.example',
    'a!b.example',
    'a*.example',
    `${long}.example`,
    `shop.${long}`,
    `${`${'a'.repeat(60)}.`.repeat(5)}example`,
  ])('https://%s/ has no public name', (host) => {
    expect(addressFault(`https://${host}/`, PUBLIC)).toBe(NOT_PUBLIC)
  })

  test.each(['http', 'ftp', 'ws', 'wss', 'file', 'gopher', 'data', 'javascript', 'unix', 'dict'])(
    'the scheme %s is refused',
    (scheme) => {
      expect(addressFault(`${scheme}://shop.example/`, PUBLIC)).toBe('must begin with https://')
    },
  )

  test.each(['0', '1', '22', '25', '80', '442', '444', '5432', '6379', '8080', '8443', '65535'])(
    'port %s is refused, of a name and of a public address',
    (port) => {
      expect(addressFault(`https://shop.example:${port}/`, PUBLIC)).toBe('must use port 443')
      expect(addressFault(`https://1.1.1.1:${port}/`, PUBLIC)).toBe('must use port 443')
    },
  )

  test.each(['user@', 'user:secret@', ':secret@', '127.0.0.1@', '%40@', 'shop.example:443@'])(
    'user-info %s is refused',
    (info) => {
      const fault = 'must not contain a user or a password'
      expect(addressFault(`https://${info}shop.example/`, PUBLIC)).toBe(fault)
      expect(addressFault(`https://${info}127.0.0.1/`, PRIVATE)).toBe(fault)
    },
  )

  test('a fragment is refused', () => {
    expect(addressFault('https://shop.example/#a', PUBLIC)).toBe('must not have a part behind #')
  })

  test.each([
    '',
    ' ',
    'shop.example',
    '/webhooks',
    'https://',
    'https://:443/',
    'https://a b.example/',
  ])('%j is no URL', (text) => {
    expect(addressFault(text, PUBLIC)).toBe(NO_URL)
  })

  test.each(['256.1.1.1', '1.2.3.4.5', '0x100000000', '4294967296', '08.1.1.1', 'a.0x7f'])(
    'https://%s/ is neither an address nor a name',
    (host) => {
      expect(addressFault(`https://${host}/`, PUBLIC)).toBe(NO_URL)
    },
  )

  test.each([
    ['https://shop.example\\@127.0.0.1/', 'shop.example'],
    ['https://shop.example/@127.0.0.1/', 'shop.example'],
    ['https://shop.example?@127.0.0.1/', 'shop.example'],
    ['https:\\\\shop.example\\127.0.0.1', 'shop.example'],
    ['https:shop.example/https://127.0.0.1', 'shop.example'],
    ['https://127.0.0.1.shop.example/', '127.0.0.1.shop.example'],
    ['https://SHOP.example:443/', 'shop.example'],
  ])('of %s the host that is tested is the host that is called', async (url, host) => {
    const connections = await listenOn443()
    const { asked, resolve } = nameServer(['127.0.0.1'])
    expect(addressFault(url, PUBLIC)).toBeUndefined()
    expect(await senderOf({ ...PUBLIC, resolve })(url)).toMatchObject({ error: 'address_refused' })
    expect(asked).toEqual([host])
    expect(connections()).toBe(0)
  })
})

describe('a redirect', () => {
  test.each([300, 301, 302, 303, 304, 305, 307, 308, 399])(
    '%i is a failure and not followed',
    async (status) => {
      const private_one = await listen('127.0.0.1')
      const location = `http://127.0.0.1:${private_one?.port}/secrets`
      const { url, received } = await replyServer(always(status, 'moved', { location }))
      const answer = await senderOf(PRIVATE)(`${url}/webhooks`)
      expect(answer).toMatchObject({ error: 'redirect', status })
      expect(received).toHaveLength(1)
      expect(private_one?.connections()).toBe(0)
    },
  )
})
