// The sink to NATS JetStream, against a real server that is killed and started again.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { busSubscriber, ownerToken, subjectOf } from '../../src/events/bus.ts'
import { openNats } from '../../src/main/optional_packages.ts'
import { SubscriberAway } from '../../src/events/subscribers.ts'
import { eventually } from '../store/test_database.ts'
import { useEvents } from './event_bench.ts'
import { HAS_NATS, openNatsServer, type NatsServer } from './nats_bench.ts'

describe('a subject', () => {
  test.each([
    ['shop-1', 'shop-1'],
    ['shop.one', '~c2hvcC5vbmU'],
    ['a b', '~YSBi'],
    ['*', '~Kg'],
    ['>', '~Pg'],
    ['~c2hvcC5vbmU', '~fmMyaHZjQzV2Ym1V'],
    ['toko é', '~dG9rbyDDqQ'],
  ])('of owner %j has the token %j, which no other owner has', (owner, token) => {
    expect(ownerToken(owner)).toBe(token)
    expect(token).toMatch(/^[A-Za-z0-9_~-]+$/)
  })

  test('names prefix, owner and type', () => {
    expect(subjectOf('gapura', 'ani', 'payment_settled')).toBe('gapura.ani.payment_settled')
  })
})

const bench = useEvents()
const log: string[] = []
const note = (_fields: object, message: string): void => void log.push(message)
const logger = { info: note, warn: note, error: note }

test('without a server events wait: nothing is counted as failed, and no cursor moves', async () => {
  const bus = await openNats({ servers: ['nats://127.0.0.1:1'] }, logger)
  await expect(bus.publish({ subject: 'x', id: '1', body: '{}' })).rejects.toThrow(SubscriberAway)
  const [id = ''] = await bench.payments(1)
  await bench.publish(id)
  const relay = await bench.relay({ subscribers: [busSubscriber('away', 'gapura', bus)] })
  await eventually(
    () => Promise.resolve(relay.stats()[0]?.lag_ms ?? 0),
    (lag_ms) => lag_ms > 0,
  )
  expect(relay.stats()[0]).toMatchObject({ delivered: 0, failed: 0, dead: 0 })
  const rows = await bench.here.sql(
    "select cursor_xid::text as xid from gapura.event_subscriber where name = 'away'",
  )
  expect(rows).toEqual([{ xid: '0' }])
  expect(await bench.here.sql("select from gapura.dead_event where subscriber = 'away'")).toEqual(
    [],
  )
  await relay.stop()
  await bus.close()
})

test('while one object cannot be published, what the bus has of the others is not sent again', async () => {
  const [stuck = '', free = ''] = await bench.payments(2)
  await bench.publish(stuck)
  await bench.publish(free, 3)
  const sent: string[] = []
  let refused = 0
  const publish = async ({ body }: { body: string }): Promise<void> => {
    const { data } = JSON.parse(body) as { data: { object: { id: string }; id: string } }
    if (data.object.id === stuck && refused < 20) {
      refused += 1
      throw new SubscriberAway('not now')
    }
    sent.push(data.id)
    await Promise.resolve()
  }
  const relay = await bench.relay({ subscribers: [busSubscriber('stuck', 'gapura', { publish })] })
  const rows = async () => await bench.here.sql('select id from gapura.gateway_event')
  const wanted = (await rows()).length
  await eventually(
    () => Promise.resolve(sent.length),
    (count) => count >= wanted,
  )
  expect(refused).toBe(20)
  expect(sent).toHaveLength(wanted)
  expect(new Set(sent).size).toBe(wanted)
  expect(relay.stats()[0]).toMatchObject({ failed: 0, dead: 0 })
})

describe.skipIf(!HAS_NATS)('NATS JetStream', () => {
  let server: NatsServer
  beforeAll(async () => {
    server = await openNatsServer()
  })
  afterAll(async () => {
    await server.close()
  })

  test('waits without a stream; then each event is there once, in order, by subject and id, through a kill', async () => {
    const [id = ''] = await bench.payments(1)
    const bus = await openNats({ servers: [server.url] }, logger)
    const relay = await bench.relay({ subscribers: [busSubscriber('nats', 'gapura', bus)] })
    await bench.publish(id, 3)
    await eventually(
      () => Promise.resolve(log),
      (lines) => lines.includes('event bus connected'),
    )
    expect(relay.stats()[0]?.delivered).toBe(0)
    await server.addStream()
    await eventually(
      () => Promise.resolve(relay.stats()[0]?.delivered ?? 0),
      (delivered) => delivered >= 3,
    )
    await server.kill()
    await bench.publish(id, 2)
    await server.start()
    const messages = await eventually(
      async () =>
        (await server.messages()).filter(({ data }) => new TextDecoder().decode(data).includes(id)),
      ({ length }) => length >= 5,
    )
    const bodies = messages.map(({ data }) => JSON.parse(new TextDecoder().decode(data)) as Body)
    expect(bodies.map(({ data }) => data.sequence)).toEqual([1, 2, 3, 4, 5])
    expect(bodies.map(({ type }) => type)).toEqual(
      Array.from({ length: 5 }, () => 'payment_received'),
    )
    expect(messages.map(({ header }) => header.get('Nats-Msg-Id'))).toEqual(
      bodies.map(({ data }) => data.id),
    )
    expect(new Set(messages.map(({ subject }) => subject))).toEqual(
      new Set([`gapura.${ownerToken(messages[0]?.subject.split('.')[1] ?? '')}.payment_received`]),
    )
    // A second publication of the same event is dropped by the server.
    const [first] = messages
    await bus.publish({
      subject: String(first?.subject),
      id: String(first?.header.get('Nats-Msg-Id')),
      body: new TextDecoder().decode(first?.data),
    })
    expect(await server.messages()).toHaveLength((await server.messages()).length)
    const again = (await server.messages()).filter(
      ({ header }) => header.get('Nats-Msg-Id') === first?.header.get('Nats-Msg-Id'),
    )
    expect(again).toHaveLength(1)
    expect(relay.stats()[0]).toMatchObject({ failed: 0, dead: 0 })
    await relay.stop()
    await bus.close()
  })

  test('an event that is larger than the bus takes fails as any event does, and holds back no other', async () => {
    const bus = await openNats({ servers: [server.url] }, logger)
    await eventually(
      async () =>
        await bus.publish({ subject: 'gapura.x.y', id: 'small', body: '{}' }).then(
          () => true,
          () => false,
        ),
      (done) => done,
    )
    const body = 'x'.repeat(2_000_000)
    await expect(bus.publish({ subject: 'gapura.x.y', id: 'large', body })).rejects.toThrow(
      RangeError,
    )
    await bus.close()
  })
})

interface Body {
  type: string
  data: { id: string; sequence: number }
}
