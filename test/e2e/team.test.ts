// People of the merchant: set up a sign-in from a link, sign in, invite, change rights, read the
// audit. By keyboard alone, in both languages.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SCOPES } from 'gapura'
import { describe, expect, test } from 'vitest'
import { totpCode, totpStepAt } from '../../packages/service/src/services/access/passwords.ts'
import { violationsOf } from './browser.ts'
import { useDesk } from './desk.ts'

const e2e = useDesk({ webhooks: { keys: [randomBytes(32).toString('base64')] } })
const page = () => e2e.desk.page
const button = (name: string) => page().getByRole('button', { name, exact: true })

const ROOT = { owner_id: 'root', staff: true, scopes: SCOPES }
const PASSWORD = 'teh melati panas sekali'

async function type(...texts: string[]): Promise<void> {
  for (const [at, text] of texts.entries()) {
    if (at > 0) await page().keyboard.press('Tab')
    await page().keyboard.type(text)
  }
}

/** Where the keyboard is, by the text of the element or of its label. */
const at = async (): Promise<string> =>
  await page().evaluate(
    `(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()`,
  )

/** Presses Tab until the element of this text has the focus. */
async function tabTo(text: string): Promise<void> {
  for (let steps = 0; steps < 120; steps += 1) {
    if ((await at()) === text) return
    await page().keyboard.press('Tab')
  }
  throw new Error(`no Tab leads to ${text}`)
}

const TEXTS = [
  {
    language: 'en',
    title: 'Set up your sign-in',
    password: 'New password',
    code: 'Six-digit code',
    create: 'Create a passkey',
    passkey: 'Sign in with a passkey',
    payments: 'Payments',
    signOut: 'Sign out',
    email: 'E-mail address',
    refused: 'is wrong',
    team: 'Team',
    invite: 'Invite…',
    link: 'Link for Rini',
    change: 'Change role…',
    role: 'Role',
    reason: 'Reason',
    changeDo: 'Change the role',
    disable: 'Disable…',
    disableDo: 'Disable the account',
    actor: 'Who',
    export: 'Export CSV',
    ended: 'This link has been used or has expired.',
  },
  {
    language: 'id',
    title: 'Atur cara masuk Anda',
    password: 'Kata sandi baru',
    code: 'Kode enam angka',
    create: 'Buat kunci sandi',
    passkey: 'Masuk dengan kunci sandi',
    payments: 'Pembayaran',
    signOut: 'Keluar',
    email: 'Alamat e-mail',
    refused: 'salah',
    team: 'Tim',
    invite: 'Undang…',
    link: 'Tautan untuk Rini',
    change: 'Ubah peran…',
    role: 'Peran',
    reason: 'Alasan',
    changeDo: 'Ubah peran',
    disable: 'Nonaktifkan…',
    disableDo: 'Nonaktifkan akun',
    actor: 'Siapa',
    export: 'Ekspor CSV',
    ended: 'Tautan ini sudah dipakai atau kedaluwarsa.',
  },
] as const

