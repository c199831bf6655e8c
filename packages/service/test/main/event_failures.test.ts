// A handler that throws: the log, the health page and stderr say so while its events are retried.
import { expect, onTestFinished, test, vi } from 'vitest'
import { createGapura } from '../../src/main/create_gapura.ts'
import { QUICK } from '../events/event_bench.ts'
import { useHttp } from '../http/http_bench.ts'
import { DATABASE_URL, eventually } from '../store/test_database.ts'

const http = useHttp()

const broken = (name: string) => ({
  name,
  signals: ['payment_received'] as const,
  handler: () => {
    throw new TypeError('Do not know how to serialize a BigInt')
  },
})

test('a failing and then dead event is logged with its error, and named by the health checks of a ready process', async () => {
  const { gapura } = http.parts
  gapura.subscribe(broken('fulfilment'))
  const worker = await gapura.startWorker({ relay: QUICK })
  const { id } = await http.charged()
  const logged = await eventually(
    () => Promise.resolve(http.log.filter(({ fields }) => 'event_id' in fields)),
    (lines) => lines.some(({ level }) => level === 'error'),
  )
  await worker.stop()
  const failure = {
    subscriber: 'fulfilment',
    type: 'payment_received',
    object_id: id,
    error: 'TypeError: Do not know how to serialize a BigInt',
  }
  expect(logged).toMatchObject([
    { level: 'warn', fields: { ...failure, attempts: 1 } },
    { level: 'error', fields: { ...failure, attempts: QUICK.attempts_max } },
  ])
  const { ready, checks } = await eventually(
    async () => await gapura.health(),
    (health) => health.checks['events'] !== 'ok',
  )
  expect([ready, checks['events']]).toEqual([true, 'failing: fulfilment: 1 dead, 0 retried'])
})

test('without a logger of the host the failure is written to stderr', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => written.mockRestore())
  const { url: base_url, server_key } = http.parts.simulator
  const gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema: http.database.db.schema,
    gateway: { base_url, server_key },
  })
  gapura.subscribe(broken('mailer'))
  const worker = await gapura.startWorker({ relay: QUICK })
  await http.charged()
  const lines = await eventually(
    () => Promise.resolve(written.mock.calls.map(([line]) => String(line))),
    (all) => all.some((line) => line.includes('"event dead')),
  )
  await worker.stop()
  await gapura.close()
  const line = lines.find((one) => one.includes('"subscriber":"mailer"')) ?? '{}'
  expect(JSON.parse(line)).toMatchObject({ level: 'warn', type: 'payment_received' })
})
