import type { GatewayPayment } from '../domain/payment.ts'
import { PAYMENT_COLUMNS } from './payments.ts'
import { toJson } from './sql_values.ts'
import type { Tx } from './transaction.ts'

/** Filled by whichever report first carries them; a later one never overwrites (transitions.md). */
const DETAIL_COLUMNS = [
  'transaction_id',
  'bank',
  'store',
  'acquirer',
  'issuer',
  'masked_card',
  'va_number',
  'bill_key',
  'biller_code',
  'payment_code',
  'redirect_url',
  'deeplink_url',
  'qr_string',
  'transaction_time',
  'settlement_time',
  'expiry_time',
] as const satisfies readonly (keyof GatewayPayment)[]

export type PaymentDetails = Partial<
  Pick<GatewayPayment, (typeof DETAIL_COLUMNS)[number] | 'actions'>
>

/** What a transition may change. Refund amounts have functions of their own. */
export const CHANGED_COLUMNS = [
  ...DETAIL_COLUMNS,
  'actions',
  'transaction_status',
  'fraud_status',
  'status_code',
  'status_message',
  'authorized_amount',
  'captured_amount',
  'paid_at',
  'refused',
  'next_check_at',
  'check_attempts',
  'deferred_since',
] as const satisfies readonly (keyof GatewayPayment)[]

export type PaymentChange = Partial<Pick<GatewayPayment, (typeof CHANGED_COLUMNS)[number]>>

const CHANGE = `
  update gapura.gateway_payment as payment
  set (${CHANGED_COLUMNS.join(', ')}) = (
        select ${CHANGED_COLUMNS.map((column) => `changed.${column}`).join(', ')}
        -- What the change does not name keeps the row's own value.
        from jsonb_populate_record(payment, $3::jsonb) as changed
      ),
      version = version + 1,
      updated_at = gapura.now()
  where id = $1
    and version = $2
  returning ${PAYMENT_COLUMNS}`

/**
 * Makes one step: changes the named properties and raises the version by one. Changes nothing, and
 * returns nothing, if the payment is no longer at the version the caller decided upon.
 */
export async function changePayment(
  tx: Tx,
  { id, version }: Pick<GatewayPayment, 'id' | 'version'>,
  change: PaymentChange,
): Promise<GatewayPayment | undefined> {
  const [changed] = await tx.query<GatewayPayment>(CHANGE, [id, version, toJson(change)])
  return changed
}

const FILL = `
  update gapura.gateway_payment as payment
  set ${DETAIL_COLUMNS.map((column) => `${column} = coalesce(payment.${column}, filled.${column})`).join(',\n      ')},
      actions = case when payment.actions = '[]' then filled.actions else payment.actions end,
      updated_at = gapura.now()
  from jsonb_populate_recordset(null::gapura.gateway_payment, $1::jsonb) as filled
  where payment.id = filled.id
    -- A report that brings nothing new writes nothing: most of them do not.
    and (
      ${DETAIL_COLUMNS.map((column) => `(payment.${column} is null and filled.${column} is not null)`).join('\n      or ')}
      or (payment.actions = '[]' and filled.actions <> '[]')
    )
  returning ${PAYMENT_COLUMNS.split(',')
    .map((column) => `payment.${column.trim()}`)
    .join(', ')}`

/**
 * Fills details that are still empty; what is there stays. May repeat. The version does not
 * change: nothing anybody decides upon has. A payment that lacked nothing is not written, and not
 * among those returned. Each is named once.
 */
export const fillPaymentDetails = async (
  tx: Tx,
  fills: readonly { id: string; details: PaymentDetails }[],
): Promise<GatewayPayment[]> =>
  await tx.query<GatewayPayment>(FILL, [
    toJson(fills.map(({ id, details }) => ({ actions: [], ...details, id }))),
  ])
