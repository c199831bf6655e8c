import { describe, expect, test } from 'vitest'
import {
  hideKeys,
  hideSecrets,
  isOneTimeToken,
  isSecretName,
  mayHoldSecrets,
  secretIn,
} from './secret_shapes.ts'

const UUID = '0c1bd4a6-3ef7-4f0e-9a55-6f2f0f6f7a10'
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmkifQ.c2lnbmF0dXJl'

describe('a text holds', () => {
  test.each([
    ['a server key', 'SB-Mid-server-abcDEF_123'],
    ['a server key', 'Mid-server-abcDEF_123'],
    ['a server key', btoa('SB-Mid-server-abcDEF_123:')],
    ['a server key', btoa('Mid-server-abcDEF_123:')],
    ['a card token', `481111-1114-${UUID}`],
    ['a card token', `48111111-1114-${UUID}`],
    ['a card token', '48111111xDUgxnnredRMAXuklkvA1114'],
    ...['A', 'Z', 'a', 'z'].map((letter) => ['a card token', `481111${letter.repeat(16)}1114`]),
    ['an API key', `gpk_${'a1'.repeat(16)}`],
    ['a JWT', JWT],
    ['a signature', 'ab'.repeat(64)],
    ['a signature', 'fF09'.repeat(32)],
    ['a card number', '4811111111111114'],
    ['a card number', '4811 1111 1111 1114'],
    ['a card number', '5264-2210-3887-4659'],
    ['a card number', '378282246310005'],
  ])('%s: %s', (what, secret) => {
    expect(secretIn(secret)).toBe(what)
    expect(secretIn(`it is ${secret}, really`)).toBe(what)
    expect(hideSecrets(`it is ${secret}, really`)).toBe('it is [secret], really')
    expect(hideKeys(`it is ${secret}`)).toBe(
      what === 'a card number' ? `it is ${secret}` : 'it is [secret]',
    )
  })
})

// Each of these refused would be a sale lost.
describe('nothing is found in', () => {
  test.each([
    ['an order id of the time', '1763176800000'],
    ['an order id of the day', '2026111500000017'],
    ['a minted order id', `order-${UUID}`],
    ['a masked card', '48111111-1114'],
    ['a phone', '+6281234567890'],
    ['a number that fails the check', '4811111111111113'],
    ['a longer number', '48111111111111140'],
    ['an identity number of Bali, though its digits add up', '5171015002900009'],
    ['one of Surabaya likewise', '3578014101900006'],
    ['a name of the merchant', 'Midnight server rack'],
    ['a hash of 64', 'ab'.repeat(32)],
  ])('%s', (_, text) => {
    expect(secretIn(text)).toBeUndefined()
    expect(hideSecrets(text)).toBe(text)
  })
})

test('names of secrets in any spelling, and no others', () => {
  for (const name of ['cvv', 'card_cvv', 'cardCvv', 'Card-CVV', 'token_id', 'signature_key'])
    expect([name, isSecretName(name)]).toEqual([name, true])
  for (const name of ['tokens_left', 'card', 'masked_card', 'cvv_checked', 'id', ''])
    expect([name, isSecretName(name)]).toEqual([name, false])
})

// The quick test before the patterns reads only some characters of a text.
test('a secret is found at every place of a text, whatever stands around it', () => {
  const secrets = [
    'SB-Mid-server-abcDEF_123',
    'MID-SERVER-abcd',
    btoa('Mid-server-abcDEF_123:'),
    `481111-1114-${UUID}`,
    `48111111-1114-${UUID}`,
    `481111${'x'.repeat(16)}1114`,
    `gpk_${'a1'.repeat(16)}`,
    JWT,
    'Ab'.repeat(64),
    '378282246310005',
    '4811 1111 1111 1114',
    '5264-2210-3887-4659',
  ]
  for (const secret of secrets) {
    for (const filler of ['.', '12345. ', 'abc deF. ', '2026-11-16 10:00. ']) {
      for (let before = 0; before < 300; before += 1) {
        const text = `${filler.repeat(50).slice(-before || Infinity)}.${secret}`
        expect(hideSecrets(`${text}.${filler}`)).toBe(
          `${text.slice(0, -secret.length)}[secret].${filler}`,
        )
      }
    }
  }
})

// Every text of every webhook is tested, so that an ordinary one must cost nothing more.
test.each([
  '',
  '12345',
  'gpk_ gpl_ gps_',
  'settlement',
  'Midnight server rack of the merchant',
  'Success, transaction is found',
  'b27e0a4e-3c5f-4a86-9e5d-5f5d1f1f4e0a',
  '2026-11-15 10:00:00 +0700',
  'order-2026-0001-abcdef',
  '8808 1234 5678 9012'.slice(0, 18),
  '12345678901234',
  '12345: 123456: 12345678.',
  '@[`{/:'.repeat(40),
  'abcdefG'.repeat(40),
])('%j is passed over', (text) => {
  expect(mayHoldSecrets(text)).toBe(false)
})

test('a token for one use is the whole beginning of a text', () => {
  expect(isOneTimeToken(`481111-1114-${UUID}`)).toBe(true)
  expect(isOneTimeToken(`https://example.test/481111-1114-${UUID}`)).toBe(false)
  expect(isOneTimeToken(UUID)).toBe(false)
})
