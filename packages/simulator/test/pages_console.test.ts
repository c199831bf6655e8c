import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { ledTo, open, press } from './page_reader.ts'
import { BODIES, idOf, listOf, Rig, textOf } from './rig.ts'

const rig = new Rig().install()
const bca = BODIES['bca'] ?? {}

const pathOf = (id: string): string => `/_sim/ui/transactions/${id}`

const actionsIn = (markup: string): string[] =>
  [...markup.matchAll(/action="\/_sim\/ui\/transactions\/[^"/]+\/(\w+)"/g)].map(
    (match) => match[1] ?? '',
  )

describe('one transaction', () => {
  test('offers only what its state allows', async () => {
    const path = pathOf(idOf(await rig.charge('order-1', bca)))
    expect(actionsIn((await open(rig, path)).markup)).toEqual(['pay', 'deny', 'expire', 'fail'])
    expect(ledTo(await press(rig, `${path}/pay`))).toBe(`${path}?note=done`)
    expect(actionsIn((await open(rig, path)).markup)).toEqual(['refund'])
    ledTo(await press(rig, `${path}/refund`))
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'refund' })
    const over = await open(rig, path)
    expect(actionsIn(over.markup)).toEqual([])
    expect(over.text).toContain('this status is final')
  })

  test('of a card settles early, is charged back in part, and waits when challenged', async () => {
    const path = pathOf(idOf(await rig.card('order-1')))
    expect(actionsIn((await open(rig, path)).markup)).toEqual(['settle'])
    ledTo(await press(rig, `${path}/settle`))
    expect(actionsIn((await open(rig, path)).markup)).toEqual(['refund', 'chargeback'])
    ledTo(await press(rig, `${path}/chargeback`, { amount: '4000' }))
    expect(await rig.money('order-1')).toContainEqual(['chargeback', 4000])
    const challenged = await rig.card('order-2', {}, '4511111111111117')
    const page = await open(rig, pathOf(idOf(challenged)))
    expect(page.text).toContain('asks for a review')
  })

  test('refuses in words, and knows no strangers', async () => {
    const path = pathOf(idOf(await rig.charge('order-1', bca)))
    const refused = await press(rig, `${path}/settle`)
    expect(refused.http_status).toBe(409)
    expect(refused.text).toContain('only a captured card settles')
    await rig.act('order-1', 'pay')
    expect((await press(rig, `${path}/refund`, { amount: '44001' })).text).toContain(
      'amount must be between 1 and 44000',
    )
    expect((await press(rig, `${path}/dance`)).http_status).toBe(404)
    expect((await press(rig, `${pathOf('unknown')}/pay`)).http_status).toBe(404)
    expect((await open(rig, pathOf('unknown'))).http_status).toBe(404)
  })

  test('shows the history in order, with repeated status requests as one line', async () => {
    const path = pathOf(idOf(await rig.charge('order-1', bca)))
    for (let poll = 0; poll < 3; poll += 1) await rig.status('order-1')
    await rig.act('order-1', 'pay')
    const { markup } = await open(rig, path)
    const list = /<ol class="timeline">(.*?)<\/ol>/s.exec(markup)?.[1] ?? ''
    const lines = list
      .split('</li>')
      .map((line) =>
        line
          .replace(/<[^>]*>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((line) => line !== '')
    expect(lines.map((line) => line.replace(/ \d+ Jan 2026.*$/, ''))).toEqual([
      'settlement the payer paid',
      'Settled Rp 44.000',
      'Captured Rp 44.000',
      'GET /v2/{id}/status answered 201 × 3',
      'POST /v2/charge answered 201',
      'pending charged by the merchant',
    ])
  })
})

