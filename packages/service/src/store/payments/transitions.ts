import { BOOKED_COLUMNS, type Posting } from '../../domain/ledger.ts'
import { formatMoney } from '../../domain/money.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { GatewayTransition } from '../../domain/transition.ts'
import { codeOf, DIVISION_BY_ZERO } from '../connection/errors.ts'
import { doneOnCommit, type Tx } from '../connection/transaction.ts'
import type { NewEvent } from '../events/outbox.ts'
import { plainPosting, POSTING_TYPES, postedOn } from '../ledger/postings.ts'
import { parameterOf, plainToJson, toJson, type SqlValue } from '../sql/values.ts'
import { PAYMENT_COLUMNS } from './rows.ts'

/** Filled by the first report that carries them; a later one never overwrites (transitions.md). */
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
const CHANGED_COLUMNS = [
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
  ...BOOKED_COLUMNS,
] as const satisfies readonly (keyof GatewayPayment)[]

export type PaymentChange = Partial<Pick<GatewayPayment, (typeof CHANGED_COLUMNS)[number]>>

const CHANGE = `
  update gapura.gateway_payment as payment
  set (${CHANGED_COLUMNS.join(', ')}) = (
        select ${CHANGED_COLUMNS.map((column) => `changed.${column}`).join(', ')}
        -- A field that the change does not name keeps its value.
        from jsonb_populate_record(payment, $3::jsonb) as changed
      ),
      version = version + 1,
      updated_at = gapura.now()
  where id = $1
    and version = $2
  returning ${PAYMENT_COLUMNS}`

/**
 * Makes one transition: changes the named fields and raises the version by one. Undefined, and
 * nothing is changed, if the payment no longer has the version that the caller decided on.
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
    -- A report that brings nothing new writes nothing, which most of them do.
    and (
      ${DETAIL_COLUMNS.map((column) => `(payment.${column} is null and filled.${column} is not null)`).join('\n      or ')}
      or (payment.actions = '[]' and filled.actions <> '[]')
    )
  returning ${PAYMENT_COLUMNS.split(',')
    .map((column) => `payment.${column.trim()}`)
    .join(', ')}`

/**
 * Fills empty details; existing ones stay. May be repeated. The version stays: nothing that
 * decisions depend on has changed. A payment that lacked nothing is not written and not returned.
 * Each is named once.
 */
export const fillPaymentDetails = async (
  tx: Tx,
  fills: readonly { id: string; details: PaymentDetails }[],
): Promise<GatewayPayment[]> =>
  await tx.query<GatewayPayment>(FILL, [
    toJson(fills.map(({ id, details }) => ({ actions: [], ...details, id }))),
  ])

/** One transition of a payment: the row after it, its history entry, its event and its postings. */
export interface PaymentStep extends Pick<
  GatewayTransition,
  'from_status' | 'source' | 'evidence_id' | 'reason'
> {
  /** As read under its lock, with the changes and the next version. */
  after: GatewayPayment
  event: PaymentStepEvent | null
  postings: readonly Posting[]
}

export type PaymentStepEvent = Pick<
  NewEvent,
  'id' | 'type' | 'notification_id' | 'refund_id' | 'object'
>

type ChangedColumn = (typeof CHANGED_COLUMNS)[number]

/** Text, unless listed here. */
const CHANGED_TYPES: Partial<Record<ChangedColumn, string>> = {
  transaction_time: 'timestamptz',
  settlement_time: 'timestamptz',
  expiry_time: 'timestamptz',
  actions: 'jsonb',
  authorized_amount: 'numeric',
  captured_amount: 'numeric',
  booked_received: 'numeric',
  booked_refunded: 'numeric',
  booked_charged_back: 'numeric',
  paid_at: 'timestamptz',
  refused: 'boolean',
  next_check_at: 'timestamptz',
  check_attempts: 'integer',
  deferred_since: 'timestamptz',
}

/** The columns that the statement takes from the new row. */
const AFTER_TYPES: Readonly<Record<string, string>> = {
  id: 'uuid',
  version: 'integer',
  ...Object.fromEntries(CHANGED_COLUMNS.map((column) => [column, CHANGED_TYPES[column] ?? 'text'])),
}

/** The further fields of history, event and ledger. */
const LINE_TYPES: Readonly<Record<string, string>> = {
  from_status: 'text',
  source: 'text',
  evidence_id: 'uuid',
  reason: 'text',
  event_id: 'uuid',
  event_type: 'text',
  notification_id: 'uuid',
  refund_id: 'uuid',
  object: 'jsonb',
  postings: 'jsonb',
}

const listed = (types: Readonly<Record<string, string>>): string =>
  Object.entries(types)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')

