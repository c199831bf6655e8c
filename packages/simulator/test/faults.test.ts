import { describe, expect, test } from 'vitest'
import { BODIES, listOf, Rig, type Body } from './rig.ts'

const rig = new Rig().install()
const bca = BODIES['bca'] ?? {}
const body = (order_id = 'order-1'): Body => ({
  ...bca,
  transaction_details: { order_id, gross_amount: 44_000 },
})
const charge = async (order_id?: string) => await rig.wire('POST /v2/charge', body(order_id))

const lastCall = async (): Promise<Body> => {
  const page = await rig.sim('GET /_sim/ledger?kind=call&operation=charge')
  return listOf(page, 'entries').at(-1) ?? {}
}

/** The call gets no answer; gives up after a moment and says how. */
async function chargeUnanswered(patience_ms: number): Promise<string> {
  const key = Buffer.from('SB-Mid-server-simulator:').toString('base64')
  try {
    await fetch(`${rig.url}/v2/charge`, {
      method: 'POST',
      headers: { authorization: `Basic ${key}` },
      body: JSON.stringify(body()),
      signal: AbortSignal.timeout(patience_ms),
    })
    return 'answered'
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'timed out' : 'cut'
  }
}

describe('a call that gets no answer', () => {
  test.each([
    ['timeout_before', 'timed out', '404', false],
    ['timeout_after', 'timed out', '201', true],
    ['drop_before', 'cut', '404', false],
    ['drop_after', 'cut', '201', true],
  ])('%s: %s, and status then says %s', async (effect, ending, status_code, work_done) => {
    await rig.fault({ match: { operation: 'charge' }, times: 1, effect })
    const patience_ms = ending === 'cut' ? 10_000 : 150
    expect(await chargeUnanswered(patience_ms)).toBe(ending)
    expect(await rig.status('order-1')).toMatchObject({ status_code })
    expect(await lastCall()).toMatchObject({ fault: effect, work_done, http_status: null })
  })
})

describe('a call that gets a bad answer', () => {
  test('status: the given code and body, and the work is not done', async () => {
    const options = { http_status: 503, body: { status_code: '503', status_message: 'down' } }
    await rig.fault({ match: { operation: 'charge' }, times: 1, effect: 'status', options })
    expect(await charge()).toMatchObject({ http_status: 503, body: options.body })
    expect(await rig.status('order-1')).toMatchObject({ status_code: '404' })
  })

  test('status with after: the same answer, but the work is done', async () => {
    const options = { http_status: 500, after: true }
    await rig.fault({ times: 1, effect: 'status', options })
    expect((await charge()).http_status).toBe(500)
    expect(await rig.status('order-1')).toMatchObject({ status_code: '201' })
  })

  test('html: a page where JSON was expected', async () => {
    await rig.fault({ times: 1, effect: 'html' })
    const answer = await charge()
    expect(answer.http_status).toBe(502)
    expect(answer.headers.get('content-type')).toBe('text/html')
    expect(answer.text).toContain('<html>')
  })

  test('truncated_json: half an answer to work that was done', async () => {
    await rig.fault({ times: 1, effect: 'truncated_json' })
    const answer = await charge()
    expect(() => JSON.parse(answer.text) as unknown).toThrow(SyntaxError)
    expect(await rig.status('order-1')).toMatchObject({ status_code: '201' })
  })

  test('wrong_types: numbers for strings and objects for lists', async () => {
    await rig.fault({ times: 1, effect: 'wrong_types' })
    const answer = await charge()
    expect(answer.body).toMatchObject({ status_code: 201, gross_amount: 44_000, va_numbers: {} })
  })

  test.each([undefined, 7])('rate_limited: 429 with Retry-After %s', async (retry_after) => {
    await rig.fault({ times: 1, effect: 'rate_limited', options: { retry_after } })
    const answer = await charge()
    expect(answer.http_status).toBe(429)
    expect(answer.headers.get('retry-after')).toBe(retry_after === undefined ? null : '7')
  })

  test('still_running: HTTP 202', async () => {
    await rig.fault({ times: 1, effect: 'still_running' })
    expect((await charge()).http_status).toBe(202)
  })

  test('redirect: elsewhere', async () => {
    const options = { location: 'https://elsewhere.example/', http_status: 307 }
    await rig.fault({ times: 1, effect: 'redirect', options })
    const answer = await charge()
    expect(answer.http_status).toBe(307)
    expect(answer.headers.get('location')).toBe('https://elsewhere.example/')
  })

  test('over_long: as many bytes as asked for', async () => {
    await rig.fault({ times: 1, effect: 'over_long', options: { bytes: 3_000_000 } })
    const answer = await charge()
    expect(answer.text.length).toBeGreaterThan(3_000_000)
    expect(answer.body).toMatchObject({ status_code: '201' })
  })

  test('delay: the answer is right, but late', async () => {
    await rig.fault({ times: 1, effect: 'delay', options: { ms: 60 } })
    const started = performance.now()
    expect((await charge()).body).toMatchObject({ status_code: '201' })
    expect(performance.now() - started).toBeGreaterThanOrEqual(55)
  })
})

