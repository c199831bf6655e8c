// The arguments of the client's operations, as a caller passes them.
import { expect, test } from 'vitest'
import type { GatewayClient } from '../../src/gateway/client.ts'
import { always, CHARGE, clientOf, replyServer } from './reply_server.ts'

const REPLY = { status_code: '200', order_id: 'order-1', transaction_status: 'pending' }
const REFUND = { order_id: 'a/b', refund_key: 'r-1', amount: 5_000 }

test('parameters in the order of the specification send what the same by name send', async () => {
  const { url, received } = await replyServer(always(200, REPLY))
  const client = clientOf(url)
  await client.refund('a/b', 'r-1', '5000.00', 'broken', { idempotency_key: 'k-1' })
  await client.refund({ ...REFUND, reason: 'broken' }, { idempotency_key: 'k-1' })
  await client.capture('t-1', 150_000)
  await client.capture({ transaction_id: 't-1', gross_amount: '150000' })
  await client.getStatus('o-1')
  await client.getStatus({ order_id: 'o-1' })
  await client.charge(CHARGE)
  await client.charge({ payload: CHARGE })
  const sent = received.map(({ method, url: path, body, headers }) => ({
    request: `${method} ${path}`,
    body,
    key: headers['idempotency-key'],
  }))
  expect(sent).toHaveLength(8)
  for (const at of [0, 2, 4, 6]) expect(sent[at]).toEqual(sent[at + 1])
  expect(sent[0]).toMatchObject({ request: 'POST /v2/a%2Fb/refund', key: 'k-1' })
})

test.each([
  ['zero', 0],
  ['a negative amount', -100],
  ['a fraction of a rupiah', '1.50'],
  ['hundredths', 10_000n],
  ['no number', 'ten'],
  ['nothing', undefined],
  ['an object', {}],
])('an amount that is %s is refused with its field and not sent', async (_, amount) => {
  const { url, received } = await replyServer(always(200, REPLY))
  const client = clientOf(url)
  const field = { errors: [expect.objectContaining({ field: 'amount' })] }
  const refused = { name: 'GatewayValidationError', code: 'invalid_request', stage: 'before' }
  for (const call of [
    client.refund({ ...REFUND, amount: amount as never }),
    client.refund('a/b', 'r-1', amount as never),
  ]) {
    await expect(call).rejects.toMatchObject({ ...refused, ...field })
  }
  expect(received).toHaveLength(0)
})

test.each([
  ['an id that is a number', 'order_id', (c) => c.getStatus(7 as never)],
  ['no id', 'order_id', (c) => c.cancel(undefined as never)],
  ['a payload that is text', 'payload', (c) => c.charge('qris' as never)],
  ['a misspelt name', 'ammount', (c) => c.refund({ ...REFUND, ammount: 1 } as never)],
  ['a reason that is a number', 'reason', (c) => c.refund('a', 'b', 1, 7 as never)],
] satisfies [string, string, (client: GatewayClient) => Promise<unknown>][])(
  '%s is a GatewayValidationError that names %s',
  async (_, field, call) => {
    const { url, received } = await replyServer(always(200, REPLY))
    await expect(call(clientOf(url))).rejects.toMatchObject({
      name: 'GatewayValidationError',
      errors: [expect.objectContaining({ field })],
    })
    expect(received).toHaveLength(0)
  },
)
