// What a developer sees of listen: real events, a real receiver, and the signature it verifies.
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { verifyEvent, type GapuraEvent } from '@gapura/sdk'
import { SCOPES } from 'gapura'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../../service/test/http/http_bench.ts'
import { eventually } from '../../service/test/store/test_database.ts'
import { lineOf, useCli } from './cli_bench.ts'

const cli = useCli()
const shop = { owner_id: 'shop', staff: false, scopes: SCOPES }
let secret = ''
const received: GapuraEvent[] = []
const refused: unknown[] = []
let answer = 200

const receiver = createServer((request: IncomingMessage, response) => {
  void (async () => {
    const body = await text(request)
    await verifyEvent({ body, headers: request.headers, secrets: secret }).then(
      (event) => received.push(event),
      (error: unknown) => refused.push(error),
    )
    response.writeHead(answer).end()
  })()
})
let to = ''
beforeAll(async () => {
  to = `${await listen(receiver)}/hooks`
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const charge = async () =>
  (await cli.gapura.api.createCharge(shop, { payment_type: 'qris', gross_amount: 10_000 })).id
const arrived = async (id: string) =>
  await eventually(
    () =>
      Promise.resolve(received.filter(({ data }) => (data['object'] as { id: string }).id === id)),
    ({ length }) => length > 0,
  )

describe('listen', () => {
  test('--print-secret prints the secret of this folder, the same every time', async () => {
    const first = await cli.spawned(['listen', '--print-secret'])
    expect(first.stdout).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/)
    secret = first.stdout.trim()
    expect((await cli.spawned(['listen', '--print-secret'])).stdout).toBe(first.stdout)
  })

  test('forwards each event signed, and prints its line with the answer of the receiver', async () => {
    const child = cli.start(['listen', '--forward-to', to])
    expect(await lineOf(child, /Ready/)).toContain(secret)
    // Its first look decides what is new.
    const id = await eventually(charge, () => false, 3_000)
    const line = await lineOf(child, new RegExp(id))
    expect(line).toMatch(/payment_received +\S+ +\[200\] \d+ ms$/)
    const [event] = await arrived(id)
    expect(event).toMatchObject({
      type: 'payment_received',
      data: { sequence: 1, source: 'charge' },
    })
    answer = 503
    const next = await charge()
    expect(await lineOf(child, new RegExp(next))).toContain('[503]')
    answer = 200
    expect(refused).toEqual([])
    child.kill('SIGTERM')
  })

  test('with --url reads a service by its key, and continues after the service was away', async () => {
    const { key } = await cli.gapura.createApiKey({ owner_id: 'shop', name: 'listen' })
    const service = createServer((request, response) => cli.gapura.nodeHandler(request, response))
    const url = await listen(service)
    onTestFinished(() => void service.close())
    const { next } = await cli.gapura.api.listEvents(shop, { after: 'now' })
    const args = ['listen', '--url', url, '--forward-to', to, '--after', next]
    const child = cli.start(args, { GAPURA_API_KEY: key })
    await lineOf(child, /Ready/)
    const before = await charge()
    expect(await arrived(before)).toHaveLength(1)
    service.closeAllConnections()
    service.close()
    await lineOf(child, /disconnected/)
    const during = await charge()
    service.listen(Number(new URL(url).port), '127.0.0.1')
    expect(await arrived(during)).toHaveLength(1)
    expect(await arrived(before)).toHaveLength(1)
    child.kill('SIGTERM')
  })

  test('2 for an address that is none, and for --url without a key', async () => {
    expect((await cli.run(['listen', '--forward-to', 'localhost:8080'])).code).toBe(2)
    expect((await cli.run(['listen', '--url', 'http://127.0.0.1:1'])).code).toBe(2)
  })
})
