// Endpoints of webhooks from the API to a real receiver: a real worker, database and HTTP.
import { randomBytes } from 'node:crypto'
import { verifyEvent } from '../../../sdk/src/events.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appendEvent } from '../../src/store/events/outbox.ts'
import { lockPayment } from '../../src/store/payments/locks.ts'
import { newId } from '../../src/store/sql/values.ts'
import type { RunningWorker } from '../../src/main/worker.ts'
import { useHttp, type Json } from '../http/http_bench.ts'
import { addPayment } from '../store/sample_rows.ts'
import { eventually } from '../store/test_database.ts'
import { olderEventsPassed } from './event_bench.ts'
import { useReceiver } from './webhook_bench.ts'

const webhooks = { keys: [randomBytes(32).toString('base64')], allow_private: true }
const http = useHttp({ webhooks })
const receiver = useReceiver()
let worker: RunningWorker
beforeAll(async () => {
  worker = await http.parts.gapura.startWorker({ relay: { poll_ms_min: 5, poll_ms_max: 20 } })
})
afterAll(async () => await worker.stop())

interface Endpoint extends Json {
  id: string
  secret: string
  state: string
}
let paths = 0
async function endpoint(more: object = {}, as = 'ani'): Promise<Endpoint & { path: string }> {
  await olderEventsPassed(http.database)
  const path = `/${++paths}`
  const body = { url: receiver.urlOf(path), ...more }
  const made = await http.post('/webhook_endpoints/', { body, as })
  expect(made.status).toBe(201)
  return { ...(made.body as unknown as Endpoint), path }
}
const act = async (id: string, action: string, body?: object) =>
  await http.post(`/webhook_endpoints/${id}/${action}/`, body && { body })
const read = async (id: string) => (await http.get(`/webhook_endpoints/${id}/`)).body
const deliveries = async (id: string, query = ''): Promise<Json[]> =>
  (await http.get(`/webhook_deliveries/?endpoint_id=${id}${query}`)).body['results'] as Json[]

const payment = async (owner_id = 'ani'): Promise<string> =>
  (await http.database.do(async (tx) => await addPayment(tx, { owner_id, order_id: newId() }))).id
const publish = async (
  object_id: string,
  type: 'payment_received' | 'payment_settled' = 'payment_received',
) =>
  await http.database.do(async (tx) => {
    await lockPayment(tx, object_id)
    return await appendEvent(tx, {
      id: newId(),
      type,
      object_kind: 'payment',
      object_id,
      object: { id: object_id },
      previous_status: null,
      source: 'charge',
      notification_id: null,
    })
  })
const until = async (what: () => unknown, is: (value: never) => boolean) =>
  await eventually(async () => await Promise.resolve(what()), is as (value: unknown) => boolean)
const arrived = async (path: string, count: number) =>
  await until(
    () => receiver.at(path).length,
    (length: number) => length >= count,
  )
const arrivedOf = async (path: string, object_id: string, count: number) =>
  await until(
    () => receiver.sequencesOf(path, object_id).length,
    (length: number) => length >= count,
  )
const disabled = async (id: string) =>
  await until(
    async () => (await read(id))['state'],
    (state: string) => state === 'disabled',
  )
const logged = async (id: string, count: number, query = '') =>
  await eventually(
    async () => await deliveries(id, query),
    ({ length }) => length >= count,
  )
const nothingMore = async (times = 1) =>
  await new Promise((resolve) => setTimeout(resolve, times * 400))

