// Every page of the dashboard with the data of a merchant, by axe and at the width of a phone: both
// languages, both colours.
import { describe, expect, test } from 'vitest'
import { randomBytes } from 'node:crypto'
import { violationsOf } from './browser.ts'
import { useDesk } from './desk.ts'
import { keptPages, openMerchant, otherPages, type Shown } from './merchant.ts'

const e2e = useDesk({
  refunds: { second_person_above: 200_000 },
  webhooks: { keys: [randomBytes(32).toString('base64')] },
  statements: { balance: true, days_back: 2 },
})
const page = () => e2e.desk.page
let shown: Shown

const WIDE = 1_280
const PHONE = 390

test('a merchant with two weeks of trade', async () => {
  shown = await openMerchant(e2e)
})

/** Each page is a test of its own, so that a failure names it; the ids come with the merchant. */
const NAMES = Object.keys(pagesOf())

function pagesOf(ids?: Shown): Record<string, string> {
  const shownIds = ids ?? ({} as Partial<Shown> as Shown)
  return { ...keptPages(shownIds), ...otherPages(shownIds) }
}

describe.each([
  { language: 'en', looks: [`${WIDE} dark`, `${PHONE} light`] },
  { language: 'id', looks: [`${WIDE} light`, `${PHONE} dark`] },
] as const)('axe finds nothing, and nothing is wider than a phone, in $language', (given) => {
  const { language, looks } = given
  test('signed in', async () => await e2e.signIn(language))

  test.each(NAMES)('%s', async (name) => {
    await e2e.go(pagesOf(shown)[name] ?? '')
    await page().locator('.loading').waitFor({ state: 'detached' })
    const faults: string[] = []
    for (const look of looks) {
      const [width = '', theme = ''] = look.split(' ')
      await page().setViewportSize({ width: Number(width), height: 900 })
      await page().evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      for (const fault of await violationsOf(page())) faults.push(`${look} ${fault}`)
      const broad = Number(await page().evaluate('document.documentElement.scrollWidth'))
      if (broad > Number(width)) faults.push(`${broad} wide on ${width}`)
    }
    await page().setViewportSize({ width: WIDE, height: 900 })
    expect(faults).toEqual([])
  })
})
