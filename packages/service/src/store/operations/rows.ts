import type { Intent } from '../../domain/intent.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import { codeOf, DIVISION_BY_ZERO } from '../connection/errors.ts'
import type { Tx } from '../connection/transaction.ts'
import { conditionsOf, pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'
import { toJson } from '../sql/values.ts'

export const OPERATION_COLUMNS = `
  id, owner_id, kind, subject_kind, subject_id, refund_id, request, reply, state, attempt, due_at,
  sent_at, sends, created_at, updated_at`

export type NewOperation = Pick<
  GatewayOperation,
  'id' | 'owner_id' | 'kind' | 'subject_kind' | 'subject_id' | 'refund_id' | 'request'
>

const NEW_COLUMNS = `id, owner_id, kind, subject_kind, subject_id, refund_id, request, intent_owner,
  intent_key, intent_fingerprint`

/**
 * Stores that a call is about to be made: `started`, attempt 1, due after the given time. It must
 * be committed before anything is sent. Undefined if another operation on the same object is open,
 * except refunds, or if another operation carries the intent. Of several concurrent calls with one
 * intent exactly one is stored: the others wait until it has committed or rolled back.
 */
export async function insertOperation(
  tx: Tx,
  operation: NewOperation,
  due_in_ms: number,
  intent: Intent | null = null,
): Promise<GatewayOperation | undefined> {
  const carried = intent && {
    intent_owner: intent.owner_id,
    intent_key: intent.key,
    intent_fingerprint: intent.fingerprint,
  }
  const [inserted] = await tx.query<GatewayOperation>(
    `insert into gapura.gateway_operation (${NEW_COLUMNS}, due_at)
     select ${NEW_COLUMNS}, gapura.now() + make_interval(secs => $2::double precision / 1000)
     from jsonb_populate_record(null::gapura.gateway_operation, $1)
     -- Two indexes may refuse: one open operation per object, and one operation per intent.
     on conflict do nothing
     returning ${OPERATION_COLUMNS}`,
    [toJson({ ...operation, ...carried }), due_in_ms],
  )
  return inserted
}

export async function findOperation(tx: Tx, id: string): Promise<GatewayOperation | undefined> {
  const [operation] = await tx.query<GatewayOperation>(
    `select ${OPERATION_COLUMNS}
     from gapura.gateway_operation
     where id = $1`,
    [id],
  )
  return operation
}

/** The open operations of an object: at most one, and any number of refunds. Oldest first. */
export const listOpenOperations = async (tx: Tx, subject_id: string): Promise<GatewayOperation[]> =>
  await tx.query<GatewayOperation>(
    `select ${OPERATION_COLUMNS}
     from gapura.gateway_operation
     where subject_id = $1
       and state in ('started', 'unknown')
     order by created_at, id`,
    [subject_id],
  )

/** An operation as the process that works on it knows it. */
type Attempt = Pick<GatewayOperation, 'id' | 'attempt'>

type Outcome = Pick<GatewayOperation, 'reply'> & { state: 'succeeded' | 'refused' }

/**
 * Ends an open operation. Undefined, and nothing is changed, if another attempt has begun or it has
 * ended: the answer of a process that was paused is dropped.
 */
export async function finishOperation(
  tx: Tx,
  { id, attempt }: Attempt,
  { state, reply }: Outcome,
  /** The database's clock, if it was read already. */
  now: Date | null = null,
): Promise<GatewayOperation | undefined> {
  const [finished] = await tx.query<GatewayOperation>(
    `update gapura.gateway_operation
     set state = $3,
         reply = $4,
         due_at = null,
         updated_at = coalesce($5::timestamptz, gapura.now())
     where id = $1
       and attempt = $2
       and state in ('started', 'unknown')
     returning ${OPERATION_COLUMNS}`,
    [id, attempt, state, reply === null ? null : toJson(reply), now],
  )
  return finished
}

/** The attempt is no longer the latest: nothing that was written for it may be committed. */
export class AttemptFenced extends Error {}

function throwFenced(error: unknown): never {
  throw codeOf(error) === DIVISION_BY_ZERO ? new AttemptFenced() : error
}

// An error if one was not ended, so that a commit sent with it is a rollback.
const finishFrom = (lines: string, count: string): string => `
  with finished as (
    update gapura.gateway_operation as operation
    set state = 'succeeded',
        reply = line.reply,
        due_at = null,
        updated_at = $1
    from ${lines}
    where operation.id = line.id
      and operation.attempt = line.attempt
      and operation.state in ('started', 'unknown')
    returning operation.id
  )
  select 1 / (count(*) = ${count})::integer as whole
  from finished`

const FINISH_ONE = finishFrom(
  '(values ($2::uuid, $3::integer, $4::jsonb)) as line (id, attempt, reply)',
  '1',
)
const FINISH_MANY = finishFrom(
  // All are `one`. The condition makes the planner expect few rows, and so use the key.
  `(
      select id, attempt, reply
      from jsonb_to_recordset($2::jsonb) as line(id uuid, attempt integer, reply jsonb, one boolean)
      where one
    ) as line`,
  '$3::integer',
)

type Succeeded = Attempt & { reply: Readonly<Record<string, unknown>> }

/** Ends operations that succeeded. Throws AttemptFenced, and aborts the transaction, unless all do. */
export async function finishOperations(
  tx: Tx,
  finished: readonly Succeeded[],
  now: Date,
): Promise<void> {
  const [first, second] = finished
  const sent =
    first !== undefined && second === undefined
      ? tx.query(FINISH_ONE, [now, first.id, first.attempt, toJson(first.reply)])
      : tx.query(FINISH_MANY, [
          now,
          toJson(finished.map(({ id, attempt, reply }) => ({ id, attempt, reply, one: true }))),
          finished.length,
        ])
  await sent.catch(throwFenced)
}

/**
 * Ends an open operation whichever process works on it: for a result that counts for every attempt,
 * because the gateway showed what was made. Undefined if it has ended.
 */
export async function endOperation(
  tx: Tx,
  id: string,
  { state, reply }: Outcome,
): Promise<GatewayOperation | undefined> {
  const [ended] = await tx.query<GatewayOperation>(
    `update gapura.gateway_operation
     set state = $2,
         reply = $3,
         due_at = null,
         updated_at = gapura.now()
     where id = $1
       and state in ('started', 'unknown')
     returning ${OPERATION_COLUMNS}`,
    [id, state, reply === null ? null : toJson(reply)],
  )
  return ended
}

/** No clear answer: the resolver acts after this time. Fenced as finishOperation is. */
export async function markOperationUnknown(
  tx: Tx,
  { id, attempt }: Attempt,
  due_in_ms: number,
): Promise<GatewayOperation | undefined> {
  const [marked] = await tx.query<GatewayOperation>(
    `update gapura.gateway_operation
     set state = 'unknown',
         due_at = gapura.now() + make_interval(secs => $3::double precision / 1000),
         updated_at = gapura.now()
     where id = $1
       and attempt = $2
       and state in ('started', 'unknown')
     returning ${OPERATION_COLUMNS}`,
    [id, attempt, due_in_ms],
  )
  return marked
}

/** New information about the object arrived: its unclear operations are due now. */
export async function hurryOperations(tx: Tx, subject_id: string): Promise<void> {
  await tx.query(
    `update gapura.gateway_operation
     set due_at = least(due_at, gapura.now()),
         updated_at = gapura.now()
     where subject_id = $1
       and state = 'unknown'`,
    [subject_id],
  )
}

/** The operations that are still open, or all about one object. */
export type OperationFilters = { open: true } | { subject_id: string }

const FILTERS = [['subject_id', 'subject_id = ?']] as const
const OPEN = `(
  select ${OPERATION_COLUMNS}
  from gapura.gateway_operation
  -- Few at any time, and the resolver's index has them all.
  where state in ('started', 'unknown')
) as operation`

/** A page of operations, newest first. For staff: not filtered by owner. */
export async function listOperations(
  tx: Tx,
  filters: OperationFilters,
  request: PageRequest,
): Promise<Page<GatewayOperation>> {
  const source =
    'open' in filters
      ? { table: OPEN, columns: OPERATION_COLUMNS, conditions: [] }
      : {
          table: 'gapura.gateway_operation',
          columns: OPERATION_COLUMNS,
          conditions: conditionsOf(FILTERS, filters),
        }
  const { text, values } = pageStatement(source, request)
  return pageOf(await tx.query<GatewayOperation>(text, values, { prepare: false }), request)
}
