import { describe, expect, test } from 'vitest'
import { open, press } from './page_reader.ts'
import { BODIES, idOf, Rig, textOf } from './rig.ts'

const rig = new Rig().install()
const bca = BODIES['bca'] ?? {}

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&{en}`

/** What was sent may be read on the page but is never part of it. */
function expectHarmless({ markup, text }: { markup: string; text: string }): void {
  expect(text).toContain('alert(1)')
  expect(markup).not.toContain('<script>')
  expect(markup).not.toContain('<img')
  expect(markup.match(/<script/g)).toHaveLength(1)
}

describe('whatever a stranger wrote stays text', () => {
  test('in a search', async () => {
    await rig.charge('order-1', bca)
    const { markup } = await open(rig, `/_sim/ui?q=${encodeURIComponent(HOSTILE)}&status=">`)
    expect(markup).not.toContain('<script>')
    expect(markup).toContain('value="&quot;&gt;&lt;script&gt;')
  })

  test('in the orders a fault strikes, which every page names', async () => {
    await rig.fault({ effect: 'delay', match: { order_id_prefix: HOSTILE, operation: HOSTILE } })
    expectHarmless(await open(rig, '/_sim/ui/faults'))
    expectHarmless(await open(rig, '/_sim/ui'))
  })

  test('in what the merchant answers and what a charge carries', async () => {
    rig.hook.answer = () => ({ status: 500, body: HOSTILE })
    const body = await rig.charge('order-1', { ...bca, custom_field1: HOSTILE })
    await rig.quiet()
    const page = await open(rig, `/_sim/ui/transactions/${idOf(body)}`)
    expectHarmless(page)
    expect(page.text.split('alert(1)').length - 1).toBe(2)
    expectHarmless(await open(rig, '/_sim/ui/deliveries'))
  })

  test('in the names and notes of an invoice', async () => {
    const { body } = await rig.wire('POST /v1/invoices', {
      order_id: 'invoice-1',
      invoice_number: '<b>1</b>',
      invoice_title: '<script>1',
      notes: HOSTILE,
      due_date: '2026-02-05 12:00:00 +0700',
      invoice_date: '2026-01-05 12:00:00 +0700',
      customer_details: { name: '<script>alert(1)</script>' },
      item_details: [{ item_id: 'a', description: HOSTILE, quantity: 1, price: 15_000 }],
      payment_type: 'virtual_account',
      virtual_accounts: [{ name: 'bca_va', number: '"><script>' }],
    })
    expectHarmless(await open(rig, `/_sim/pages/invoices/${textOf(body, 'id')}`))
    expectHarmless(await open(rig, '/_sim/ui/invoices'))
  })

  test('in the phone of a linked account, and in where notifications go', async () => {
    const { body } = await rig.wire('POST /v2/pay/account', {
      payment_type: 'gopay',
      gopay_partner: { phone_number: HOSTILE, country_code: '62' },
    })
    const page = await open(rig, `/_sim/pages/link/${textOf(body, 'account_id')}`)
    expect(page.markup).not.toContain('<script>')
    const notification_url = `http://127.0.0.1/?q="><script>alert(1)</script>`
    await rig.sim('PATCH /_sim/settings', { notification_url })
    expect((await open(rig, '/_sim/ui/deliveries')).markup).not.toContain('<script>')
  })

  test('in the note of an address: only known ones are shown', async () => {
    expect((await open(rig, '/_sim/ui?note=saved')).text).toContain('Saved.')
    expect((await open(rig, `/_sim/ui?note=${encodeURIComponent(HOSTILE)}`)).text).not.toContain(
      'alert(1)',
    )
  })
})

describe('a page of another origin', () => {
  const FOREIGN: Record<string, string>[] = [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'none' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'cross-site', origin: '' },
  ]

  test.each(FOREIGN)('cannot press a button: %j', async (headers) => {
    const id = idOf(await rig.charge('order-1', bca))
    const paths = [
      `/_sim/pages/pay/${id}`,
      `/_sim/ui/transactions/${id}/pay`,
      '/_sim/ui/clock/advance',
      '/_sim/ui/faults',
      // The control API too: a form can post to it as well as to a page.
      `/_sim/transactions/${id}/pay`,
      '/_sim/reset',
    ]
    for (const path of paths) {
      const { http_status, text } = await press(rig, path, { by: '1d', effect: 'delay' }, headers)
      expect([path, http_status]).toEqual([path, 403])
      expect(text).toContain('another origin')
    }
    expect(await rig.status(id)).toMatchObject({ transaction_status: 'pending' })
    expect((await rig.sim('GET /_sim/faults'))['faults']).toEqual([])
  })

  test('may still lead a person here, and may frame the payer but not the console', async () => {
    const id = idOf(await rig.charge('order-1', bca))
    const from = { 'sec-fetch-site': 'cross-site' }
    const page = await open(rig, `/_sim/pages/pay/${id}`, from)
    expect(page.http_status).toBe(200)
    expect(page.headers.get('content-security-policy')).not.toContain('frame-ancestors')
    const inside = await open(rig, '/_sim/ui', from)
    expect(inside.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('a program, which sends no origin, is let in', async () => {
    await rig.charge('order-1', bca)
    const reply = await fetch(`${rig.url}/_sim/transactions/order-1/pay`, { method: 'POST' })
    expect(reply.status).toBe(200)
  })
})
