// Staff who sign in at the team's identity provider, in a real browser and by keyboard.
import { SCOPES } from 'gapura'
import { expect, test } from 'vitest'
import { Secret } from '../../packages/service/src/gateway/secret.ts'
import { useProvider } from '../../packages/service/test/http/oidc_process.ts'
import { violationsOf } from './browser.ts'
import { useDesk } from './desk.ts'

const startProvider = useProvider()
const e2e = useDesk({
  prepare: async (url) => ({
    oidc: {
      issuer: await startProvider(`${url}/sign_in/oidc/callback/`),
      client_id: 'gapura',
      client_secret: new Secret('a secret of the provider'),
    },
    publicUrl: url,
  }),
})
const page = () => e2e.desk.page
const ROOT = { owner_id: 'root', staff: true, scopes: SCOPES }

/** From the sign-in page through the forms of the provider. */
async function signIn(name: string, account: string): Promise<void> {
  await page().context().clearCookies()
  await page().goto('about:blank')
  await page().goto(`${e2e.desk.url}/dashboard/`)
  await page().getByRole('link', { name }).focus()
  expect(await violationsOf(page())).toEqual([])
  await page().keyboard.press('Enter')
  await page().locator('input[name=login]').focus()
  await page().keyboard.type(account)
  await page().keyboard.press('Tab')
  await page().keyboard.type('any')
  await page().keyboard.press('Enter')
  await page().getByRole('button', { name: 'Continue' }).focus()
  await page().keyboard.press('Enter')
}

test.each([
  ['en', 'Sign in with 127.0.0.1', 'Payments', 'did not accept the sign-in'],
  ['id', 'Masuk dengan 127.0.0.1', 'Pembayaran', 'tidak menerima Anda'],
])(
  'in %s an invited person gets in, and a stranger is sent back with the reason',
  async (...row) => {
    const [language, name, title, refused] = row
    const staff_id = `wulan-${language}`
    const email = `${staff_id}@shop.example`
    await e2e.desk.gapura.staff.invitePerson(ROOT, {
      email,
      name: 'Wulan',
      role: 'viewer',
      staff_id,
    })
    await page().goto(`${e2e.desk.url}/dashboard/`)
    await page().evaluate((one) => localStorage.setItem('gapura.language', one), language)
    await signIn(name, `${email}|verified`)
    await page().getByRole('heading', { name: title }).waitFor()
    await page().locator('header .who').getByText('Wulan').waitFor()
    await signIn(name, `stranger-${language}@shop.example|verified`)
    await page().getByRole('alert').filter({ hasText: refused }).waitFor()
    expect(await violationsOf(page())).toEqual([])
  },
)

test('the browser had nothing to complain about', () => {
  const complaints = e2e.desk.complaints.filter(
    (one) => !/ERR_NAME_NOT_RESOLVED|40[14] \(|favicon/.test(one),
  )
  expect(complaints).toEqual([])
})
