// The month-end file and the days of an account: every movement once, and the columns add up to the
// ledger's own balances.
import { beforeAll, expect, test } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { jakartaDay } from '../../src/domain/time.ts'
import { setRate } from '../../src/services/fees/fee_rates.ts'
import { exportMonth, exportMonthWorkbook } from '../../src/services/ledger/month_end.ts'
import { readAccount, readBalances, readClosings } from '../../src/services/ledger/read_ledger.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { approveRefund } from '../../src/services/staff/refund_requests.ts'
import { requestOutside } from '../../src/services/staff/refunds.ts'
import { actOnException } from '../../src/services/reconciliation/exceptions.ts'
import { runReconciliation } from '../../src/services/reconciliation/read.ts'
import { importStatement } from '../../src/services/statements/import_file.ts'
import { readXlsx } from '../../src/services/statements/files/xlsx.ts'
import { listDayLines, type DayPlace } from '../../src/store/ledger/day_lines.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService()
const ctx = () => ({ ...service.ctx, refunds: { hold_ms: 3_600_000 } })
const staff = (owner_id: string) => ({ owner_id, staff: true, scopes: SCOPES })
const DEWI = staff('dewi')
const day = jakartaDay(new Date())
const month = day.slice(0, 7)

async function paid(order_id: string, payment_type: string, more: object = {}): Promise<string> {
  const customer_details = { first_name: 'Ani', email: 'ani@example.com' }
  const input = { order_id, payment_type, gross_amount: 150_000, customer_details, ...more }
  const { id } = bodyOf(await createCharge(ctx(), input, requestOf('owner-1', order_id)))
  await service.control(`transactions/${order_id}/pay`)
  await getStatus(ctx(), requestOf().caller, id)
  return id
}

type Row = Record<string, string>

async function rowsOf(): Promise<Row[]> {
  let text = ''
  for await (const chunk of (await exportMonth(ctx(), DEWI, { month })).chunks) text += chunk
  const lines = text.replace('\uFEFF', '').trimEnd().split('\r\n')
  const [names = [], ...rows] = lines.map((line) => line.slice(1, -1).split('","'))
  return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])))
}

beforeAll(async () => {
  const bank = await paid('month-1', 'bank_transfer', { bank: 'bca' })
  const wallet = await paid('month-2', 'gopay')
  await paid('month-3', 'cstore', { store: 'alfamart' })
  await refundPayment(ctx(), requestOf('owner-1', 'month-r'), wallet, { amount: 50_000 })
  const request = { ...requestOf('sari', 'month-o'), caller: staff('sari') }
  const evidence = { reference: 'TRF-12345', evidence: 'slip in the folder' }
  const input = { amount: 40_000, reason: 'goods returned', ...evidence }
  // It waits for the second person.
  await requestOutside(ctx(), request, bank, input).catch(() => undefined)
  const [held] = await service.database.sql('select id from gapura.refund_request')
  await approveRefund(ctx(), DEWI, String(held?.['id']), { reason: 'slip checked' })
})

test('each movement has one line with fee, VAT and net; no rate gives no fee', async () => {
  const rows = await rowsOf()
  const shown = rows.map((row) =>
    [row['order_id'], row['kind'], row['gross'], row['fee'], row['vat'], row['refunds']].join(' '),
  )
  expect(shown.sort()).toEqual([
    'month-1 received 150000.00 4000.00 440.00 0.00',
    'month-1 refunded_outside 0.00 0.00 0.00 0.00',
    'month-2 received 150000.00 3000.00 330.00 0.00',
    'month-2 refunded 0.00 0.00 0.00 50000.00',
    'month-3 received 150000.00   0.00',
  ])
  const net = Object.fromEntries(
    rows.map((row) => [`${row['order_id']} ${row['kind']}`, row['net']]),
  )
  expect(net).toMatchObject({
    'month-1 received': '145560.00',
    'month-2 refunded': '-50000.00',
    'month-1 refunded_outside': '0.00',
    'month-3 received': '',
  })
})

test('a refund outside the gateway has its transfer number, evidence and both people', async () => {
  const outside = (await rowsOf()).find(({ refunds_outside }) => refunds_outside !== '0.00')
  expect(outside).toMatchObject({
    refunds_outside: '40000.00',
    refund_source: 'outside',
    refund_reference: 'TRF-12345',
    refund_evidence: 'slip in the folder',
    refund_reason: 'goods returned',
    refund_requested_by: 'sari',
    refund_approved_by: 'dewi',
  })
})

test('the columns add up to the accounts of the ledger, also after a rate was corrected', async () => {
  await setRate(ctx(), DEWI, {
    payment_type: 'cstore',
    valid_from: '2026-01-01',
    fixed_amount: 5_000,
  })
  const rows = await rowsOf()
  const sum = (name: string) =>
    rows.reduce((all, row) => all + BigInt((row[name] ?? '').replace('.', '') || '0'), 0n)
  const { accounts } = await readBalances(ctx(), DEWI, {})
  const balance = (account: string) =>
    BigInt(accounts.find((one) => one.account === account)?.balance.replace('.', '') ?? '0')
  expect(sum('gross')).toBe(-balance('sales:owner-1'))
  expect(sum('refunds') + sum('refunds_outside')).toBe(balance('refunds:owner-1'))
  expect(sum('net') + sum('fee') + sum('vat')).toBe(balance('gateway:pending'))
  expect(sum('fee')).toBe(1_200_000n)
})

