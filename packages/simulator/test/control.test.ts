import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createSimulator, VERSION } from '../src/index.ts'
import { BODIES, idOf, listOf, Rig, textOf } from './rig.ts'

const rig = new Rig().install()
const bca = BODIES['bca'] ?? {}

describe('the virtual clock', () => {
  test('stands still when frozen, and says what is due next', async () => {
    await rig.charge('order-1', bca)
    await rig.quiet()
    expect(await rig.sim('GET /_sim/clock')).toEqual({
      now: '2026-01-05T05:00:00.000Z',
      wib: '2026-01-05 12:00:00',
      frozen: true,
      due_count: 1,
      next_due_at: '2026-01-06T05:00:00.000Z',
    })
  })

  test('runs everything due in order of time', async () => {
    await rig.charge('late', { ...bca, custom_expiry: { expiry_duration: 3, unit: 'hour' } })
    await rig.charge('soon', { ...bca, custom_expiry: { expiry_duration: 1, unit: 'hour' } })
    await rig.card('card')
    await rig.quiet()
    rig.hook.received = []
    await rig.advance({ days: 3 })
    const news = rig.hook.received.map(({ body }) => [body['order_id'], body['transaction_status']])
    expect(news).toEqual([
      ['soon', 'expire'],
      ['late', 'expire'],
      ['card', 'settlement'],
    ])
  })

  test('stamps an event with its own time, not with the end of the advance', async () => {
    await rig.card('order-1')
    await rig.advance({ days: 30 })
    expect(await rig.status('order-1')).toMatchObject({ settlement_time: '2026-01-06 16:00:00' })
  })

  test('can be set, also backwards; but it advances only forwards', async () => {
    await rig.sim('POST /_sim/clock/set', { now: '2025-12-31T00:00:00Z' })
    expect(await rig.sim('GET /_sim/clock')).toMatchObject({ wib: '2025-12-31 07:00:00' })
    const refused = await rig.refusedBySim('POST /_sim/clock/advance', { days: -1 })
    expect(refused.http_status).toBe(400)
    expect((await rig.refusedBySim('POST /_sim/clock/set', {})).http_status).toBe(400)
  })

  test('runs by itself when it is not frozen', async () => {
    const simulator = await createSimulator({ port: 0, start_time: Date.UTC(2020, 0, 1) })
    const read = async (): Promise<number> => {
      const clock = (await (await fetch(`${simulator.url}/_sim/clock`)).json()) as { now: string }
      return Date.parse(clock.now)
    }
    const before = await read()
    await expect.poll(read).toBeGreaterThan(before)
    expect(new Date(before).getUTCFullYear()).toBe(2020)
    await simulator.close()
  })
})