// All in one statement: a transition without its history or its postings cannot be written. The event
// takes its sequence from the row's counter, as appendEvent does, in the update of the row.
const stepsFrom = (source: string, count: string): string => `
  with step as (
    ${source}
  ), changed as (
    update gapura.gateway_payment as payment
    set ${CHANGED_COLUMNS.map((column) => `${column} = step.${column}`).join(', ')},
        version = step.version,
        updated_at = $1,
        event_sequence = payment.event_sequence + (step.event_id is not null)::integer,
        event_xid = case
          when step.event_id is null then payment.event_xid
          else greatest(payment.event_xid, pg_current_xact_id())
        end
    from step
    where payment.id = step.id
      and payment.version = step.version - 1
    -- With what the history entries need: joining them again would be a nested loop.
    returning payment.owner_id, payment.event_sequence, payment.event_xid, step.id, step.version,
      step.transaction_status, ${Object.keys(LINE_TYPES)
        .map((name) => `step.${name}`)
        .join(', ')}
  ), recorded as (
    insert into gapura.gateway_transition
      (object_kind, object_id, owner_id, version, from_status, to_status, source, evidence_id,
       reason, occurred_at)
    select 'payment', id, owner_id, version, from_status, transaction_status, source, evidence_id,
      reason, $1
    from changed
  ), emitted as (
    insert into gapura.gateway_event
      (object_kind, object_id, owner_id, sequence, xid, id, type, object, previous_status, source,
       notification_id, refund_id, object_version, occurred_at)
    select 'payment', id, owner_id, event_sequence, event_xid, event_id, event_type, object,
      from_status, source, notification_id, refund_id, version, $1
    from changed
    where event_id is not null
  ), posted as (
    insert into gapura.ledger_posting
      (object_kind, object_id, payment_id, version, kind, source, destination, amount, occurred_at,
       booked_at, booked_on)
    select 'payment', id, id, version, posting.kind, posting.source, posting.destination,
      posting.amount, posting.occurred_at, $1, ${postedOn('posting.occurred_at')}
    from changed
    cross join lateral jsonb_to_recordset(changed.postings)
      as posting(${listed(POSTING_TYPES)})
    where changed.postings is not null
  )
  -- An error if a payment has another version, so that nothing of it can be committed.
  select 1 / (count(*) = ${count})::integer as whole
  from changed`

// Read from JSON, a transition costs half as much again as with a parameter for each value; but
// with parameters there would be as many statements as batch sizes.
const ONE_STEP = stepsFrom(
  `select ${Object.entries({ ...AFTER_TYPES, ...LINE_TYPES })
    .map(([name, type], at) => `$${at + 2}::${type} as ${name}`)
    .join(', ')}`,
  '1',
)
const MANY_STEPS = stepsFrom(
  `select *
    from jsonb_to_recordset($2::jsonb)
      as line(object_kind text, ${listed(LINE_TYPES)}, ${listed(AFTER_TYPES)})
    -- All are payments. The condition makes the planner expect one row instead of a hundred, and so
    -- use the key: without statistics of a new table it would keep a plan that reads all of it.
    where object_kind = 'payment'`,
  '$3::integer',
)

/** The further fields of a transition, by the names of LINE_TYPES. */
function lineOf({ event, from_status, source, evidence_id, reason, ...step }: PaymentStep) {
  const { id: event_id = null, type: event_type = null, notification_id = null } = event ?? {}
  const { refund_id = null, object = null } = event ?? {}
  const emitted = { event_id, event_type, notification_id, refund_id, object }
  const postings = step.postings.length === 0 ? null : step.postings.map(plainPosting)
  return { from_status, source, evidence_id, reason, ...emitted, postings }
}

/**
 * The same and the columns of the new row that the statement takes, as one line of a batch. Plain:
 * an event shows its object as HTTP does, with every amount and time as text.
 */
function batchLineOf(step: PaymentStep): Readonly<Record<string, unknown>> {
  const line: Record<string, unknown> = { object_kind: 'payment', ...lineOf(step) }
  for (const column of ['id', 'version', ...CHANGED_COLUMNS] as const)
    line[column] = plainOf(step.after[column])
  return line
}

/** JSON's own conversion of a time costs four times as much. */
function plainOf(value: unknown): unknown {
  if (typeof value === 'bigint') return formatMoney(value)
  return value instanceof Date ? value.toISOString() : value
}

function valuesOf(step: PaymentStep): SqlValue[] {
  const values: Readonly<Record<string, SqlValue | object>> = { ...step.after, ...lineOf(step) }
  return [...Object.keys(AFTER_TYPES), ...Object.keys(LINE_TYPES)].map((name) =>
    parameterOf(values[name] ?? null),
  )
}

/**
 * Makes the transitions, each of another payment, all locked by the caller. Throws if one of them
 * no longer has the version it was decided on, which cannot happen under its lock.
 */
export async function stepPayments(
  tx: Tx,
  steps: readonly PaymentStep[],
  now: Date,
): Promise<void> {
  const [first, second] = steps
  const sent =
    first !== undefined && second === undefined
      ? tx.query(ONE_STEP, [now, ...valuesOf(first)])
      : tx.query(MANY_STEPS, [now, plainToJson(steps.map(batchLineOf)), steps.length])
  for (const { from_status: from, after } of steps)
    doneOnCommit({ kind: 'step', object_kind: 'payment', from, to: after.transaction_status })
  try {
    await sent
  } catch (error) {
    if (codeOf(error) !== DIVISION_BY_ZERO) throw error
    const ids = steps.map(({ after }) => after.id).join(', ')
    throw new Error(`one of these payments changed while it was locked: ${ids}`, { cause: error })
  }
}