test('a fee that the gateway stated replaces the expected one, and the payout is named', async () => {
  const export_csv = [
    'Date & Time,Order ID,Amount,Fee,Transaction Type,Status,Withdrawal ID',
    `${day} 10:00:00,month-1,150000,4551,Payment,settlement,WLSTmonth00001`,
    `${day} 10:00:00,month-2,150000,3330,Payment,settlement,`,
    `${day} 12:00:00,,145449,0,Withdrawal,completed,WLSTmonth00001`,
  ].join('\n')
  const request = { caller: DEWI, request_id: 'r-1', idempotency: null }
  const content_base64 = Buffer.from(export_csv).toString('base64')
  const file = { file_name: 'a.csv', format: 'portal_csv', content_base64 }
  expect(await importStatement(ctx(), request, file)).toMatchObject({ lines_new: 3 })
  await runReconciliation(ctx(), DEWI)
  const [item] = await service.database.sql(
    `select id from gapura.reconciliation_item where order_id = 'month-1' and state = 'mismatched'`,
  )
  const input = { action: 'post_fee', reason: 'the contract of March has this fee' }
  await actOnException(ctx(), DEWI, String(item?.['id']), input)
  const rows = await rowsOf()
  const of = (order_id: string) =>
    rows.find((row) => row['order_id'] === order_id && row['kind'] === 'received')
  expect(of('month-1')).toMatchObject({ fee_basis: 'stated', payout_id: 'WLSTmonth00001' })
  expect(of('month-1')).toMatchObject({ fee: '4551.00', vat: '0.00', net: '145449.00' })
  const second = { fee_basis: 'stated', fee: '3000.00', vat: '330.00', payout_id: '' }
  expect(of('month-2')).toMatchObject(second)
  expect(of('month-3')).toMatchObject({ fee_basis: 'expected', payout_id: '' })
})

test('the workbook has the same lines, with amounts as numbers, and the audit has both exports', async () => {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await exportMonthWorkbook(ctx(), DEWI, { month })).chunks)
    chunks.push(chunk)
  const records = readXlsx(Buffer.concat(chunks))
  expect(records).toHaveLength((await rowsOf()).length + 1)
  expect(records[0]?.fields.slice(0, 3)).toEqual(['booked_on', 'occurred_at', 'kind'])
  const [done] = await service.database.sql(
    `select actor, detail::jsonb - 'ids' - 'export_id' as detail from gapura.audit_unsealed
     where action = 'ledger.exported' order by occurred_at desc limit 1`,
  )
  expect(done).toEqual({ actor: 'dewi', detail: { rows: 5, complete: true } })
})

test('a page boundary loses and repeats no line', async () => {
  const read = async (after: DayPlace | null, limit: number) =>
    await service.database.do(async (tx) => await listDayLines(tx, day, { after, limit }))
  const keys = (lines: readonly DayPlace[]) =>
    lines.map(({ object_id, version, kind, line }) => [object_id, version, kind, line].join(' '))
  const found: string[] = []
  let after: DayPlace | null = null
  do {
    const lines: DayPlace[] = await read(after, 2)
    found.push(...keys(lines))
    after = lines.at(-1) ?? null
  } while (after !== null)
  expect(found).toEqual(keys(await read(null, 100)))
  expect(new Set(found).size).toBeGreaterThanOrEqual(5)
})

test.each(['2026-13', '2026-1', 'now', '1999-01'])('%s is no month', async (given) => {
  await expect(exportMonth(ctx(), DEWI, { month: given })).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

test('an account day by day ends at its balance, and the opening is what was before', async () => {
  const { accounts } = await readBalances(ctx(), DEWI, {})
  const now = accounts.find(({ account }) => account === 'refunds:owner-1')
  const shown = await readAccount(ctx(), DEWI, { account: 'refunds:owner-1' })
  expect(shown).toMatchObject({ opening_balance: '0.00', closing_balance: now?.balance })
  expect(shown.days).toMatchObject([{ day, debit: '90000.00', credit: '0.00', closed: false }])
  const later = { account: 'refunds:owner-1', from: '2099-01-01', until: '2099-02-01' }
  expect(await readAccount(ctx(), DEWI, later)).toMatchObject({
    opening_balance: '90000.00',
    closing_balance: '90000.00',
    days: [],
  })
})

test.each([
  [{ from: '2026-02-01', until: '2026-01-01' }, 'until'],
  [{ from: '2026-01-01', until: '2026-06-01' }, 'until'],
  [{ from: '2026-02-30' }, 'from'],
])('a period of %j is refused', async (period, field) => {
  const refused = readAccount(ctx(), DEWI, { account: 'sales:owner-1', ...period })
  await expect(refused).rejects.toMatchObject({ code: 'invalid_request', errors: [{ field }] })
})

test('reading needs staff:read', async () => {
  const owner = { owner_id: 'ani', staff: false, scopes: [] }
  const account = { account: 'sales:owner-1' }
  await expect(readAccount(ctx(), owner, account)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(readClosings(ctx(), owner)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(exportMonth(ctx(), owner, { month })).rejects.toMatchObject({ code: 'forbidden' })
})
