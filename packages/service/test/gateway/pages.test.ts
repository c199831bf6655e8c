// The calls of hosted checkout (gateway-protocol.md#hosted-checkout).
import { describe, expect, test } from 'vitest'
import { always, clientOf, replyServer } from './reply_server.ts'

const PAGE = {
  transaction_details: { order_id: 'p-1', gross_amount: 1_000 },
  enabled_payments: ['gopay'],
  credit_card: { secure: true as const },
  page_expiry: { duration: 60, unit: 'minute' as const },
  metadata: {},
}
const STATUS = { status_code: '200', transaction_status: 'pending', order_id: 'o-1' }
const OPENED = { token: 't-1', redirect_url: 'https://app.example/snap/v4/redirection/t-1' }

describe('the pages', () => {
  test('are asked for on their own host, where one is given', async () => {
    const api = await replyServer(always(200, STATUS))
    const page = await replyServer(always(201, OPENED))
    const client = clientOf(api.url, { page_url: page.url })
    await client.getStatus('o-1')
    await client.createCheckout(PAGE)
    expect(api.received.map(({ url }) => url)).toEqual(['/v2/o-1/status'])
    expect(page.received.map(({ url }) => url)).toEqual(['/snap/v1/transactions'])
  })

  test.each([
    ['transaction_details.order_id has already been taken', 'gateway_duplicate'],
    ['transaction_details.order_id sudah digunakan', 'gateway_duplicate'],
    ['transaction_details.order_id is too long', 'gateway_rejected'],
    [
      'transaction_details.gross_amount is not equal to the sum of item_details',
      'gateway_rejected',
    ],
  ])('refused with %j are %s', async (message, code) => {
    const { url } = await replyServer(always(400, { error_messages: [message] }))
    await expect(clientOf(url).createCheckout(PAGE)).rejects.toMatchObject({ code })
  })

  test('a page without an address is no answer', async () => {
    const { url } = await replyServer(always(201, { token: 't-1' }))
    await expect(clientOf(url).createCheckout(PAGE)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
  })

  test('a refusal that quotes the token does not show it', async () => {
    const token = '66e4fa55-fdac-4ef9-91b5-733b97d1b862'
    const body = { error_messages: [`token ${token} not found`] }
    const { url } = await replyServer(always(404, body))
    const failure = clientOf(url).cancelCheckout(token)
    await expect(failure).rejects.toMatchObject({ code: 'gateway_not_found' })
    const shown = await failure.catch((error: unknown) => JSON.stringify(error) + String(error))
    expect(shown).not.toContain(token)
  })
})
