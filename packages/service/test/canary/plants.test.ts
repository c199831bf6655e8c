// Plants a leak in each output, and shows that the suite's own search finds it.
import { beforeAll, expect, test } from 'vitest'
import { buryEvent } from '../../src/store/events/dead_events.ts'
import { readObjectEvents } from '../../src/store/events/outbox.ts'
import { registerSubscriber } from '../../src/store/events/subscribers.ts'
import { jobsSchema } from '../../src/store/maintenance/jobs.ts'
import type { SignalEnvelope } from '../../src/domain/signal_envelope.ts'
import { send } from '../http/http_bench.ts'
import { Canaries } from './canaries.ts'
import { useCanaries, type Secrets } from './canary_bench.ts'
import { findLeaks, printed } from './surfaces.ts'

const bench = useCanaries()
let secrets: Secrets
let payment: { id: string }

beforeAll(async () => {
  secrets = await bench.secrets()
  payment = (await bench.ask('POST', '/charge/', { body: await bench.inputOf('qris') })).body
})

/** What is found with the plant, and neither before nor after it. */
async function foundBy(plant: () => Promise<void>, uproot: () => Promise<void>): Promise<string[]> {
  expect(await findLeaks(bench.canaries, await bench.everything())).toEqual([])
  await plant()
  const leaks = await findLeaks(bench.canaries, await bench.everything())
  await uproot()
  expect(await findLeaks(bench.canaries, await bench.everything())).toEqual([])
  return leaks
}

const uprootSeen = async () => await Promise.resolve(void bench.witness.seen.pop())

test('the search finds a leak in the body of a reply, and in a header', async () => {
  const { server_key, card_number } = secrets
  const answer = await send('GET', `${bench.parts.url}/payments/${payment.id}/`, { as: '' })
  const body = { ...answer, text: JSON.stringify({ metadata: { note: card_number } }) }
  const plantBody = async () => await Promise.resolve(bench.witness.reply('planted', body))
  expect(await foundBy(plantBody, uprootSeen)).toMatchObject([
    expect.stringMatching(/^reply planted: card number as plain/),
  ])
  const headers = new Headers({ location: `/?key=${encodeURIComponent(`${server_key}:`)}` })
  const plantHeader = async () =>
    await Promise.resolve(bench.witness.reply('planted', { ...answer, headers }))
  expect(await foundBy(plantHeader, uprootSeen)).toHaveLength(1)
})

test('the search finds a leak in a log line: its fields, its message, the cause of its error', async () => {
  const { token_id, api_key, jwt } = secrets
  const cause = { request: { headers: { authorization: `Bearer ${jwt}` } } }
  const { logger } = bench.witness
  for (const [log, leaked] of [
    [() => logger.info({ token: token_id }, 'charge'), 'card token'],
    [() => logger.warn({}, `by ${api_key}`), 'API key'],
    [() => logger.error({ error: new Error('x', { cause }) }, 'failed'), 'JWT'],
  ] as const) {
    const [leak, ...others] = await foundBy(async () => await Promise.resolve(log()), uprootSeen)
    expect(leak).toContain(`: ${leaked} as plain`)
    expect(others).toEqual([])
  }
})

test('the search finds a leak in a delivered event', async () => {
  const [event] = await bench.database.do((tx) => readObjectEvents(tx, payment.id, 1, 1))
  const delivered = { ...event, object: { id: payment.id, metadata: { cvv: '7391' } } }
  const leaks = await foundBy(
    async () => await Promise.resolve(bench.witness.event(delivered as unknown as SignalEnvelope)),
    uprootSeen,
  )
  expect(leaks).toMatchObject([expect.stringMatching(/^event payment_received: CVV/)])
})

test('the search finds a leak in a row of ours: metadata, an event, a dead event, bytes', async () => {
  const { saved_token_id, server_key, card_number } = secrets
  const { sql } = bench.database
  const metadata = async (value: object) =>
    void (await sql('update gapura.gateway_payment set metadata = $2 where id = $1', [
      payment.id,
      JSON.stringify(value),
    ]))
  const basic = Buffer.from(`x:${server_key}`).toString('base64')
  for (const note of [saved_token_id, basic, Buffer.from(card_number).toString('hex')]) {
    const leaks = await foundBy(
      async () => await metadata({ note }),
      async () => await metadata({}),
    )
    expect(leaks.map((leak) => leak.split(/[.:]/)[1])).toEqual(['gateway_payment'])
  }
  const [event] = await bench.database.do((tx) => readObjectEvents(tx, payment.id, 1, 1))
  if (event === undefined) throw new Error('no event')
  await bench.database.do((tx) => registerSubscriber(tx, 'shop', 'beginning'))
  const dead = await foundBy(
    async () =>
      await bench.database.do((tx) =>
        buryEvent(tx, 'shop', event, { attempts: 1, error: `said ${server_key}` }),
      ),
    async () => void (await sql('delete from gapura.dead_event')),
  )
  expect(dead).toMatchObject([expect.stringContaining('.dead_event: server key as plain')])
  const bytes = await foundBy(
    async () => {
      await sql('create table gapura.plant as select convert_to($1, $2) as seed', [
        secrets.jwt,
        'UTF8',
      ])
    },
    async () => void (await sql('drop table gapura.plant')),
  )
  expect(bytes).toMatchObject([expect.stringContaining('.plant: JWT as hex')])
})

test('the search finds a leak in the queue’s own tables: the error and the payload of a job', async () => {
  const queue = jobsSchema(bench.database.db)
  const { sql } = bench.database
  for (const column of ['last_error', 'payload']) {
    const value = column === 'payload' ? 'to_json($1::text)' : '$1'
    const leaks = await foundBy(
      async () => {
        await sql(`select ${queue}.add_job('planted')`)
        await sql(`update ${queue}._private_jobs set ${column} = ${value}`, [secrets.token_id])
      },
      async () => void (await sql(`delete from ${queue}._private_jobs`)),
    )
    expect(leaks).toMatchObject([expect.stringContaining('_private_jobs: card token as plain')])
  }
})

test('the search finds a secret in every form, and not in similar text', () => {
  const canaries = new Canaries()
  const value = canaries.watch('secret', 'ka/nari+"säcret"~1')
  canaries.watch('CVV', '7391')
  const bytes = Buffer.from(value)
  const forms = [
    `x${value}x`,
    JSON.stringify({ deep: JSON.stringify({ value }) }),
    JSON.stringify({ value }),
    encodeURIComponent(value),
    new URLSearchParams({ value }).toString(),
    `\\x${bytes.toString('hex').toUpperCase()}`,
    ...['', 'a', 'ab'].map((before) => Buffer.from(`${before}${value}:`).toString('base64')),
    Buffer.from(`a${value}`).toString('base64url'),
    printed(new Error('x', { cause: new Error(value) })),
  ]
  for (const text of forms) expect([text, canaries.leaksIn(text).length]).toEqual([text, 1])
  for (const text of ['cvv=7391&', '"7391"', '{"cvv": 7391}', 'is 7391, yes'])
    expect([text, canaries.leaksIn(text).length]).toEqual([text, 1])
  for (const text of ['ka/nari', '{"duration_ms":7391}', 'a7391', '17391', '7391.00', ''])
    expect([text, canaries.leaksIn(text).length]).toEqual([text, 0])
})
