// Finding one's place again: filters and scroll position after Back, rows in new tabs, saved
// filters, totals; and the same pages on a phone.
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  openDatabase,
  withConnection,
} from '../../packages/service/src/store/connection/database.ts'
import { DATABASE_URL } from '../../packages/service/test/store/test_database.ts'
import { violationsOf } from './browser.ts'
import { useDesk } from './desk.ts'

const e2e = useDesk()
const page = () => e2e.desk.page
const rows = () => page().locator('tbody tr[data-row]')
const scrolled = async () => await page().evaluate<number>('Math.round(scrollY)')
/** The scroll position, once the wheel has come to rest. */
async function atRest(): Promise<number> {
  let last = -1
  await expect
    .poll(async () => {
      const now = await scrolled()
      const still = now === last
      last = now
      return still
    })
    .toBe(true)
  return last
}
const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)

test('a merchant with two pages of payments', async () => {
  for (let n = 0; n < 65; n += 1) await e2e.charge('gopay', { gross_amount: 10_000 + n })
  await e2e.paid('bank_transfer', { bank: 'bni', gross_amount: 70_000 })
  await e2e.charge('bank_transfer', { bank: 'bca', gross_amount: 80_000 })
})

const TEXTS = [
  {
    language: 'en',
    back: 'Back to payments',
    key: 'API key',
    signOut: 'Sign out',
    owner: 'Owner',
    paid: 'Paid from',
    none: 'Payments: 0 · Sum: Rp 0',
    one: 'Payments: 1 · Sum: Rp 70.000',
    save: 'Save these filters…',
    name: 'Name',
    do: 'Save',
    forget: 'Remove the saved filter',
    refund: 'Refund…',
    filters: 'Filters',
    more: 'Payments: about',
  },
  {
    language: 'id',
    back: 'Kembali ke pembayaran',
    key: 'Kunci API',
    signOut: 'Keluar',
    owner: 'Pemilik',
    paid: 'Dibayar dari',
    none: 'Pembayaran: 0 · Total: Rp 0',
    one: 'Pembayaran: 1 · Total: Rp 70.000',
    save: 'Simpan saringan ini…',
    name: 'Nama',
    do: 'Simpan',
    forget: 'Hapus saringan tersimpan',
    refund: 'Kembalikan dana…',
    filters: 'Saringan',
    more: 'Pembayaran: sekitar',
  },
] as const

