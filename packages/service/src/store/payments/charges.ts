import type { Intent } from '../../domain/intent.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { GatewayPayment, GatewayPaymentItem } from '../../domain/payment.ts'
import type { NewOperation } from '../operations/rows.ts'
import { ITEM_COLUMNS, NEW_PAYMENT_COLUMNS, type NewPayment, type NewPaymentItem } from './rows.ts'
import { parameterOf, storableText, toJson } from '../sql/values.ts'
import { codeOf, DIVISION_BY_ZERO } from '../connection/errors.ts'
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

/** Text, unless listed here. */
const TYPES: Readonly<Record<string, string>> = {
  id: 'uuid',
  gross_amount: 'numeric',
  metadata: 'jsonb',
  subscription_id: 'uuid',
  invoice_id: 'uuid',
  items: 'jsonb',
  operation_id: 'uuid',
  request: 'jsonb',
  due_in_ms: 'double precision',
}

/** What the statement takes of a charge, in the order of its parameters. */
const CHARGE_COLUMNS = [
  ...NEW_PAYMENT_COLUMNS,
  'items',
  'operation_id',
  'request',
  'due_in_ms',
  'intent_owner',
  'intent_key',
  'intent_fingerprint',
] as const

const typeOf = (column: string): string => TYPES[column] ?? 'text'
const listed = (columns: readonly string[], of: string): string =>
  columns.map((column) => `${of}.${column}`).join(', ')

// The order of a page is not charged directly: its payments belong to the page.
const notOfCheckout = (charge: string): string => `(
      select true
      from gapura.gateway_checkout as page
      where page.order_id = ${charge}.order_id
        and page.status <> 'failure'
    ) is null`

// Five rows of each charge in one statement, because nothing is read between them: each round trip
// costs both sides more than its insert. All of them carry one time: our clock is read once. The
// operation comes first, because it alone decides whether the intent is new.
const insertFrom = (source: string): string => `
  with clock as materialized (
    select gapura.now() as now
  ), charge as materialized (
    ${source}
  ), operation as (
    insert into gapura.gateway_operation
      (id, owner_id, kind, subject_kind, subject_id, request, due_at, sent_at, created_at,
       updated_at, intent_owner, intent_key, intent_fingerprint)
    select operation_id, owner_id, 'charge', 'payment', id, request,
      now + make_interval(secs => due_in_ms / 1000), now, now, now, intent_owner, intent_key,
      intent_fingerprint
    from charge
    cross join clock
    on conflict do nothing
    returning subject_id as id, created_at as now, due_at
  ), payment as (
    insert into gapura.gateway_payment
      (${NEW_PAYMENT_COLUMNS.join(', ')}, created_at, updated_at)
    select ${listed(NEW_PAYMENT_COLUMNS, 'charge')}, now, now
    from operation
    join charge using (id)
    where ${notOfCheckout('charge')}
    on conflict do nothing
    returning id, owner_id, version, transaction_status, metadata, created_at
  ), item as (
    insert into gapura.gateway_payment_item (${ITEM_COLUMNS})
    select ${listed(
      ITEM_COLUMNS.split(',').map((column) => column.trim()),
      'item',
    )}
    from payment
    join charge using (id)
    cross join lateral jsonb_populate_recordset(
      null::gapura.gateway_payment_item, charge.items
    ) as item
  ), step as (
    insert into gapura.gateway_transition
      (object_kind, object_id, owner_id, version, to_status, source, occurred_at)
    select 'payment', id, owner_id, version, transaction_status, 'charge', created_at
    from payment
  )
  -- An error if a payment is missing, because its operation must not be committed without it.
  select operation.id, payment.metadata, payment.created_at, operation.due_at,
    1 / (payment.id is not null)::integer as whole
  from operation
  left join payment using (id)`

const INSERT_ONE = insertFrom(
  `select ${CHARGE_COLUMNS.map((column, at) => `$${at + 1}::${typeOf(column)} as ${column}`).join(', ')}`,
)

