// Webhook endpoints of an owner that is moved, with events that they have not received.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { MovePoint } from '../../src/services/cells/freeze_owner.ts'
import { moveOwner } from '../../src/services/cells/move_owner.ts'
import { listen, send } from '../http/http_bench.ts'
import { eventually } from '../store/test_database.ts'
import { useCells, type Name } from './move_bench.ts'

const { cell, rows, order, counts, broken, token, charge } = useCells({
  payments: 39 * 5,
  owners: 39,
})

const owner_id = 'owner-31'
const arrived: string[] = []
const receiver = createServer((request, response) => {
  arrived.push(`${request.url} ${String(request.headers['webhook-id'])}`)
  request.resume().on('end', () => response.end())
})
afterAll(() => receiver.close())

test('endpoints get from the new cell what they had not received: all, a few types, or once enabled', async () => {
  const mine = await token(owner_id, { scope: 'payments:write webhooks:write' })
  const url = await listen(receiver)
  const post = async (name: Name, path: string, body: object = {}) =>
    await send('POST', `${cell(name).url}/webhook_endpoints/${path}`, {
      as: '',
      headers: { authorization: `Bearer ${mine}` },
      body,
    })
  await post('a', '', { url: `${url}/all` })
  await post('a', '', { url: `${url}/none`, types: ['invoice_paid'] })
  const { body: paused } = await post('a', '', { url: `${url}/paused` })
  await post('a', `${paused.id}/pause/`)
  const { body: gone } = await post('a', '', { url: `${url}/gone` })
  const disable = `update gapura.webhook_endpoint
    set state = 'disabled', disabled_reason = 'gone' where id = $1`
  await rows('a', disable, [gone.id])
  // No worker runs in the old cell, so nothing is delivered there.
  await charge('a', mine)
  await moveOwner(order(owner_id))
  const kept = 'select state, disabled_reason from gapura.webhook_endpoint where id = $1'
  expect(await rows('b', kept, [gone.id])).toEqual([{ state: 'disabled', disabled_reason: 'gone' }])
  const worker = await cell('b').gapura.startWorker()
  const events = await rows(
    'b',
    `select id from gapura.gateway_event
     where owner_id = $1 and occurred_at > now() - interval '1 hour'`,
    [owner_id],
  )
  const receivedBy = async (path: string) =>
    await eventually(
      async () => await Promise.resolve(arrived.filter((one) => one.startsWith(`${path} `))),
      (found) => found.length >= events.length,
    )
  const expected = (path: string) => events.map(({ id }) => `${path} ${String(id)}`)
  expect(await receivedBy('/all')).toEqual(expected('/all'))
  expect(arrived).toEqual(expected('/all'))
  await post('b', `${paused.id}/enable/`)
  expect(await receivedBy('/paused')).toEqual(expected('/paused'))
  await worker.stop()
  expect(events.length).toBeGreaterThan(0)
  expect([await broken('a'), await broken('b')]).toEqual([[], []])
})

test('a pause that is given up leaves nothing in the new cell that acts, or is gone later', async () => {
  const other = 'owner-37'
  const mine = await token(other, { scope: 'payments:write webhooks:write' })
  const created = await send('POST', `${cell('a').url}/webhook_endpoints/`, {
    as: '',
    headers: { authorization: `Bearer ${mine}` },
    body: { url: 'http://127.0.0.1:9/gone' },
  })
  await send('POST', `${cell('a').url}/webhook_endpoints/${created.body.id}/test/`, {
    as: '',
    headers: { authorization: `Bearer ${mine}` },
  })
  const copied: unknown[] = []
  let tries = 0
  const reached = async (point: MovePoint): Promise<void> => {
    if (point === 'draining') tries += 1
    if (point === 'draining' && tries === 2) await rows('a', 'delete from gapura.webhook_resend')
    if (point !== 'last_copied' || tries !== 1) return
    copied.push(
      ...(await rows('b', 'select state from gapura.webhook_endpoint where owner_id = $1', [
        other,
      ])),
    )
    // Longer than a pause may last.
    await sleep(1_600)
  }
  await moveOwner(order(other, { reached }))
  expect([tries, copied]).toEqual([2, [{ state: 'paused' }]])
  expect(await counts('b', other)).toMatchObject({ webhook_endpoint: 1, webhook_resend: 0 })
  const states = 'select state from gapura.webhook_endpoint where owner_id = $1'
  expect(await rows('b', states, [other])).toEqual([{ state: 'enabled' }])
})
