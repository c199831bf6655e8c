// What the audit keeps of an export: which rows left, and never a person's e-mail or a secret.
import { describe, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import type { Context } from '../../src/services/context.ts'
import { exportPayments } from '../../src/services/staff/export_payments.ts'
import { useHttp, type Json } from './http_bench.ts'

const http = useHttp()

describe('GET /staff/payments/export/', () => {
  test('the audit says what was asked for, and how many rows left and which', async () => {
    const owner_id = 'ani'
    const email = `${http.fresh('audited')}@example.com`
    const made: string[] = []
    for (let n = 0; n < 3; n++) {
      const order_id = http.fresh('audited')
      const input = await http.chargeOf('gopay', { order_id, customer_details: { email } })
      made.push((await http.post('/charge/', { body: input })).body.id)
    }
    const filters = `customer_email=${email}&owner_id=${owner_id}&gross_amount=150000`
    const query = `${filters}&created_from=2020-01-01T00:00:00Z&sort=oldest`
    const reply = await fetch(`${http.parts.url}/staff/payments/export/?${query}`, {
      headers: { 'x-caller': 'clerk', 'x-request-id': 'export-1' },
    })
    expect((await reply.text()).trimEnd().split('\r\n')).toHaveLength(4)
    const kept = await http.database.sql(
      `select actor, action, detail::jsonb as detail from gapura.audit_unsealed
       where request_id = 'export-1' order by action`,
    )
    const [asked, sent] = kept
    expect(asked).toMatchObject({
      actor: 'desk',
      action: 'payment.export',
      detail: {
        filters: {
          customer_email: '[e-mail]',
          owner_id,
          gross_amount: '150000.00',
          created_from: '2020-01-01T00:00:00.000Z',
        },
        sort: 'oldest',
      },
    })
    const export_id = (asked?.['detail'] as Json | undefined)?.['export_id']
    expect(sent).toEqual({
      actor: 'desk',
      action: 'payment.exported',
      detail: { export_id, rows: 3, ids: made, complete: true },
    })
    expect(JSON.stringify(kept)).not.toContain(email)
  })

  test('a secret in a filter is in no entry of the audit', async () => {
    const card = '4811111111111114'
    const reply = await fetch(`${http.parts.url}/staff/payments/export/?va_number=${card}`, {
      headers: { 'x-caller': 'clerk', 'x-request-id': 'export-2' },
    })
    await reply.text()
    const kept = await http.database.sql(
      `select detail from gapura.audit_unsealed where request_id = 'export-2'`,
    )
    expect(kept).toHaveLength(2)
    expect(JSON.stringify(kept)).not.toContain(card)
  })

  test('an export whose client went away is kept as not complete', async () => {
    const dewi: Caller = { owner_id: 'dewi', staff: true, scopes: SCOPES }
    const ctx = { db: http.database.db } as Context
    const { chunks } = await exportPayments(ctx, dewi, {})
    for await (const chunk of chunks) {
      expect(chunk).toContain('order_id')
      break
    }
    const kept = await http.database.sql(
      `select action, detail::jsonb -> 'rows' as rows, detail::jsonb -> 'complete' as complete
       from gapura.audit_unsealed where actor = 'dewi' order by action`,
    )
    expect(kept).toEqual([
      { action: 'payment.export', rows: null, complete: null },
      { action: 'payment.exported', rows: 0, complete: false },
    ])
  })

  test('has the columns of finance: settlement, net amount, and refunds with their days', async () => {
    const { id } = await http.settled('gopay')
    const body = { amount: 1_000, reason: 'one cup was cold' }
    await http.post(`/staff/payments/${id}/refund/`, { as: 'clerk', body })
    const query = `created_from=2020-01-01T00:00:00Z`
    const reply = await fetch(`${http.parts.url}/staff/payments/export/?${query}`, {
      headers: { 'x-caller': 'clerk' },
    })
    const [names = '', ...lines] = (await reply.text()).trimEnd().split('\r\n')
    const line = lines.find((one) => one.includes(id)) ?? ''
    const cells = line.slice(1, -1).split('","')
    const cell = (name: string) => cells[names.slice(2, -1).split('","').indexOf(name)]
    expect([cell('captured_amount'), cell('net_amount')]).toEqual(['150000.00', '149000.00'])
    expect(cell('refunds')).toMatch(/^\d{4}-\d\d-\d\d 1000\.00 service$/)
    expect(cell('settlement_time')).toMatch(/\+07:00$/)
    const workbook = await fetch(`${http.parts.url}/staff/payments/export_xlsx/?${query}`, {
      headers: { 'x-caller': 'clerk' },
    })
    expect(workbook.headers.get('content-disposition')).toMatch(/\.xlsx"$/)
    const bytes = Buffer.from(await workbook.arrayBuffer())
    expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0x50, 0x4b, 3, 4]))
  })
})