describe('which calls a rule applies to', () => {
  test('only its operation, only its orders, only as often as it says', async () => {
    const match = { operation: 'charge', order_id_prefix: 'bad-' }
    await rig.fault({ match, times: 1, effect: 'html' })
    expect((await charge('good-1')).http_status).toBe(200)
    expect((await rig.wire('GET /v2/bad-1/status')).http_status).toBe(200)
    expect((await charge('bad-1')).http_status).toBe(502)
    expect((await charge('bad-2')).http_status).toBe(200)
  })

  test('a probability depends on the seed: the same run twice has the same faults', async () => {
    const run = async (): Promise<number[]> => {
      await rig.sim('POST /_sim/reset', { seed: 42 })
      await rig.fault({ effect: 'html', probability: 0.5 })
      const codes: number[] = []
      for (let index = 0; index < 20; index += 1) {
        codes.push((await charge(`order-${index}`)).http_status)
      }
      return codes
    }
    const first = await run()
    expect(new Set(first)).toEqual(new Set([200, 502]))
    expect(await run()).toEqual(first)
  })

  test('rules are listed, removed one by one, and cleared', async () => {
    const { id } = await rig.fault({ effect: 'html' })
    await rig.fault({ effect: 'delay' })
    expect(listOf(await rig.sim('GET /_sim/faults'), 'faults')).toHaveLength(2)
    await rig.sim(`DELETE /_sim/faults/${String(id)}`)
    expect(listOf(await rig.sim('GET /_sim/faults'), 'faults')).toHaveLength(1)
    await rig.sim('DELETE /_sim/faults')
    expect((await charge()).http_status).toBe(200)
  })

  test('400 for an unknown effect', async () => {
    const answer = await rig.refusedBySim('POST /_sim/faults', { effect: 'earthquake' })
    expect(answer.http_status).toBe(400)
  })
})

describe('notifications go wrong', () => {
  test.each(['lost', 'muted'])('%s: never sent, never retried', async (effect) => {
    await rig.fault({ effect })
    await charge()
    await rig.advance({ days: 3 })
    expect(rig.hook.received).toHaveLength(0)
    const page = await rig.sim('GET /_sim/deliveries?order_id=order-1')
    expect(listOf(page, 'deliveries').map(({ state }) => state)).toEqual([effect, effect])
  })

  test('doubled: the same one twice', async () => {
    await rig.fault({ effect: 'doubled', times: 1 })
    await charge()
    await rig.quiet()
    expect(rig.hook.statuses()).toEqual(['pending', 'pending'])
  })

  test('reordered: the settlement arrives before the pending one', async () => {
    await rig.fault({ effect: 'reordered', match: { transaction_status: 'pending' } })
    await charge()
    await rig.quiet()
    expect(rig.hook.received).toHaveLength(0)
    await rig.act('order-1', 'pay')
    await rig.advance({ seconds: 1 })
    expect(rig.hook.statuses()).toEqual(['settlement', 'pending'])
  })

  test('reordered with no successor: it arrives after all', async () => {
    await rig.fault({ effect: 'reordered', times: 1 })
    await charge()
    await rig.advance({ minutes: 11 })
    expect(rig.hook.statuses()).toEqual(['pending'])
  })

  test('late: by the given seconds', async () => {
    await rig.fault({ effect: 'late', times: 1, options: { seconds: 90 } })
    await charge()
    await rig.advance({ seconds: 89 })
    expect(rig.hook.received).toHaveLength(0)
    await rig.advance({ seconds: 1 })
    expect(rig.hook.received).toHaveLength(1)
  })

  test('early: it is there before the reply of the charge', async () => {
    await rig.fault({ effect: 'early', times: 1 })
    let answered = false
    let early = false
    rig.hook.answer = () => {
      early = !answered
      return { status: 200 }
    }
    await charge()
    answered = true
    expect(early).toBe(true)
    expect(rig.hook.statuses()).toEqual(['pending'])
  })

  test('forged: plausible, but the signature is not ours', async () => {
    await rig.fault({ effect: 'forged', times: 1 })
    await charge()
    await rig.quiet()
    expect(rig.hook.received[0]?.body).toMatchObject({
      order_id: 'order-1',
      signature_key: '0'.repeat(128),
    })
  })
})
