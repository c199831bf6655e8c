// What staff do to money or end needs a reason: the service refuses it without one, whatever page or
// program sends it.
import { describe, expect, test } from 'vitest'
import { inputsOf } from '../access/access_rows.ts'
import { useHttp } from './http_bench.ts'

const http = useHttp()
const AS = { as: 'clerk' } as const

describe('what staff do', () => {
  test.each(['cancel', 'expire', 'capture', 'approve', 'deny', 'refund'])(
    '400 %s without a reason, or with one that says nothing, sends nothing',
    async (action) => {
      const { id } = await http.settled()
      const amount = action === 'refund' ? { amount: 10_000 } : {}
      for (const given of [{}, { reason: '' }, { reason: '  ' }, { reason: ' \n  ' }]) {
        const body = { ...amount, ...given }
        const refused = await http.post(`/staff/payments/${id}/${action}/`, { ...AS, body })
        expect(refused.body).toMatchObject({
          status: 400,
          code: 'invalid_request',
          errors: [{ field: 'reason' }],
        })
      }
      const sent = await http.database.sql(
        `select 1 from gapura.gateway_operation where subject_id = $1 and kind <> 'charge'`,
        [id],
      )
      expect(sent).toEqual([])
    },
  )

  test('200 cancels a payment link, voids an invoice and ends a subscription, with the reason in the audit', async () => {
    const made = inputsOf(http)
    const reason = 'asked on the phone'
    const acts = [
      ['checkouts', 'cancel', await made.ownCheckout()],
      ['invoices', 'void', await made.ownInvoice()],
      ['subscriptions', 'disable', await made.ownSubscription()],
      ['subscriptions', 'cancel', await made.ownSubscription()],
    ] as const
    for (const [kind, action, id] of acts) {
      const url = `/staff/${kind}/${id}/${action}/`
      const refused = await http.post(url, { ...AS, body: {} })
      expect(refused.body).toMatchObject({ status: 400, errors: [{ field: 'reason' }] })
      expect((await http.post(url, { ...AS, body: { reason } })).status).toBe(200)
      const audit = await http.database.sql(
        `select actor, reason from gapura.audit_unsealed where subject_id = $1 and actor = 'desk'`,
        [id],
      )
      expect(audit).toEqual([{ actor: 'desk', reason }])
    }
  })

  test('400 staff delete a webhook endpoint without a reason; its owner needs none', async () => {
    const made = inputsOf(http)
    const ids = [await made.ownEndpoint(), await made.ownEndpoint()] as const
    const url = (id: string) => `/webhook_endpoints/${id}/delete/`
    const refused = await http.post(url(ids[0]), { ...AS, body: {} })
    expect(refused.body).toMatchObject({ status: 400, errors: [{ field: 'reason' }] })
    const body = { reason: 'the till is gone' }
    expect((await http.post(url(ids[0]), { ...AS, body })).status).toBe(200)
    expect((await http.post(url(ids[1]))).status).toBe(200)
    const audit = await http.database.sql(
      `select actor, reason from gapura.audit_unsealed
       where action = 'webhook_endpoint.delete' order by id`,
    )
    expect(audit).toEqual([
      { actor: 'desk', reason: 'the till is gone' },
      { actor: 'ani', reason: null },
    ])
  })
})
