// The transaction history of BI-SNAP: payments and withdrawals as the portal lists them.
import type { Call } from '../http/call.ts'
import type { Reply } from '../http/reply.ts'
import { fieldsAt, integerAt, listAt, textAt, type Fields } from '../wire/fields.ts'
import { parseTime, SECOND_MS, wibTime } from '../wire/times.ts'
import type { Payout } from '../world/payout.ts'
import type { Transaction } from '../world/transaction.ts'
import type { World } from '../world/world.ts'
import { snapReply } from './bi_snap.ts'

const LIST = '12'
const DETAIL = '13'
const PAGE_SIZE_MAX = 50
const MONTH_MS = 31 * 86_400_000

const snapTime = (at: number): string => `${wibTime(at).replace(' ', 'T')}+07:00`
const money = (hundredths: number) => ({ value: (hundredths / 100).toFixed(2), currency: 'IDR' })

type Row = Transaction | Payout

const isPayout = (row: Row): row is Payout => 'bank_reference' in row
const timeOf = (row: Row): number => (isPayout(row) ? row.requested_at : row.created_at)

const STATUSES: Readonly<Record<Transaction['status'], string>> = {
  pending: 'PENDING',
  authorize: 'AUTHORIZE',
  capture: 'SUCCESS',
  settlement: 'SETTLEMENT',
  deny: 'DENIED',
  cancel: 'CANCELLED',
  expire: 'EXPIRED',
  failure: 'FAILED',
  refund: 'REFUND',
  partial_refund: 'REFUND',
  chargeback: 'CHARGEBACK',
  partial_chargeback: 'CHARGEBACK',
}

function statusOf({ status, fraud_status, purse }: Transaction): string {
  if (status === 'capture' && fraud_status === 'challenge') return 'CHALLENGE'
  return status === 'deny' && purse.settled > 0 ? 'REVERSAL' : STATUSES[status]
}

function channelOf({ payment_type, channel }: Transaction): string {
  if (payment_type === 'cstore') return `cstore_${channel ?? ''}`
  return payment_type === 'echannel' ? 'mandiri_bill' : payment_type
}

const BI_TYPES = { PAYMENT: 'PAYMENT', WITHDRAWAL: 'RECEIVE_MONEY' } as const

function shown(world: World, row: Row): Fields {
  if (isPayout(row)) {
    const { id, amount, status, bank_reference } = row
    return lineOf('WITHDRAWAL', row, money(amount), {
      referenceNo: id,
      partnerReferenceNo: bank_reference,
      status,
      channel: 'bank_transfer',
      fee: money(0),
    })
  }
  const { transaction_id, order_id, gross_amount } = row
  const { fee, vat } = world.balance.feeOf(transaction_id) ?? { fee: 0, vat: 0 }
  const kept = world.settings.history_amount === 'net' ? fee + vat : 0
  return lineOf('PAYMENT', row, money(gross_amount * 100 - kept), {
    referenceNo: transaction_id,
    partnerReferenceNo: order_id,
    status: statusOf(row),
    channel: channelOf(row),
    fee: money(fee + vat),
  })
}

const lineOf = (
  type: keyof typeof BI_TYPES,
  row: Row,
  amount: Fields,
  info: Fields & { status: string },
): Fields => ({
  dateTime: snapTime(timeOf(row)),
  amount,
  status: info.status,
  type: BI_TYPES[type],
  additionalInfo: { ...info, type },
})

const invalid = (service: string, field: string): Reply =>
  snapReply(service, { status: 400, subcode: '01', message: `Invalid Field Format ${field}` })