describe.each(TEXTS)('in $language', (text) => {
  const { language } = text
  const staff_id = `dewi-${language}`
  const email = `${staff_id}@shop.example`
  let secret = ''
  let link = ''

  test('a link sets up password and code, signs in, and works once', async () => {
    const person = { email, name: 'Dewi', role: 'admin', staff_id }
    const { link_token } = await e2e.desk.gapura.staff.invitePerson(ROOT, person)
    await page().goto(`${e2e.desk.url}/dashboard/`)
    await page().evaluate((one) => localStorage.setItem('gapura.language', one), language)
    link = `${e2e.desk.url}/dashboard/#/join?token=${link_token}`
    await page().goto('about:blank')
    await page().goto(link)
    await page().getByRole('heading', { name: text.title }).waitFor()
    expect(await violationsOf(page())).toEqual([])
    secret = (await page().locator('.copyable code').textContent()) ?? ''
    await tabTo(text.password)
    await type(PASSWORD)
    await tabTo(text.code)
    await type(totpCode(secret, totpStepAt(new Date()) - 1))
    await page().keyboard.press('Enter')
    await page().getByRole('heading', { name: text.payments }).waitFor()
    await page().locator('header .who').getByText('Dewi').waitFor()
    expect(page().url()).not.toContain('gpl_')
    await page().goto('about:blank')
    await page().goto(link)
    await page().getByRole('alert').filter({ hasText: text.ended }).waitFor()
    expect(await violationsOf(page())).toEqual([])
  })

  test('a wrong code is refused; password and code open the pages', async () => {
    await page().goto('about:blank')
    await page().goto(`${e2e.desk.url}/dashboard/`)
    await tabTo(text.signOut)
    await page().keyboard.press('Enter')
    await page().getByLabel(text.email).waitFor()
    expect(await violationsOf(page())).toEqual([])
    await tabTo(text.email)
    await type(email, PASSWORD, '000000')
    await page().keyboard.press('Enter')
    await page().getByRole('alert').filter({ hasText: text.refused }).waitFor()
    expect(await violationsOf(page())).toEqual([])
    await tabTo(text.email)
    await page().keyboard.press('ControlOrMeta+A')
    await type(email)
    await page().keyboard.press('Tab')
    await page().keyboard.press('Tab')
    await type(totpCode(secret, totpStepAt(new Date())))
    await page().keyboard.press('Enter')
    await page().getByRole('heading', { name: text.payments }).waitFor()
  })

  test('invite a person, change the role, disable the account: each counts at once', async () => {
    await e2e.go('/team')
    await tabTo(text.invite)
    await page().keyboard.press('Enter')
    const dialog = page().getByRole('dialog')
    await dialog.waitFor()
    expect(await violationsOf(page())).toEqual([])
    await type('Rini', `rini-${language}@shop.example`)
    await page().keyboard.press('Enter')
    await page().getByRole('heading', { name: text.link }).waitFor()
    expect(await dialog.locator('code').textContent()).toContain('/dashboard/#/join?token=gpl_')
    expect(await violationsOf(page())).toEqual([])
    await page().keyboard.press('Escape')
    const row = page()
      .getByRole('row')
      .filter({ hasText: `rini-${language}@shop.example` })
    await row.getByRole('button', { name: text.change }).focus()
    await page().keyboard.press('Enter')
    await dialog.getByLabel(text.role).selectOption('support')
    await dialog.getByLabel(text.reason).focus()
    await type('helps at the desk')
    await page().keyboard.press('Enter')
    await button(text.changeDo).focus()
    expect(await violationsOf(page())).toEqual([])
    await page().keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await row.getByText('support').waitFor()
    await row.getByRole('button', { name: text.disable }).focus()
    await page().keyboard.press('Enter')
    await type('left the company')
    await page().keyboard.press('Enter')
    await button(text.disableDo).focus()
    await page().keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const { results } = await e2e.desk.gapura.staff.listPeople(ROOT)
    const rini = results.find((one) => one.email === `rini-${language}@shop.example`)
    expect([rini?.role, rini?.disabled_at !== null]).toEqual(['support', true])
  })

  test('the audit shows it by person and exports it', async () => {
    await e2e.go('/audit')
    await tabTo(text.actor)
    await type(staff_id)
    await page().keyboard.press('Enter')
    await page().waitForURL(/actor=/)
    await page().getByRole('cell').getByText('person.update').first().waitFor()
    await page().getByText('helps at the desk').waitFor()
    expect(await page().getByRole('cell', { name: 'root', exact: false }).count()).toBe(0)
    const downloading = page().waitForEvent('download')
    await tabTo(text.export)
    await page().keyboard.press('Enter')
    const file = await (await downloading).path()
    const csv = readFileSync(file, 'utf8')
    expect(csv).toContain('"helps at the desk"')
    expect(csv).not.toContain('@shop.example')
  })

  test('a session that is ended elsewhere leads to the sign-in page at the next click', async () => {
    await e2e.go('/payments')
    const { results } = await e2e.desk.gapura.staff.listPeople(ROOT)
    const dewi = results.find((one) => one.staff_id === staff_id)
    await e2e.desk.gapura.staff.signOutPerson(ROOT, dewi?.id ?? '')
    await tabTo(text.team)
    await page().keyboard.press('Enter')
    await page().getByLabel(text.email).waitFor()
  })
})

describe.each(TEXTS)('a passkey in $language', (text) => {
  const { language } = text
  const staff_id = `putri-${language}`

  test('is made from a link, signs in again, and no answer works twice', async () => {
    const cdp = await page().context().newCDPSession(page())
    await cdp.send('WebAuthn.enable')
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    const person = { email: `${staff_id}@shop.example`, name: 'Putri', role: 'viewer', staff_id }
    const { link_token } = await e2e.desk.gapura.staff.invitePerson(ROOT, person)
    // An address of numbers is no site for a passkey.
    const home = `${e2e.desk.url.replace('127.0.0.1', 'localhost')}/dashboard/`
    await page().goto(home)
    await page().evaluate((one) => localStorage.setItem('gapura.language', one), language)
    await page().goto('about:blank')
    await page().goto(`${home}#/join?token=${link_token}`)
    await page().getByRole('heading', { name: text.title }).waitFor()
    await tabTo(text.create)
    await page().keyboard.press('Enter')
    await page().locator('header .who').getByText('Putri').waitFor()
    await tabTo(text.signOut)
    await page().keyboard.press('Enter')
    await button(text.passkey).waitFor()
    expect(await violationsOf(page())).toEqual([])
    const answering = page().waitForRequest((one) => one.url().endsWith('/sign_in/passkey/'))
    await tabTo(text.passkey)
    await page().keyboard.press('Enter')
    await page().locator('header .who').getByText('Putri').waitFor()
    const sent = (await answering).postDataJSON() as object
    const replayed = await page().request.post(
      `${home.replace('dashboard/', '')}sign_in/passkey/`,
      {
        data: sent,
        headers: { origin: new URL(home).origin },
      },
    )
    expect(replayed.status()).toBe(401)
    await tabTo(text.signOut)
    await page().keyboard.press('Enter')
    await button(text.passkey).waitFor()
    await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  })
})

test('the browser had nothing to complain about', () => {
  const refused = e2e.desk.complaints.filter((one) => !/40[134] \(/.test(one))
  expect(refused).toEqual([])
})