// A charge whose order id or intent is known is left out: what it means is decided alone. Scalar
// subqueries, because a join could read a whole table that is new to the planner.
const INSERT_MANY = insertFrom(
  `select line.*
    from jsonb_to_recordset($1::jsonb) as line(
      ${CHARGE_COLUMNS.map((column) => `${column} ${typeOf(column)}`).join(', ')}
    )
    where (
        select true
        from gapura.gateway_operation as known
        where known.intent_owner = line.intent_owner
          and known.intent_key = line.intent_key
      ) is null
      and (
        select true
        from gapura.gateway_payment as known
        where known.order_id = line.order_id
          and not known.refused
      ) is null
      and ${notOfCheckout('line')}`,
)

/** What the database gave a charge. */
interface Inserted extends Pick<GatewayPayment, 'id' | 'metadata' | 'created_at'> {
  due_at: Date
}

/** Another payment that was not refused has the order id. The transaction is aborted. */
export class OrderTaken extends Error {}

/** Throws what the failed check of the statement means. */
function throwTaken(error: unknown): never {
  throw codeOf(error) === DIVISION_BY_ZERO ? new OrderTaken() : error
}

const lineOf = ({ payment, items, operation, intent, due_in_ms }: NewCharge) => ({
  ...payment,
  items: keptItems(payment, items),
  operation_id: operation.id,
  request: operation.request,
  due_in_ms,
  intent_owner: intent?.owner_id ?? null,
  intent_key: intent?.key ?? null,
  intent_fingerprint: intent?.fingerprint ?? null,
})

/**
 * Stores several charges, each as insertCharge does, and returns them by the ids of their payments.
 * One whose order id or intent is known is not written and not returned. Throws OrderTaken, and
 * aborts the transaction, if an order id is taken in this moment.
 */
export async function insertCharges(
  tx: Tx,
  charges: readonly NewCharge[],
): Promise<ReadonlyMap<string, InsertedCharge>> {
  const lines = toJson(charges.map(lineOf))
  const rows = await tx.query<Inserted>(INSERT_MANY, [lines], WHOLE).catch(throwTaken)
  const stored = new Map(rows.map((row) => [row.id, row]))
  const inserted = new Map<string, InsertedCharge>()
  for (const charge of charges) {
    const row = stored.get(charge.payment.id)
    if (row !== undefined) inserted.set(charge.payment.id, insertedAs(charge, row))
  }
  return inserted
}

/** The charge as its rows are, without reading them back. */
function insertedAs(
  { payment, items, operation }: NewCharge,
  { metadata, created_at, due_at }: Inserted,
): InsertedCharge {
  const stored = {
    ...keptTexts(payment),
    ...INITIATED,
    metadata,
    created_at,
    updated_at: created_at,
  }
  const { transaction_status: to } = stored
  doneOnCommit({ kind: 'step', object_kind: 'payment', from: null, to })
  return {
    payment: stored,
    items: keptItems(payment, items),
    operation: { ...operation, ...STARTED, ...startedWith(stored), due_at },
  }
}

const keptItems = ({ id: payment_id, owner_id }: NewPayment, items: readonly NewPaymentItem[]) =>
  items.map((item, position) => keptTexts({ ...item, payment_id, owner_id, position }))

/**
 * Stores a charge: the operation with its intent, `started`, attempt 1; the payment as `initiated`,
 * version 1; its items in the given order and its first transition. It must be committed before
 * anything is sent. If another operation carries the intent, nothing is written. If another payment that was not refused has the order id, it throws OrderTaken. Of
 * several concurrent calls with one intent or one order id exactly one is written: the
 * others wait until it has committed or rolled back.
 */
export async function insertCharge(
  tx: Tx,
  charge: NewCharge,
): Promise<InsertedCharge | 'intent_taken'> {
  const line = lineOf(charge)
  const values = CHARGE_COLUMNS.map((column) => parameterOf(line[column]))
  const [row] = await tx.query<Inserted>(INSERT_ONE, values, WHOLE).catch(throwTaken)
  return row === undefined ? 'intent_taken' : insertedAs(charge, row)
}

// Committed alone it is a charge that is never sent, as if the process had died: the resolver ends
// it.
const WHOLE = { whole: true }

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
  booked_received: 0n,
  booked_refunded: 0n,
  booked_charged_back: 0n,
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
  checkout_id: null,
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
