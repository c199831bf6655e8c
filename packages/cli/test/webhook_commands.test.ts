// Endpoints of webhooks from the command line, with a running worker and a real receiver.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SCOPES } from 'gapura'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../service/test/store/test_database.ts'
import { lineOf, useCli, type Json } from './cli_bench.ts'

const cli = useCli({
  env: {
    GAPURA_WEBHOOK_KEY: randomBytes(32).toString('base64'),
    GAPURA_WEBHOOK_PRIVATE: 'true',
  },
})

let status = 200
const received: Json[] = []
const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  received.push(JSON.parse(await text(request)) as Json)
  response.writeHead(status).end(`answered ${status}`)
}
const receiver = createServer((request, response) => void answer(request, response))
let address = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  await lineOf(cli.start(['work']), /worker started/)
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const create = async (path: string, ...flags: string[]) =>
  await cli.json('webhooks', 'create', `${address}/${path}`, ...flags)
const listed = async (...args: string[]) =>
  (await cli.json('webhooks', ...args))['results'] as Json[]

describe('an endpoint', () => {
  test('is created with a secret that is printed once, listed, shown and changed', async () => {
    const flags = ['--owner', 'shop', '--type', 'payment_settled']
    const made = await cli.run(['webhooks', 'create', `${address}/shop`, ...flags])
    expect(made.stderr).toContain('it is not shown again')
    expect(made.stdout).toMatch(/^whsec_\S+\n$/)
    const [endpoint] = await listed('list')
    expect(endpoint).toMatchObject({ owner_id: 'shop', types: ['payment_settled'] })
    expect(endpoint).not.toHaveProperty('secret')
    const id = String(endpoint?.['id'])

    const change = ['--all-types', '--description', 'the till', '--as', 'dewi']
    const changed = await cli.json('webhooks', 'update', id, ...change)
    expect(changed).toMatchObject({ types: null, description: 'the till' })
    const shown = await cli.run(['webhooks', 'show', id])
    expect(shown.stdout).toMatch(/types +all types\nowner +shop\nstate +enabled\n/)
    const spoken = await cli.run(['webhooks', 'list'])
    expect(spoken.stdout).toMatch(/^ID +URL +TYPES +OWNER +STATE +FAILING SINCE\n/)
    const rotated = await cli.run(['webhooks', 'rotate', id])
    expect(rotated.stdout).toMatch(/^whsec_/)
    expect(rotated.stdout).not.toBe(made.stdout)
  })

  test('is paused, enabled from a time, and deleted', async () => {
    const { id } = await create('all', '--all-owners')
    const paused = await cli.json('webhooks', 'pause', String(id))
    expect(paused).toMatchObject({ state: 'paused', owner_id: null })
    expect(await listed('list', '--state', 'paused')).toHaveLength(1)
    const refused = await cli.run(['webhooks', 'test', String(id), '--json'])
    expect(refused.code).toBe(2)
    const from = ['--from', '2026-01-31T00:00:00Z']
    const enabled = await cli.json('webhooks', 'enable', String(id), ...from)
    expect(enabled['state']).toBe('enabled')
    expect((await cli.run(['webhooks', 'delete', String(id)])).code).toBe(2)
    await cli.json('webhooks', 'delete', String(id), '--reason', 'moved')
    const gone = await cli.run(['webhooks', 'show', String(id), '--json'])
    expect([gone.code, gone.error['code']]).toEqual([3, 'not_found'])
  })

  test('a command line that is not valid is refused with exit code 2', async () => {
    const [owner, type, change, range] = await Promise.all([
      cli.run(['webhooks', 'create', address]),
      cli.run(['webhooks', 'create', address, '--all-owners', '--type', 'payment_lost']),
      cli.run(['webhooks', 'update', 'any']),
      cli.run(['webhooks', 'resend', 'any']),
    ])
    expect([owner.code, type.code, change.code, range.code]).toEqual([2, 2, 2, 2])
    expect(owner.stderr).toContain('give --owner or --all-owners')
    expect(type.stderr).toContain('no such type: payment_lost')
    expect(change.stderr).toContain('give what to change')
    expect(range.stderr).toContain('give --delivery or --from')
  })
})

describe('deliveries', () => {
  test('a test event is sent and its outcome printed; a failed one ends with exit code 1', async () => {
    const { id } = await create('tested', '--owner', 'tested')
    const sent = await cli.json('webhooks', 'test', String(id))
    expect(sent).toMatchObject({
      type: 'webhook_test',
      outcome: 'delivered',
      response_status: 200,
      response_body: 'answered 200',
    })
    expect(received.at(-1)).toMatchObject({ type: 'webhook_test' })
    status = 500
    const failed = await cli.run(['webhooks', 'test', String(id)])
    status = 200
    expect(failed.code).toBe(1)
    expect(failed.stdout).toMatch(/outcome +failed\nerror +status\nstatus +500\n/)
    expect((await cli.json('webhooks', 'show', String(id)))['failing_since']).not.toBeNull()
  })

  test('the attempts of an event are listed and shown, and it is sent again', async () => {
    const { id } = await create('log', '--owner', 'log', '--type', 'payment_received')
    await cli.gapura.api.createCharge(
      { owner_id: 'log', scopes: SCOPES },
      { payment_type: 'gopay', gross_amount: 150_000, order_id: 'logged-1' },
    )
    const log = async (...flags: string[]) => await listed('deliveries', String(id), ...flags)
    const [delivery] = await eventually(log, ({ length }) => length === 1)
    expect(delivery).toMatchObject({ type: 'payment_received', outcome: 'delivered', attempt: 1 })
    expect(await log('--outcome', 'failed')).toEqual([])

    const delivery_id = String(delivery?.['id'])
    const one = ['--delivery', delivery_id]
    const shown = await cli.run(['webhooks', 'deliveries', String(id), ...one])
    expect(shown.stdout).toContain('"order_id":"logged-1"')
    expect(shown.stdout).toContain('Response:\nanswered 200')
    expect(await cli.json('webhooks', 'resend', String(id), ...one)).toMatchObject({ queued: 1 })
    await eventually(log, ({ length }) => length === 2)
    const range = ['--from', '2026-01-31T00:00:00Z', '--outcome', 'failed']
    expect(await cli.json('webhooks', 'resend', String(id), ...range)).toMatchObject({ queued: 0 })
    const { id: other } = await create('other', '--owner', 'other')
    const foreign = await cli.run(['webhooks', 'deliveries', String(other), ...one, '--json'])
    expect(foreign.code).toBe(3)
  })
})