describe('deliveries', () => {
  test('show payload, reply and next retry, and are sent again by a button', async () => {
    rig.hook.answer = () => ({ status: 503 })
    const id = idOf(await rig.charge('order-1', bca))
    await rig.quiet()
    const page = await open(rig, pathOf(id))
    expect(page.text).toContain('503')
    expect(page.text).toContain('Next retry')
    expect(page.text).toContain('"transaction_status": "pending"')
    expect(page.markup).toContain('<code>ok</code>')
    const [delivery] = listOf(await rig.sim('GET /_sim/deliveries'), 'deliveries')
    rig.hook.answer = () => ({ status: 200 })
    const resend = `/_sim/ui/deliveries/${textOf(delivery ?? {}, 'id')}/resend`
    const back = pathOf(id)
    expect(ledTo(await press(rig, resend, { back }))).toBe(`${back}?note=resent`)
    await rig.quiet()
    expect(rig.hook.received).toHaveLength(2)
    expect((await open(rig, '/_sim/ui/deliveries?state=delivered')).text).toContain('order-1')
    expect((await open(rig, '/_sim/ui/deliveries?state=lost')).text).toContain(
      'No notification was sent',
    )
    expect((await press(rig, '/_sim/ui/deliveries/unknown/resend')).http_status).toBe(404)
  })

  test.each(['https://evil.example/', '//evil.example', '/_sim/ui/x\r\nset-cookie: a=b'])(
    'a resend leads nowhere else, not to %j',
    async (back) => {
      await rig.charge('order-1', bca)
      const resend = '/_sim/ui/deliveries/delivery-1/resend'
      expect(ledTo(await press(rig, resend, { back }))).toBe('/_sim/ui/deliveries?note=resent')
    },
  )

  test('set where notifications go, refuse what is no address, and send a test', async () => {
    const notification_url = `${rig.hook.url}/elsewhere`
    ledTo(await press(rig, '/_sim/ui/deliveries/target', { notification_url }))
    expect((await open(rig, '/_sim/ui/deliveries')).markup).toContain(`value="${notification_url}"`)
    const refused = await press(rig, '/_sim/ui/deliveries/target', { notification_url: 'nonsense' })
    expect(refused.text).toContain('notification_url must be a URL')
    ledTo(await press(rig, '/_sim/ui/deliveries/test'))
    await rig.quiet()
    expect(rig.hook.received.map(({ path }) => path)).toEqual(['/elsewhere'])
  })

  test('are cut into pages', async () => {
    for (let number = 1; number <= 26; number += 1) await rig.charge(`order-${number}`, bca)
    expect((await open(rig, '/_sim/ui/deliveries')).markup).toContain('page=2')
    const second = await open(rig, '/_sim/ui/deliveries?page=2')
    expect(second.text).toContain('order-1 ')
    expect(second.text).not.toContain('order-2 ')
  })

  test('of a merchant who answers at length keep the beginning', async () => {
    const long = `${'x'.repeat(5000)}end`
    rig.hook.answer = () => ({ status: 200, body: long })
    await rig.charge('order-1', bca)
    await rig.quiet()
    const [delivery] = listOf(await rig.sim('GET /_sim/deliveries'), 'deliveries')
    expect(listOf(delivery ?? {}, 'attempts')).toMatchObject([{ reply: 'x'.repeat(1024) }])
  })
})

test('a merchant who never ends an answer has answered: the status decides', async () => {
  const dawdler = createServer((_request, response) => {
    response.writeHead(200)
    response.write('half')
  })
  await new Promise<void>((resolve) => dawdler.listen(0, '127.0.0.1', resolve))
  const address = dawdler.address()
  const port = typeof address === 'object' ? address?.port : 0
  await rig.sim('PATCH /_sim/settings', { notification_url: `http://127.0.0.1:${port}/` })
  await rig.charge('order-1', bca)
  await rig.quiet()
  const [delivery] = listOf(await rig.sim('GET /_sim/deliveries'), 'deliveries')
  expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ reply: 'half' }] })
  dawdler.closeAllConnections()
  dawdler.close()
})

describe('faults', () => {
  const on = async (fields: Record<string, string>) =>
    await press(rig, '/_sim/ui/faults', { percent: '100', ...fields })

  test('are switched on with what they strike, shown on every page, and switched off', async () => {
    const fields = { effect: 'status', operation: 'charge', times: '2', option: 'http_status' }
    ledTo(await on({ ...fields, value: '503', order_id_prefix: 'a-' }))
    const banner = 'Faults on: 1 status on charge, orders a-…, 2 more'
    expect((await open(rig, '/_sim/ui/faults')).text).toContain(banner)
    expect((await open(rig, '/_sim/ui')).text).toContain(banner)
    expect((await rig.wire('POST /v2/charge', bca)).http_status).toBe(200)
    const struck = await rig.wire('POST /v2/charge', {
      ...bca,
      transaction_details: { order_id: 'a-1', gross_amount: 1 },
    })
    expect(struck.http_status).toBe(503)
    expect((await open(rig, '/_sim/ui/faults')).text).toContain('applied so far: 1')
    ledTo(await press(rig, '/_sim/ui/faults/fault-1/off'))
    expect((await open(rig, '/_sim/ui/faults')).text).not.toContain('Faults on')
  })

  test('that have struck out are shown as used up, not as active', async () => {
    ledTo(await on({ effect: 'lost', times: '1', transaction_status: 'pending' }))
    await rig.charge('order-1', bca)
    const page = await open(rig, '/_sim/ui/faults')
    expect(page.text).toContain('used up')
    expect(page.text).not.toContain('Faults on')
  })

  test('with a chance, after the work, and all off at once', async () => {
    ledTo(await on({ effect: 'html', percent: '25', after: 'true' }))
    const [rule] = listOf(await rig.sim('GET /_sim/faults'), 'faults')
    expect(rule).toMatchObject({ probability: 0.25, options: { after: true }, times: null })
    ledTo(await press(rig, '/_sim/ui/faults/clear'))
    expect(listOf(await rig.sim('GET /_sim/faults'), 'faults')).toEqual([])
  })

  test.each([
    { effect: 'nonsense' },
    { effect: 'delay', percent: '0' },
    { effect: 'delay', percent: 'x' },
  ])('%j is refused', async (fields) => {
    expect((await on(fields)).http_status).toBe(409)
  })
})

