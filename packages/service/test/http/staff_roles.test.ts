// What a role allows, from the next request on, and who may change it.
import { describe, expect, test } from 'vitest'
import { ROOT, useSignIn } from './sign_in_bench.ts'

const bench = useSignIn()

describe('roles and accounts', () => {
  test('a changed role counts from the next request on, in both directions', async () => {
    const { id, browser } = await bench.joined('viewer')
    const payment = await bench.http.charged()
    const note = async () =>
      (await browser.post(`/staff/payments/${payment.id}/notes/`, { text: 'called back' })).status
    expect(await note()).toBe(403)
    await bench.gapura.staff.updatePerson(ROOT, id, { role: 'support' })
    expect(await note()).toBe(200)
    await bench.gapura.staff.updatePerson(ROOT, id, { role: 'viewer' })
    expect(await note()).toBe(403)
  })

  test('changed scopes of a role count at once; a disabled person is out at once', async () => {
    const name = bench.http.fresh('role')
    await bench.gapura.staff.setRole(ROOT, { name, scopes: ['staff:read'] })
    const { id, browser } = await bench.joined(name)
    expect((await browser.get('/staff/health/')).status).toBe(200)
    await bench.gapura.staff.setRole(ROOT, { name, scopes: [] })
    expect((await browser.get('/staff/health/')).status).toBe(403)
    await bench.gapura.staff.updatePerson(ROOT, id, { disabled: true, reason: 'left the company' })
    expect((await browser.get('/staff/me/')).status).toBe(401)
  })

  test('a person gives no scope that they lack, and does not change their own account', async () => {
    const name = bench.http.fresh('clerk')
    await bench.gapura.staff.setRole(ROOT, { name, scopes: ['staff:read', 'staff:manage'] })
    const { id, browser } = await bench.joined(name)
    const admin = await bench.joined('admin')
    const invite = { email: 'x@shop.example', name: 'X', role: 'admin' }
    expect((await browser.post('/staff/people/', invite)).status).toBe(403)
    expect((await browser.post('/staff/roles/', { name, scopes: ['staff:act'] })).status).toBe(403)
    const taken = await browser.post(`/staff/people/${admin.id}/link/`)
    expect([taken.status, 'link_token' in taken.body]).toEqual([403, false])
    const key = { name: 'k', owner_id: 'ani', scopes: ['payments:refund'] }
    expect((await browser.post('/staff/keys/', key)).status).toBe(403)
    expect((await browser.post(`/staff/people/${id}/update/`, { name: 'Me' })).status).toBe(403)
    expect((await admin.browser.post('/staff/keys/', key)).status).toBe(201)
  })

  test('a staff key made in the dashboard acts in the name of its creator, who is no second person by it', async () => {
    const { browser, staff_id } = await bench.joined('admin')
    const made = await browser.post('/staff/keys/', {
      name: 'script',
      staff: true,
      scopes: ['staff:read', 'staff:act', 'payments:refund'],
    })
    const keyed = bench.browser()
    await keyed.post('/sign_in/key/', { key: String(made.body['key']) })
    expect((await keyed.get('/staff/me/')).body).toMatchObject({ owner_id: staff_id })
  })
})
