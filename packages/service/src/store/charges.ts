import type { GatewayOperation } from '../domain/operation.ts'
import type { GatewayPayment, GatewayPaymentItem } from '../domain/payment.ts'
import type { NewOperation } from './operations.ts'
import {
  ITEM_COLUMNS,
  NEW_PAYMENT_COLUMNS,
  PAYMENT_COLUMNS,
  type NewPayment,
  type NewPaymentItem,
} from './payments.ts'
import { storableText, toJson } from './sql_values.ts'
import { doneOnCommit, type Tx } from './transaction.ts'

/** A payment with its items, and the call that is about to be made for it. */
export interface NewCharge {
  payment: NewPayment
  items: readonly NewPaymentItem[]
  operation: Pick<NewOperation, 'id' | 'request'>
  /** When somebody looks what became of the call. */
  due_in_ms: number
}

/** A charge as it is on disk. */
export interface InsertedCharge {
  payment: GatewayPayment
  items: readonly GatewayPaymentItem[]
  operation: GatewayOperation
}

const AFTER_PAYMENT = NEW_PAYMENT_COLUMNS.length

// Four rows in one statement, because nothing is read between them: each round trip costs both
// sides more than its insert. All of them carry the time of the payment.
const INSERT = `
  with payment as (
    insert into gapura.gateway_payment (${NEW_PAYMENT_COLUMNS.join(', ')})
    values (${NEW_PAYMENT_COLUMNS.map((_, at) => `$${at + 1}`).join(', ')})
    on conflict do nothing
    returning ${PAYMENT_COLUMNS}
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
  ), operation as (
    insert into gapura.gateway_operation
      (id, owner_id, kind, subject_kind, subject_id, request, due_at, sent_at, created_at,
       updated_at)
    select $${AFTER_PAYMENT + 2}::uuid, owner_id, 'charge', 'payment', id,
      $${AFTER_PAYMENT + 3}::jsonb,
      created_at + make_interval(secs => $${AFTER_PAYMENT + 4}::double precision / 1000),
      created_at, created_at, created_at
    from payment
    returning due_at
  )
  select payment.*, operation.due_at
  from payment
  cross join operation`

/**
 * Writes a charge down: the payment as `initiated`, version 1, its items in the order given, its
 * first step and the operation, `started`, attempt 1. It must be committed before anything is
 * sent. Nothing is written, and nothing returned, if another payment that was not refused has its
 * order id.
 */
export async function insertCharge(
  tx: Tx,
  { payment, items, operation, due_in_ms }: NewCharge,
): Promise<InsertedCharge | undefined> {
  const { id: payment_id, owner_id } = payment
  const kept = items.map((item, position) => keptItem({ ...item, payment_id, owner_id, position }))
  const [row] = await tx.query<GatewayPayment & { due_at: Date }>(INSERT, [
    ...NEW_PAYMENT_COLUMNS.map((column) =>
      column === 'metadata' ? toJson(payment.metadata) : payment[column],
    ),
    toJson(kept),
    operation.id,
    toJson(operation.request),
    due_in_ms,
  ])
  if (row === undefined) return undefined
  const { due_at, ...inserted } = row
  doneOnCommit({
    kind: 'step',
    object_kind: 'payment',
    from: null,
    to: inserted.transaction_status,
  })
  return {
    payment: inserted,
    items: kept,
    operation: { ...operation, ...STARTED, ...startedWith(inserted), due_at },
  }
}

/** What the table gives an operation that is not told otherwise. */
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

/** As the database keeps it: what its text cannot hold is replaced, here as in every parameter. */
const keptItem = (item: GatewayPaymentItem): GatewayPaymentItem => ({
  ...item,
  item_id: keptText(item.item_id),
  name: keptText(item.name),
  brand: keptText(item.brand),
  category: keptText(item.category),
  merchant_name: keptText(item.merchant_name),
  url: keptText(item.url),
})

const keptText = <Text extends string | null>(text: Text) =>
  text === null ? text : storableText(text)