describe('an endpoint', () => {
  test('gets the events of its owner, signed, in order, and the log has them', async () => {
    const { id, path, secret } = await endpoint()
    const [mine, other] = [await payment(), await payment('budi')]
    const first = await publish(mine)
    await publish(other)
    await publish(mine, 'payment_settled')
    await arrived(path, 2)
    await nothingMore()
    expect(receiver.sequencesOf(path, mine)).toEqual([1, 2])
    expect(receiver.sequencesOf(path, other)).toEqual([])
    const [got] = receiver.at(path)
    expect(got?.headers['webhook-id']).toBe(first.id)
    const body = got?.text ?? ''
    const verified = await verifyEvent({ body, headers: got?.headers ?? {}, secrets: secret })
    expect(verified).toMatchObject({ id: first.id, type: 'payment_received' })
    const forged = body.replace('received', 'settled')
    const forgery = { body: forged, headers: got?.headers ?? {}, secrets: secret }
    await expect(verifyEvent(forgery)).rejects.toThrow('signature_mismatch')
    const log = await deliveries(id)
    expect(log.map((row) => [row['sequence'], row['outcome'], row['response_status']])).toEqual([
      [2, 'delivered', 204],
      [1, 'delivered', 204],
    ])
    const detail = (await http.get(`/webhook_deliveries/${String(log[1]?.['id'])}/`)).body
    expect(detail['request_body']).toBe(body)
  })

  test('gets only the types it asked for', async () => {
    const { path } = await endpoint({ types: ['payment_settled'] })
    const id = await payment()
    await publish(id)
    await publish(id, 'payment_settled')
    await arrived(path, 1)
    await nothingMore()
    expect(receiver.sequencesOf(path, id)).toEqual([2])
  })

  test('of staff gets the events of every owner', async () => {
    const { path, owner_id } = await endpoint({ all_owners: true }, 'clerk')
    expect(owner_id).toBeNull()
    const ids = [await payment(), await payment('budi')]
    for (const id of ids) await publish(id)
    await arrived(path, 2)
    expect(ids.map((id) => receiver.sequencesOf(path, id))).toEqual([[1], [1]])
  })

  test('a failure holds back its object alone, and is tried again in order', async () => {
    const { id, path } = await endpoint()
    const [bad, good] = [await payment(), await payment()]
    receiver.answer(path, ({ event }, reply) => {
      reply.writeHead(event.data.object.id === bad ? 500 : 200).end(`nul \0 ${'x'.repeat(5_000)}`)
    })
    await publish(bad)
    await publish(good)
    await publish(bad, 'payment_settled')
    await publish(good, 'payment_settled')
    await arrivedOf(path, good, 2)
    expect(receiver.sequencesOf(path, bad)).toEqual([1])
    const [failed] = await logged(id, 1, '&outcome=failed')
    expect(failed).toMatchObject({ error_class: 'status', response_status: 500, attempt: 1 })
    expect(String(failed?.['response_body'])).toHaveLength(2_048)
    expect(String(failed?.['response_body'])).toMatch(/^nul \uFFFD x/)
    receiver.thank(path)
    // The plan waits for seconds; a resend of what is set aside brings it forward, in order.
    await act(id, 'resend', { delivery_id: failed?.['id'] })
    await arrivedOf(path, bad, 3)
    expect(receiver.sequencesOf(path, bad)).toEqual([1, 1, 2])
    expect((await read(id))['failing_since']).toBeNull()
  })

  test('410 disables it with an alarm; enabled again it continues and has lost nothing', async () => {
    const { id, path } = await endpoint()
    receiver.status(path, 410)
    const object = await payment()
    await publish(object)
    await disabled(id)
    const { body } = await http.get(`/staff/alarms/?subject_id=${id}`, { as: 'clerk' })
    expect(body['results']).toMatchObject([{ kind: 'endpoint_disabled', subject_kind: 'endpoint' }])
    await publish(object, 'payment_settled')
    receiver.thank(path)
    await nothingMore()
    expect(receiver.at(path)).toHaveLength(1)
    expect((await act(id, 'enable')).body).toMatchObject({
      state: 'enabled',
      disabled_reason: null,
    })
    await arrivedOf(path, object, 3)
    expect(receiver.sequencesOf(path, object)).toEqual([1, 1, 2])
    const alarms = await http.get(`/staff/alarms/?subject_id=${id}`, { as: 'clerk' })
    expect(alarms.body['results']).toEqual([])
  })

  test('days of nothing but failures disable it', async () => {
    const { id, path } = await endpoint()
    receiver.status(path, 500)
    await http.database.sql(
      `update gapura.webhook_endpoint set failing_since = now() - interval '6 days' where id = '${id}'`,
    )
    await publish(await payment())
    await disabled(id)
    expect((await read(id))['disabled_reason']).toMatch(/^nothing but failures since /)
  })

  test('a redirect is a failure and is not followed', async () => {
    const { id, path } = await endpoint()
    receiver.status(path, 307, { location: receiver.urlOf('/elsewhere') })
    await publish(await payment())
    expect((await logged(id, 1)).at(-1)).toMatchObject({
      error_class: 'redirect',
      response_status: 307,
    })
    expect(receiver.at('/elsewhere')).toEqual([])
  })

  test('one that asks for less rests as a whole', async () => {
    const { path } = await endpoint()
    receiver.status(path, 429, { 'retry-after': '3600' })
    await publish(await payment())
    await arrived(path, 1)
    for (let more = 0; more < 3; more++) await publish(await payment())
    await nothingMore()
    expect(receiver.at(path)).toHaveLength(1)
  })

  test('six attempts that fail together count as one failure: it does not rest', async () => {
    const { path } = await endpoint()
    const held: (() => unknown)[] = []
    receiver.answer(path, (_got, reply) => void held.push(() => reply.writeHead(500).end()))
    for (let more = 0; more < 6; more++) await publish(await payment())
    await arrived(path, 6)
    for (const fail of held) fail()
    receiver.thank(path)
    const next = await payment()
    await publish(next)
    await arrivedOf(path, next, 1)
  })

  test('paused it gets nothing; enabled from a chosen time it skips what was before', async () => {
    const { id, path } = await endpoint()
    await act(id, 'pause')
    await nothingMore(3)
    const object = await payment()
    await publish(object)
    await nothingMore()
    expect(receiver.at(path)).toEqual([])
    await act(id, 'enable', { from: new Date(Date.now() + 7_200_000).toISOString() })
    await publish(object, 'payment_settled')
    await arrivedOf(path, object, 1)
    expect(receiver.sequencesOf(path, object)).toEqual([2])
    await act(id, 'pause')
    await act(id, 'enable', { from: new Date(0).toISOString() })
    await arrivedOf(path, object, 3)
    expect(receiver.sequencesOf(path, object)).toEqual([2, 1, 2])
  })

  test('a test event is signed and logged; a range of deliveries is sent again', async () => {
    const { id, path, secret } = await endpoint()
    expect((await act(id, 'test')).body).toMatchObject({ queued: 1 })
    await arrived(path, 1)
    const [got] = receiver.at(path)
    const body = got?.text ?? ''
    const event = await verifyEvent({ body, headers: got?.headers ?? {}, secrets: secret })
    expect(event.type).toBe('webhook_test')
    const object = await payment()
    await publish(object)
    await publish(object, 'payment_settled')
    await logged(id, 3)
    const range = await act(id, 'resend', { from: '2026-01-01T00:00:00Z' })
    expect(range.body).toMatchObject({ queued: 2 })
    await arrivedOf(path, object, 4)
    expect(receiver.sequencesOf(path, object)).toEqual([1, 2, 1, 2])
  })

  test('during a rotation both secrets verify; deleted it gets nothing', async () => {
    const { id, path, secret } = await endpoint({ ed25519: true })
    const rotated = (await act(id, 'rotate')).body
    expect(rotated['public_key']).toMatch(/^whpk_/)
    await until(
      async () => {
        await publish(await payment())
        return receiver.at(path).at(-1)?.headers['webhook-signature'] ?? ''
      },
      (signatures: string) => signatures.split(' ').length === 3,
    )
    const got = receiver.at(path).at(-1)
    const delivery = { body: got?.text ?? '', headers: got?.headers ?? {} }
    for (const secrets of [secret, String(rotated['secret'])]) {
      await expect(verifyEvent({ ...delivery, secrets })).resolves.toBeDefined()
    }
    await act(id, 'delete')
    expect((await http.get(`/webhook_endpoints/${id}/`)).status).toBe(404)
    await nothingMore(3)
    const before = receiver.at(path).length
    await publish(await payment())
    await nothingMore()
    expect(receiver.at(path)).toHaveLength(before)
    const [row] = await http.database.sql(
      `select secret, former_secret, private_key from gapura.webhook_endpoint where id = '${id}'`,
    )
    expect(row).toEqual({ secret: '', former_secret: null, private_key: null })
  })
})
