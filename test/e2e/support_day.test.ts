// A day of a support person: twenty tasks in the browser, each with its number of interactions (a key,
// a term typed, a choice) and its seconds. No task takes more than 8 interactions or 30 seconds.
import { SCOPES } from 'gapura'
import { afterAll, expect, test } from 'vitest'
import { useDesk } from './desk.ts'

const e2e = useDesk()
const page = () => e2e.desk.page
const INTERACTIONS_MAX = 8
const SECONDS_MAX = 30

const WATI = {
  first_name: 'Wati',
  last_name: 'Lestari',
  email: 'wati@example.com',
  phone: '+62 813-1111-2222',
}

type Payment = Awaited<ReturnType<typeof e2e.charge>>
const made: Record<string, Payment> = {}
const of = (name: string): Payment => {
  const payment = made[name]
  if (payment === undefined) throw new Error(name)
  return payment
}

test('the orders of the day', async () => {
  made['va'] = await e2e.charge('bank_transfer', { customer_details: WATI, gross_amount: 81_000 })
  made['bill'] = await e2e.charge('echannel', { gross_amount: 82_000 })
  made['store'] = await e2e.charge('cstore', { gross_amount: 83_000 })
  made['wallet'] = await e2e.paid('gopay', { gross_amount: 84_000 })
  made['paid_va'] = await e2e.paid('bank_transfer', { gross_amount: 85_000 })
  made['expired'] = await e2e.charge('qris', { gross_amount: 86_000 })
  await e2e.control(`transactions/${of('expired').order_id}/expire`)
  const order = { owner_id: 'eka', name: 'second desk', staff: true, scopes: SCOPES }
  await e2e.desk.gapura.createApiKey(order)
  await e2e.signIn()
})

let interactions = 0
const rows: string[] = []
afterAll(() => {
  process.stdout.write(`\n| task | interactions | seconds |\n|---|---|---|\n${rows.join('\n')}\n`)
})

/** One interaction each. */
const key = async (name: string): Promise<void> => {
  interactions += 1
  await page().keyboard.press(name)
}
const type = async (text: string): Promise<void> => {
  interactions += 1
  await page().keyboard.type(text)
}
const click = async (role: 'link' | 'button', name: string): Promise<void> => {
  interactions += 1
  await page().getByRole(role, { name, exact: true }).first().click()
}
const fill = async (label: string, text: string): Promise<void> => {
  interactions += 1
  await page().getByRole('dialog').getByLabel(label).fill(text)
}

/** Three interactions: the search box, the term, Enter. */
async function find(term: string): Promise<void> {
  await key('/')
  await type(term)
  await key('Enter')
}
const opens = async (name: string): Promise<void> =>
  await page().waitForURL((url) => url.hash === `#/payments/${of(name).id}`)
const shows = async (text: string): Promise<void> =>
  await page().locator('main').getByText(text).first().waitFor()

const row = (text: string) => page().locator('tbody tr[data-row]').filter({ hasText: text }).first()

const TASKS: readonly (readonly [string, () => Promise<void>])[] = [
  ['reads out a VA number', async () => (await find(of('va').va_number ?? ''), await opens('va'))],
  [
    'reads out a bill key',
    async () => (await find(of('bill').bill_key ?? ''), await opens('bill')),
  ],
  [
    'reads out a payment code',
    async () => (await find(of('store').payment_code ?? ''), await opens('store')),
  ],
  ['gives a phone number', async () => (await find('0813 1111 2222'), await opens('va'))],
  ['gives a last name', async () => (await find('Lestari'), await opens('va'))],
  ['gives an e-mail address', async () => (await find('wati@example.com'), await opens('va'))],
  ['knows only the amount', async () => (await find('Rp 84.000'), await opens('wallet'))],
  ['quotes the order id', async () => (await find(of('wallet').order_id), await opens('wallet'))],
  ['why is it pending', async () => (await find(of('va').order_id), await shows('Pending'))],
  ['why is it expired', async () => (await find(of('expired').order_id), await shows('Expired'))],
  [
    'ask the gateway again',
    async () => {
      await find(of('va').order_id)
      await opens('va')
      await click('button', 'Refresh from the gateway')
    },
  ],
  [
    'refund part of an order',
    async () => {
      await find(of('wallet').order_id)
      await click('button', 'Refund…')
      await fill('Amount in rupiah', '20.000')
      await fill('Reason', 'one item was missing')
      await click('button', 'Continue')
      interactions += 1
      await page()
        .getByRole('button', { name: /^Refund Rp 20\.000/ })
        .click()
      await shows('Partly refunded')
    },
  ],
  [
    'record a refund by bank transfer',
    async () => {
      await find(of('paid_va').order_id)
      await click('button', 'Record a refund…')
      await fill('Transfer number', 'TRF-1')
      await fill('Reason', 'goods were returned')
      await click('button', 'Continue')
      await click('button', 'Request approval of Rp 85.000')
      await shows('needs approval')
    },
  ],
  [
    'cancel an order',
    async () => {
      await find(of('bill').order_id)
      await click('button', 'Cancel…')
      await fill('Reason', 'ordered twice')
      await click('button', 'Continue')
      interactions += 1
      await page().locator('dialog button.danger').click()
      await shows('Cancelled')
    },
  ],
  [
    'write a note',
    async () => {
      await find(of('store').order_id)
      interactions += 1
      await page().locator('textarea').first().fill('will pay tomorrow')
      await click('button', 'Add note')
      await shows('will pay tomorrow')
    },
  ],
  [
    'everything of a customer',
    async () => {
      await find(of('va').order_id)
      await click('link', 'wati@example.com')
      await page().waitForURL((url) => url.hash.startsWith('#/customer'))
    },
  ],
  [
    'what was refunded',
    async () => (await click('link', 'Refunds'), await row('Rp 20.000').waitFor()),
  ],
  [
    'what is pending',
    async () => {
      interactions += 1
      await page().getByLabel('Status').selectOption('pending')
      await page().waitForURL((url) => url.hash.includes('status=pending'))
      await row(of('va').order_id).waitFor()
    },
  ],
  ['how the day goes', async () => (await click('link', 'Overview'), await shows('Compared with'))],
  [
    'what needs attention',
    async () => {
      interactions += 1
      await page()
        .getByRole('link', { name: /^Health/ })
        .click()
      await shows('requested by sari')
    },
  ],
]

test.each(TASKS)('%s', async (name, task) => {
  await e2e.go('/payments')
  await page().locator('main').focus()
  interactions = 0
  const began = performance.now()
  await task()
  const seconds = (performance.now() - began) / 1_000
  rows.push(`| ${name} | ${interactions} | ${seconds.toFixed(1)} |`)
  expect(interactions).toBeLessThanOrEqual(INTERACTIONS_MAX)
  expect(seconds).toBeLessThan(SECONDS_MAX)
})