describe.each(TEXTS)('in $language', (text) => {
  beforeAll(async () => await e2e.signIn(text.language))

  test('filters and scroll position survive Back and the link back', async () => {
    await e2e.go('/payments?payment_type=gopay')
    await rows().first().waitFor()
    for (let n = 0; n < 40 && (await scrolled()) < 1_800; n += 1) await page().mouse.wheel(0, 300)
    const sixtieth = page().locator('tr[data-row="58"] a')
    await sixtieth.waitFor()
    for (const back of ['history', 'link']) {
      const name = await sixtieth.textContent()
      await sixtieth.scrollIntoViewIfNeeded()
      const before = await atRest()
      await sixtieth.click()
      await page().locator('.headline').getByText(String(name)).waitFor()
      if (back === 'history') await page().goBack()
      else await page().getByRole('link', { name: text.back }).click()
      await page().waitForURL((url) => url.hash === '#/payments?payment_type=gopay')
      await sixtieth.getByText(String(name)).waitFor()
      await expect.poll(async () => Math.abs((await scrolled()) - before)).toBeLessThan(46)
    }
  })

  test('a row opens by a click anywhere, by Enter, and by Ctrl in a new tab without a key', async () => {
    const { context } = e2e.desk.browser
    await e2e.go('/payments?payment_type=gopay')
    await touch(rows().first().locator('td').nth(1))
    await page().locator('.headline').waitFor()
    await page().goBack()
    await rows().first().locator('a').focus()
    await page().keyboard.press('Enter')
    await page().locator('.headline').waitFor()
    await page().goBack()
    await rows().first().waitFor()
    for (const open of ['click', 'key', 'middle']) {
      const opening = context.waitForEvent('page')
      const link = rows().first().locator('a')
      if (open === 'click') await link.click({ modifiers: ['Control'] })
      else if (open === 'middle') await link.click({ button: 'middle' })
      else {
        await link.focus()
        await page().keyboard.press('Control+Enter')
      }
      const tab = await opening
      await tab.locator('.headline').waitFor()
      expect(await tab.getByLabel(text.key).count()).toBe(0)
      expect(new URL(tab.url()).hash).toMatch(/^#\/payments\/[0-9a-f-]{36}$/)
      expect(await tab.evaluate('window.opener')).toBeNull()
      if (open !== 'middle') {
        await tab.close()
        continue
      }
      // One user: signing out ends every tab.
      await tab.getByRole('button', { name: text.signOut }).click()
      await page().getByLabel(text.key).waitFor()
      await tab.close()
      await e2e.signIn(text.language)
    }
    // So is a page that the user opens otherwise.
    const other = await context.newPage()
    await other.goto(`${e2e.desk.url}/dashboard/`)
    await other.locator('header.top').waitFor()
    await other.close()
  })

  test('filters by bank, owner and paid date show their count and sum', async () => {
    await e2e.go('/payments')
    await page().getByLabel(/^Bank/).selectOption('bni')
    const totals = page().locator('.totals')
    await totals.getByText(text.one.replaceAll('Rp ', 'Rp\u00a0')).waitFor()
    await expect.poll(async () => await rows().count()).toBe(1)
    await page().getByLabel(text.owner, { exact: true }).fill('toko-lain')
    await page().keyboard.press('Enter')
    await page().waitForURL((url) => url.hash.includes('owner_id=toko-lain'))
    await totals.getByText(text.none.replaceAll('Rp ', 'Rp\u00a0')).waitFor()
    await page().getByLabel(text.owner, { exact: true }).fill('toko-ani')
    await page().keyboard.press('Tab')
    await page().getByLabel(text.paid).fill(today)
    await page().waitForURL((url) => url.hash.includes(`paid_from=${today}`))
    await expect.poll(async () => await rows().count()).toBe(1)
    expect(await violationsOf(page())).toEqual([])
  })

  test('a saved filter comes back after a reload, and names no customer', async () => {
    await e2e.go('/payments?status=pending&bank=bca&customer_email=budi%40example.com')
    await page().getByRole('button', { name: text.save }).click()
    await page().getByRole('dialog').getByLabel(text.name).fill('BCA open')
    expect(await violationsOf(page())).toEqual([])
    await page().keyboard.press('Enter')
    await page().getByRole('dialog').waitFor({ state: 'detached' })
    await page().reload()
    await e2e.go('/payments')
    await page().getByRole('link', { name: 'BCA open' }).click()
    await page().waitForURL((url) => url.hash === '#/payments?status=pending&bank=bca')
    await expect.poll(async () => await rows().count()).toBe(1)
    const kept = await page().evaluate<string>('JSON.stringify({ ...localStorage })')
    expect(kept).toContain('BCA open')
    expect(kept).not.toContain('budi@example.com')
    await page()
      .getByRole('button', { name: `${text.forget} BCA open` })
      .click()
    expect(await page().getByRole('link', { name: 'BCA open' }).count()).toBe(0)
  })

  test('on a phone the list and a payment fit, ids stay whole and actions are within reach', async () => {
    const payment = await e2e.paid('gopay')
    await page().setViewportSize({ width: 390, height: 844 })
    try {
      await e2e.go('/payments')
      await page().reload()
      await rows().first().waitFor()
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await page().evaluate(overflow)).toBe(0)
      // The list is on the first screen, and a row is a target for a thumb.
      const box = await rows().first().boundingBox()
      expect(box?.y).toBeLessThan(600)
      expect(box?.height).toBeGreaterThanOrEqual(44)
      expect(await linesOf('tbody tr[data-row] td:first-child a')).toBe(1)
      expect(await violationsOf(page())).toEqual([])
      await page().locator('.filter-box summary').click()
      await page().getByLabel(/^Bank/).waitFor()
      expect(await page().evaluate(overflow)).toBe(0)
      await page().locator('.filter-box summary').click()
      await touch(rows().first().locator('td').nth(1))
      await page().waitForURL((url) => url.hash === `#/payments/${payment.id}`)
      await page().locator('.headline').waitFor()
      expect(await page().evaluate(overflow)).toBe(0)
      for (const id of ['.copyable code', '.headline .order']) expect(await linesOf(id)).toBe(1)
      const action = await page().getByRole('button', { name: text.refund }).boundingBox()
      expect(action?.y).toBeGreaterThan(600)
      expect((action?.y ?? 0) + (action?.height ?? 0)).toBeLessThanOrEqual(844)
      expect(await violationsOf(page())).toEqual([])
    } finally {
      await page().setViewportSize({ width: 1_280, height: 900 })
    }
  })

  test('on a phone the menu is one button: it opens by keyboard, Escape and another page fold it', async () => {
    await page().setViewportSize({ width: 390, height: 844 })
    try {
      await e2e.go('/payments')
      await rows().first().waitFor()
      const menu = page().getByRole('button', { name: /^Menu/ })
      const links = page().locator('.top nav a')
      expect(await links.filter({ visible: true }).count()).toBe(0)
      // Logo and menu, and the search box below them.
      expect((await page().locator('.top').boundingBox())?.height).toBeLessThan(130)
      await menu.focus()
      await page().keyboard.press('Enter')
      await links.first().waitFor()
      for (const link of await links.all())
        expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      expect(await violationsOf(page())).toEqual([])
      await page().keyboard.press('Escape')
      await links.first().waitFor({ state: 'hidden' })
      await expect.poll(async () => await page().locator('.menu:focus').count()).toBe(1)
      await page().keyboard.press('Enter')
      await page().keyboard.press('Tab')
      await page().keyboard.press('Tab')
      await page().keyboard.press('Enter')
      await page().waitForURL((url) => url.hash === '#/refunds')
      await links.first().waitFor({ state: 'hidden' })
    } finally {
      await page().setViewportSize({ width: 1_280, height: 900 })
    }
  })
})