describe('the clock', () => {
  const advance = async (by: string) => {
    const location = ledTo(await press(rig, '/_sim/ui/clock/advance', { by }))
    return await open(rig, location)
  }

  test.each([
    ['1m', '5 Jan 2026, 12:01:00 WIB'],
    ['15m', '5 Jan 2026, 12:15:00 WIB'],
    ['1h', '5 Jan 2026, 13:00:00 WIB'],
    ['1d', '6 Jan 2026, 12:00:00 WIB'],
  ])('advances by %s', async (by, time) => {
    expect((await advance(by)).text).toContain(`${time} frozen`)
  })

  test('says what became due and what is coming up', async () => {
    await rig.charge('order-1', BODIES['gopay'] ?? {})
    await rig.card('order-2')
    await rig.card('order-3', {}, '4511111111111117')
    const before = await open(rig, '/_sim/ui/clock')
    expect(before.text).toContain('in 15 minutes order-1 expires')
    expect(before.text).toContain('order-2 settles')
    expect(before.text).toContain('order-3 is cancelled unless')
    const after = await advance('15m')
    expect(after.text).toContain('order-1 is now expire')
    expect(after.text).toContain('order-1 notification sent: 200')
    expect(after.text).not.toContain('order-2 is now')
  })

  test('stops where something happens, past events that do nothing', async () => {
    await rig.charge('order-1', BODIES['gopay'] ?? {})
    await rig.act('order-1', 'pay')
    await rig.charge('order-2', bca)
    const page = await advance('next')
    expect(page.text).toContain('order-2 is now expire')
    expect(page.text).toContain('6 Jan 2026, 12:00:00 WIB frozen')
    expect((await advance('next')).text).toContain('Nothing.')
  })

  test('runs and freezes', async () => {
    ledTo(await press(rig, '/_sim/ui/clock/run'))
    expect(await rig.sim('GET /_sim/clock')).toMatchObject({ frozen: false })
    ledTo(await press(rig, '/_sim/ui/clock/freeze'))
    const { now, frozen } = await rig.sim('GET /_sim/clock')
    expect(frozen).toBe(true)
    expect(await rig.sim('GET /_sim/clock')).toMatchObject({ now })
  })

  test('runs and freezes for a program too, without a jump', async () => {
    const { now } = await rig.sim('GET /_sim/clock')
    expect(await rig.sim('POST /_sim/clock/run')).toMatchObject({ frozen: false })
    const stopped = await rig.sim('POST /_sim/clock/freeze')
    expect(stopped).toMatchObject({ frozen: true })
    const passed = Date.parse(textOf(stopped, 'now')) - Date.parse(String(now))
    expect(passed).toBeGreaterThanOrEqual(0)
    expect(passed).toBeLessThan(60_000)
  })

  test('that runs again sends what comes due by itself', async () => {
    await rig.charge('order-1', BODIES['ovo'] ?? {})
    await rig.advance({ milliseconds: 64_900 })
    await rig.sim('POST /_sim/clock/run')
    await expect
      .poll(async () => (await rig.status('order-1'))['transaction_status'], { timeout: 10_000 })
      .toBe('expire')
  })

  test('refuses another step', async () => {
    expect((await press(rig, '/_sim/ui/clock/advance', { by: '9y' })).http_status).toBe(409)
  })
})