describe('the control API', () => {
  test('a reset deletes all data and gives the same ids for the same seed', async () => {
    const first = await rig.charge('order-1', bca)
    await rig.sim('POST /_sim/reset')
    expect(await rig.sim('GET /_sim')).toMatchObject({ transactions: 0, ledger_entries: 0 })
    expect(idOf(await rig.charge('order-1', bca))).toBe(idOf(first))
    await rig.sim('POST /_sim/reset', { seed: 99 })
    expect(idOf(await rig.charge('order-1', bca))).not.toBe(idOf(first))
  })

  test('shows one transaction with its history, and all in pages', async () => {
    await rig.charge('order-1', bca)
    await rig.advance({ minutes: 1 })
    await rig.act('order-1', 'pay')
    await rig.charge('order-2', bca)
    expect(await rig.sim('GET /_sim/transactions/order-1')).toMatchObject({
      charged_amount: 44_000,
      purse: { captured: 44_000, settled: 44_000 },
      history: [
        { status: 'pending', at: '2026-01-05T05:00:00.000Z' },
        { status: 'settlement', at: '2026-01-05T05:01:00.000Z', cause: 'paid' },
      ],
    })
    const page = await rig.sim('GET /_sim/transactions?after=1&limit=1')
    expect(page).toMatchObject({ total: 2, transactions: [{ order_id: 'order-2' }] })
    expect((await rig.refusedBySim('GET /_sim/transactions/unknown')).http_status).toBe(404)
  })

  test.each([
    ['pay', 409],
    ['settle', 409],
    ['chargeback', 409],
    ['dance', 404],
  ])('refuses to %s an expired order: %i', async (action, http_status) => {
    await rig.charge('order-1', bca)
    await rig.act('order-1', 'expire')
    const answer = await rig.refusedBySim(`POST /_sim/transactions/order-1/${action}`)
    expect(answer.http_status).toBe(http_status)
  })

  test('changes settings or none of them, and never shows a key', async () => {
    const bad = { customer_fee: 100, balance: 'much', notification_url: 'nowhere' }
    const refused = await rig.refusedBySim('PATCH /_sim/settings', bad)
    expect(textOf(refused.body, 'error')).toMatch(/notification_url.*balance/)
    const settings = await rig.sim('GET /_sim/settings')
    expect(settings).toMatchObject({ customer_fee: 0, balance: null })
    expect(JSON.stringify(settings)).not.toContain('Mid-server')
  })

  test('the dashboard’s test notification is signed and names an order that does not exist', async () => {
    const { order_id } = await rig.sim('POST /_sim/test_notification')
    await rig.quiet()
    expect(rig.hook.received).toMatchObject([{ body: { order_id, status_code: '200' } }])
    expect(await rig.status(String(order_id))).toMatchObject({ status_code: '404' })
  })

  test('a page pays what its button says', async () => {
    const body = await rig.charge('order-1', BODIES['shopeepay'] ?? {})
    const url = textOf(listOf(body, 'actions')[0] ?? {}, 'url')
    const paid = await fetch(url, { method: 'POST', body: new URLSearchParams({ result: 'pay' }) })
    expect(await paid.text()).toContain('settlement')
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'settlement' })
  })
})

describe('the program', () => {
  test('prints its address and an example, and stops on SIGTERM', async () => {
    const main = new URL('../src/main.ts', import.meta.url).pathname
    const env = { ...process.env, SIMULATOR_PORT: '0', SIMULATOR_SERVER_KEY: 'SB-Mid-server-mine' }
    const child = spawn(process.execPath, [main], { env })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await expect.poll(() => output, { timeout: 10_000 }).toContain('/_sim/deliveries')
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? ''
    expect(output).toContain('SB-Mid-server-mine')
    expect((await fetch(`${url}/_sim`)).status).toBe(200)
    // A merchant without an endpoint still sees a notification that was sent and answered.
    await fetch(`${url}/_sim/test_notification`, { method: 'POST' })
    await expect
      .poll(async () => await (await fetch(`${url}/_sim/deliveries`)).text())
      .toContain('"state":"delivered"')
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })

  test('refuses to start on a port that is none', async () => {
    const main = new URL('../src/main.ts', import.meta.url).pathname
    const env = { ...process.env, SIMULATOR_PORT: 'many' }
    const [code] = (await once(spawn(process.execPath, [main], { env }), 'exit')) as [number]
    expect(code).not.toBe(0)
  })

  test('closing ends every open call without a reply, also calls that a fault left waiting', async () => {
    const simulator = await createSimulator({ port: 0 })
    const body = JSON.stringify({ effect: 'timeout_before' })
    await fetch(`${simulator.url}/_sim/faults`, { method: 'POST', body })
    const waiting = fetch(`${simulator.url}/v2/x/status`).catch(() => 'cut')
    await expect
      .poll(async () => await (await fetch(`${simulator.url}/_sim/faults`)).text())
      .toContain('"struck":1')
    await simulator.close()
    expect(await waiting).toBe('cut')
    await expect(fetch(simulator.url)).rejects.toThrow('fetch failed')
  })

  test('knows the release it implements', () => {
    expect(VERSION).toBe('1.0.0')
  })
})