/** POST /v1.0/transaction-history-list. Both ends of the window are inside it. */
export function listHistory(world: World, call: Call): Reply {
  const body = call.body ?? {}
  const now = world.clock.now()
  const from = parseTime(textAt(body, 'fromDateTime') ?? snapTime(now - 3 * MONTH_MS))
  const to = parseTime(textAt(body, 'toDateTime') ?? snapTime(now))
  if (from === undefined || to === undefined || from > to || now - from > 6 * MONTH_MS) {
    return invalid(LIST, 'fromDateTime')
  }
  const page_size = integerAt(body, 'pageSize') ?? PAGE_SIZE_MAX
  const page = integerAt(body, 'pageNumber') ?? 0
  if (page_size < 1 || page_size > PAGE_SIZE_MAX || page < 0) return invalid(LIST, 'pageSize')
  const info = fieldsAt(body, 'additionalInfo')
  const types = listAt(info, 'types')
  const wanted = (type: string): boolean => types.length === 0 || types.includes(type)
  const rows: Row[] = [
    ...(wanted('PAYMENT') ? world.transactions.newestFirst() : []),
    ...(wanted('WITHDRAWAL') ? world.payouts.values() : []),
  ].filter((row) => timeOf(row) >= from && timeOf(row) < to + SECOND_MS)
  const sign = textAt(body, 'sortOrder') === 'ASC' ? 1 : -1
  rows.sort((a, b) => sign * (timeOf(a) - timeOf(b) || (idOf(a) < idOf(b) ? -1 : 1)))
  return snapReply(
    LIST,
    { status: 200, message: 'Successful' },
    { detailData: pageOf(world, rows, { page, page_size }) },
  )
}

const idOf = (row: Row): string => (isPayout(row) ? row.id : row.transaction_id)

function pageOf(world: World, rows: Row[], place: { page: number; page_size: number }): Fields[] {
  const { page, page_size } = place
  const fault = world.faults.forList({ operation: 'list_history', order_id: undefined })
  const begin = page * page_size + (fault?.effect === 'shifted_page' ? 1 : 0)
  const lines = rows.slice(begin, begin + page_size).map((row) => shown(world, row))
  const [first] = lines
  return fault?.effect === 'repeated_lines' && first ? [first, ...lines] : lines
}

/** POST /v1.0/transaction-history-detail. */
export function getHistory(world: World, call: Call): Reply {
  const body = call.body ?? {}
  const id = textAt(fieldsAt(body, 'additionalInfo'), 'referenceNo')
  const order_id = textAt(body, 'originalPartnerReferenceNo')
  const row: Row | undefined =
    id === undefined
      ? world.transactions.newestOf(order_id ?? '')
      : (world.transactions.byId(id) ?? world.payouts.get(id))
  if (row === undefined) {
    return snapReply(DETAIL, { status: 404, subcode: '01', message: 'Transaction Not Found' })
  }
  const line = shown(world, row)
  const additionalInfo = { ...fieldsAt(line, 'additionalInfo'), ...detailsOf(row) }
  const answer = { status: 200, message: 'Successful' }
  return snapReply(DETAIL, answer, { ...line, additionalInfo })
}

const timed = (name: string, at: number | undefined): Fields =>
  at === undefined ? {} : { [name]: snapTime(at) }

function detailsOf(row: Row): Fields {
  if (isPayout(row)) {
    const { requested_at, succeeded_at, failed_at, cancelled_at, updated_at } = row
    return {
      updatedTime: snapTime(updated_at),
      withdrawal: {
        bankName: 'Bank Mandiri',
        bankCode: '008',
        accountNo: '0700000000001',
        ...timed('requestedTime', requested_at),
        ...timed('successTime', succeeded_at),
        ...timed('failedTime', failed_at),
        ...timed('cancelledTime', cancelled_at),
      },
    }
  }
  return {
    updatedTime: snapTime(row.history.at(-1)?.at ?? row.created_at),
    refunds: row.refunds.map((refund) => ({
      id: refund.refund_chargeback_uuid,
      amount: money(refund.amount * 100),
      reason: refund.reason,
      ...timed('createdTime', refund.created_at),
      ...timed('bankConfirmedTime', refund.bank_confirmed_at),
    })),
  }
}
