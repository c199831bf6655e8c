import type { Intent } from '../../domain/intent.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { GatewayPayment, GatewayPaymentItem } from '../../domain/payment.ts'
import type { NewOperation } from '../operations/rows.ts'
import { ITEM_COLUMNS, NEW_PAYMENT_COLUMNS, type NewPayment, type NewPaymentItem } from './rows.ts'
import { storableText, toJson } from '../sql/values.ts'
import { doneOnCommit, type Tx } from '../connection/transaction.ts'

/** A payment with its items, and the call that is about to be made for it. */
export interface NewCharge {
  payment: NewPayment
  items: readonly NewPaymentItem[]
  operation: Pick<NewOperation, 'id' | 'request'>
  /** The caller's intent, if the request has an identity. */
  intent: Intent | null
  /** When the resolver checks the outcome of the call. */
  due_in_ms: number
}

/** A charge as it is stored. */
export interface InsertedCharge {
  payment: GatewayPayment
  items: readonly GatewayPaymentItem[]
  operation: GatewayOperation
}

const AFTER_PAYMENT = NEW_PAYMENT_COLUMNS.length
const at = (column: (typeof NEW_PAYMENT_COLUMNS)[number]): string =>
  `$${NEW_PAYMENT_COLUMNS.indexOf(column) + 1}`
const PARAMETERS = NEW_PAYMENT_COLUMNS.map(at).join(', ')

// Five rows in one statement, because nothing is read between them: each round trip costs both
// sides more than its insert. All of them carry one time: our clock is read once. The operation
// comes first, because it alone decides whether the intent is new.
const INSERT = `
  with clock as (
    select gapura.now() as now
  ), operation as (
    insert into gapura.gateway_operation
      (id, owner_id, kind, subject_kind, subject_id, request, due_at, sent_at, created_at,
       updated_at, intent_owner, intent_key, intent_fingerprint)
    select $${AFTER_PAYMENT + 2}::uuid, ${at('owner_id')}, 'charge', 'payment', ${at('id')},
      $${AFTER_PAYMENT + 3}::jsonb,
      now + make_interval(secs => $${AFTER_PAYMENT + 4}::double precision / 1000),
      now, now, now, $${AFTER_PAYMENT + 5}, $${AFTER_PAYMENT + 6}, $${AFTER_PAYMENT + 7}
    from clock
    on conflict do nothing
    returning created_at as now, due_at
  ), payment as (
    insert into gapura.gateway_payment
      (${NEW_PAYMENT_COLUMNS.join(', ')}, created_at, updated_at)
    select ${PARAMETERS}, now, now
    from operation
    on conflict do nothing
    returning id, owner_id, version, transaction_status, metadata, created_at
  ), item as (
    insert into gapura.gateway_payment_item (${ITEM_COLUMNS})
    select ${ITEM_COLUMNS.split(',')
      .map((column) => `item.${column.trim()}`)
      .join(', ')}
    from payment
    cross join jsonb_populate_recordset(
      null::gapura.gateway_payment_item, $${AFTER_PAYMENT + 1}::jsonb
    ) as item
  ), step as (
    insert into gapura.gateway_transition
      (object_kind, object_id, owner_id, version, to_status, source, occurred_at)
    select 'payment', id, owner_id, version, transaction_status, 'charge', created_at
    from payment
  )
  select payment.metadata, payment.created_at, operation.due_at
  from operation
  left join payment on true`

/** Null if only the operation was written. */
interface Inserted extends Pick<GatewayPayment, 'metadata'> {
  created_at: Date | null
  due_at: Date
}

/**
 * Stores a charge: the operation with its intent, `started`, attempt 1; the payment as `initiated`,
 * version 1; its items in the given order and its first transition. It must be committed before
 * anything is sent. If another operation carries the intent, nothing is written. If another payment
 * that was not refused has the order id, only the operation is written, and the caller must roll
 * back. Of several concurrent calls with one intent or one order id exactly one is written: the
 * others wait until it has committed or rolled back.
 */
export async function insertCharge(
  tx: Tx,
  { payment, items, operation, intent, due_in_ms }: NewCharge,
): Promise<InsertedCharge | 'intent_taken' | 'order_taken'> {
  const { id: payment_id, owner_id } = payment
  const kept = items.map((item, position) => keptTexts({ ...item, payment_id, owner_id, position }))
  const [row] = await tx.query<Inserted>(
    INSERT,
    [
      ...NEW_PAYMENT_COLUMNS.map((column) =>
        column === 'metadata' ? toJson(payment.metadata) : payment[column],
      ),
      toJson(kept),
      operation.id,
      toJson(operation.request),
      due_in_ms,
      intent?.owner_id ?? null,
      intent?.key ?? null,
      intent?.fingerprint ?? null,
    ],
    // Committed alone it is a charge that is never sent, as if the process had died: the resolver
    // ends it. If the order id is taken it is an operation without a payment, which the resolver
    // ends too.
    { whole: true },
  )
  if (row === undefined) return 'intent_taken'
  const { metadata, created_at, due_at } = row
  if (created_at === null) return 'order_taken'
  const inserted = {
    ...keptTexts(payment),
    ...INITIATED,
    metadata,
    created_at,
    updated_at: created_at,
  }
  const { transaction_status: to } = inserted
  doneOnCommit({ kind: 'step', object_kind: 'payment', from: null, to })
  return {
    payment: inserted,
    items: kept,
    operation: { ...operation, ...STARTED, ...startedWith(inserted), due_at },
  }
}

/** The table's defaults of a payment: reading fifty columns back would be expensive. */
const INITIATED = {
  refused: false,
  issuer: null,
  masked_card: null,
  transaction_status: 'initiated',
  fraud_status: null,
  status_code: null,
  status_message: null,
  authorized_amount: 0n,
  captured_amount: 0n,
  refunded_amount: 0n,
  refund_reserved_amount: 0n,
  va_number: null,
  bill_key: null,
  biller_code: null,
  payment_code: null,
  redirect_url: null,
  deeplink_url: null,
  qr_string: null,
  actions: [],
  transaction_time: null,
  settlement_time: null,
  expiry_time: null,
  paid_at: null,
  version: 1,
  next_check_at: null,
  check_attempts: 0,
  deferred_since: null,
} as const satisfies Omit<GatewayPayment, keyof NewPayment | 'created_at' | 'updated_at'>

/** The table's defaults of an operation. */
const STARTED = {
  kind: 'charge',
  subject_kind: 'payment',
  refund_id: null,
  reply: null,
  state: 'started',
  attempt: 1,
  sends: 1,
} as const

const startedWith = ({ id: subject_id, owner_id, created_at }: GatewayPayment) => ({
  subject_id,
  owner_id,
  created_at,
  sent_at: created_at,
  updated_at: created_at,
})

/**
 * As the database stores it: characters that its text cannot hold are replaced, as in every
 * parameter.
 */
function keptTexts<Row extends object>(row: Row): Row {
  const kept: Row = { ...row }
  for (const column in kept) {
    const value = kept[column]
    if (typeof value === 'string') Object.assign(kept, { [column]: storableText(value) })
  }
  return kept
}