/** A click at the middle of a cell, which the link of its row covers. */
async function touch(cell: Locator): Promise<void> {
  await cell.scrollIntoViewIfNeeded()
  const box = await cell.boundingBox()
  if (box === null) throw new Error('the cell is not shown')
  await page().mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** The largest number of lines that an element of this kind takes. */
const linesOf = async (selector: string): Promise<number> =>
  await page().evaluate<number>(`Math.max(...[...document.querySelectorAll('${selector}')]
    .map((one) => Math.round(one.getBoundingClientRect().height /
      parseFloat(getComputedStyle(one).lineHeight))))`)

/** 45,000 payments like the settled one, more than the pages that an estimate reads. */
const COPIES = `
  insert into gapura.gateway_payment
  select copy.*
  from
    gapura.gateway_payment as payment,
    generate_series(1, 45000) as n,
    jsonb_populate_record(payment, jsonb_build_object(
      'id', gen_random_uuid(), 'order_id', 'many-' || n, 'transaction_id', null)) as copy
  where payment.id = (
    select id from gapura.gateway_payment where transaction_status = 'settlement' limit 1
  )`

test('the totals of many payments are estimated, said to be so, and near the truth', async () => {
  const db = openDatabase(DATABASE_URL, {
    schema: e2e.database.db.schema,
    statement_timeout_ms: 150_000,
  })
  await withConnection(db, async (client) => {
    await client.query(db.statement(COPIES).text)
  })
  await db.close()
  const [true_ones] = await e2e.database.sql(
    `select count(*)::integer as count from gapura.gateway_payment where transaction_status = 'settlement'`,
  )
  const count = Number(true_ones?.['count'])
  const totals = (await (await e2e.ask('/staff/payments/totals/?status=settlement')).json()) as {
    count: number
    exact: boolean
  }
  expect(totals.exact).toBe(false)
  expect(Math.abs(totals.count - count) / count).toBeLessThan(0.15)
  for (const { language, more } of TEXTS) {
    await e2e.signIn(language)
    await e2e.go('/payments?status=settlement')
    await page().locator('.totals').getByText(more).waitFor()
  }
})

test('the browser had nothing to complain about', () => {
  expect(e2e.desk.complaints.filter((one) => !/40[14] \(/.test(one))).toEqual([])
})
