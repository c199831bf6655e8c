import { describe, expect, test } from 'vitest'
import { TEXTS } from '../src/pages/texts.ts'
import { ledTo, open } from './page_reader.ts'
import { BODIES, Rig } from './rig.ts'

const rig = new Rig().install()
const bca = BODIES['bca'] ?? {}

const PAGES = [
  ['/_sim/ui', 'Transactions', 'Transaksi'],
  ['/_sim/ui/deliveries', 'Deliveries', 'Pengiriman'],
  ['/_sim/ui/subscriptions', 'Subscriptions', 'Langganan'],
  ['/_sim/ui/invoices', 'Invoices', 'Faktur'],
  ['/_sim/ui/faults', 'Faults', 'Gangguan'],
  ['/_sim/ui/clock', 'Clock', 'Jam'],
] as const

describe('every page', () => {
  test.each(['/', '/_sim/', '/_sim/ui/'])('%s leads to the console', async (path) => {
    expect(ledTo(await open(rig, path))).toBe('/_sim/ui')
  })

  test.each(PAGES)('%s speaks English and Indonesian', async (path, english, indonesian) => {
    const page = await open(rig, path)
    expect(page.http_status).toBe(200)
    expect(page.markup).toContain('<html lang="en">')
    expect(page.markup).toContain(`<h1>${english}</h1>`)
    const other = await open(rig, path, { 'accept-language': 'id-ID,id;q=0.9,en;q=0.5' })
    expect(other.markup).toContain('<html lang="id">')
    expect(other.markup).toContain(`<h1>${indonesian}</h1>`)
  })

  test.each(PAGES)('%s loads nothing from elsewhere and may not be framed', async (path) => {
    const { headers, markup } = await open(rig, path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(markup).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\//)
    expect(markup).not.toMatch(/\son\w+=|\sstyle=|<style|javascript:/)
  })

  test('finds its style, script and icon', async () => {
    const { markup } = await open(rig, '/_sim/ui')
    const files = [...markup.matchAll(/(?:href|src)="(\/_sim\/assets\/[^"]+)"/g)]
    expect(files).toHaveLength(3)
    for (const [, path = ''] of files) expect((await open(rig, path)).http_status).toBe(200)
  })
})

describe('the language', () => {
  const heading = async (path: string, headers: Record<string, string>): Promise<string> =>
    /<h1>(.*?)<\/h1>/.exec((await open(rig, path, headers)).markup)?.[1] ?? ''

  test('is switched by the address and kept in a cookie', async () => {
    const switched = await open(rig, '/_sim/ui/clock?lang=id')
    expect(switched.markup).toContain('<h1>Jam</h1>')
    const cookie = switched.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await heading('/_sim/ui/clock', { cookie: `other=1; ${cookie}` })).toBe('Jam')
    expect(await heading('/_sim/ui/clock?lang=en', { cookie })).toBe('Clock')
  })

  test.each([
    ['en;q=0.4, id;q=0.8', 'Jam'],
    ['fr, de', 'Clock'],
    ['id;q=0, en', 'Clock'],
    ['', 'Clock'],
  ])('of a browser that prefers %j', async (wish, title) => {
    expect(await heading('/_sim/ui/clock', { 'accept-language': wish })).toBe(title)
  })

  test('a cookie or an address with another word changes nothing', async () => {
    const cookie = 'simulator_language=xx'
    expect(await heading('/_sim/ui/clock?lang=<b>', { cookie })).toBe('Clock')
  })

  test('every text is there in both, with the same places to fill', () => {
    const places = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort()
    const reordered = new Set(['method_of'])
    const lame = Object.entries(TEXTS).filter(
      ([key, { en, id }]) =>
        en.trim() === '' ||
        id.trim() === '' ||
        (!reordered.has(key) && places(en).join() !== places(id).join()),
    )
    expect(lame).toEqual([])
  })
})

describe('the list of transactions', () => {
  test('while empty says what to do first, with a line that works', async () => {
    const page = await open(rig, '/_sim/ui')
    expect(page.text).toContain('Nothing has been charged yet')
    const line = /<code>(curl.*?)<\/code>/s.exec(page.markup)?.[1] ?? ''
    const body = /-d '(.*)'/s.exec(line.replace(/&#39;/g, "'").replace(/&quot;/g, '"'))?.[1] ?? ''
    expect(line).toContain(`${rig.url}/v2/charge`)
    expect((await rig.wire('POST /v2/charge', body)).body).toMatchObject({ status_code: '201' })
    expect((await open(rig, '/_sim/ui')).text).toContain('order-1')
  })

  const ordersOn = (markup: string): string[] =>
    [...markup.matchAll(/<a href="\/_sim\/ui\/transactions\/[^"]+">([^<]+)</g)].map(
      (match) => match[1] ?? '',
    )

  test('has the newest first, rupiah and Jakarta time', async () => {
    await rig.charge('order-1', { ...bca, gross_amount: 10_000 })
    await rig.charge('order-2', { ...bca, gross_amount: 1_250_000 })
    const page = await open(rig, '/_sim/ui')
    expect(ordersOn(page.markup)).toEqual(['order-2', 'order-1'])
    expect(page.text).toContain('Rp 10.000')
    expect(page.text).toContain('Rp 1.250.000')
    expect(page.text).toContain('5 Jan 2026, 12:00:00 WIB')
    const indonesian = await open(rig, '/_sim/ui?lang=id')
    expect(indonesian.text).toContain('5 Jan 2026, 12.00.00 WIB')
    expect(indonesian.text).toContain('Virtual account BCA')
  })

  test('is filtered by status, type and part of the order id', async () => {
    await rig.charge('shoes-1', bca)
    await rig.charge('shoes-2', BODIES['gopay'] ?? {})
    await rig.charge('hat-1', bca)
    await rig.act('hat-1', 'pay')
    const found = async (query: string): Promise<string[]> =>
      ordersOn((await open(rig, `/_sim/ui?${query}`)).markup)
    expect(await found('q=SHOES')).toEqual(['shoes-2', 'shoes-1'])
    expect(await found('status=settlement')).toEqual(['hat-1'])
    expect(await found('type=bank_transfer&q=1&status=pending')).toEqual(['shoes-1'])
    expect((await open(rig, '/_sim/ui?q=nothing')).text).toContain(
      'No transaction matches this filter',
    )
  })

  test('is cut into pages that keep the filter', async () => {
    for (let number = 1; number <= 27; number += 1) await rig.charge(`order-${number}`, bca)
    const first = await open(rig, '/_sim/ui?status=pending')
    expect(ordersOn(first.markup)).toHaveLength(25)
    expect(first.markup).toContain('href="?status=pending&amp;page=2"')
    const second = await open(rig, '/_sim/ui?status=pending&page=2')
    expect(ordersOn(second.markup)).toEqual(['order-2', 'order-1'])
    expect(second.markup).not.toContain('page=3')
  })
})
