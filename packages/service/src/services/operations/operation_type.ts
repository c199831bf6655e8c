// What every kind of operation gives the engine. An operation is a call that changes something at
// the gateway; payments, invoices and subscriptions each have a table of their kinds.
import type { AlarmKind } from '../../domain/alarm.ts'
import type { Caller } from '../../domain/caller.ts'
import type { ErrorCode } from '../../domain/error_catalogue.ts'
import { GatewayError } from '../../domain/errors.ts'
import type { GatewayOperation, OperationKind } from '../../domain/operation.ts'
import type { ObjectKind, Source } from '../../domain/signals.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import type { Reply, Request } from '../requests.ts'

/** What every object that an operation changes has. */
export interface OperationSubject {
  id: string
  owner_id: string
  version: number
  /** Only for a payment: since when a report waits for the gateway's own answer. */
  deferred_since?: Date | null
}

/** How operations reach one kind of object. */
export interface ObjectAccess<Subject extends OperationSubject> {
  subject_kind: ObjectKind
  /** Undefined if it is missing or belongs to another owner (ADR 0020). */
  find(tx: Tx, caller: Caller, id: string): Promise<Subject | undefined>
  /** For work without a caller. Takes no lock. */
  findById(tx: Tx, id: string): Promise<Subject | undefined>
  lock(tx: Tx, id: string): Promise<Subject | undefined>
  /** The full form, as replies have it (api-rules.md#replies). */
  represent(tx: Tx, subject: Subject): Promise<object>
}

/** Locks an object that must exist: objects are never deleted. */
export async function lockExisting<Subject extends OperationSubject>(
  tx: Tx,
  access: Pick<ObjectAccess<Subject>, 'subject_kind' | 'lock'>,
  id: string,
): Promise<Subject> {
  const subject = await access.lock(tx, id)
  if (subject === undefined) throw new Error(`${access.subject_kind} ${id} does not exist`)
  return subject
}

/** The staff member who ended an operation, and why. Stored on the operation and in the history. */
export interface StaffDecision {
  resolved_by: string
  reason: string
}

/** The reason of a transition that a staff member caused. */
export const reasonOf = (by: StaffDecision | undefined): { reason?: string } =>
  by === undefined ? {} : { reason: `by ${by.resolved_by}: ${by.reason}` }

/** One attempt at an operation. Only the latest attempt may record an outcome. */
export interface Attempt<Subject extends OperationSubject = OperationSubject, Input = unknown> {
  operation: GatewayOperation
  /** The object as it was before the gateway was asked. */
  subject: Subject
  source: Source
  /** The request that waits for the outcome, if one does. */
  request: Request | null
  /** What a send needs and the database does not store, such as a card token. */
  input?: Input | undefined
  by?: StaffDecision
}

/** What the gateway shows of the object when it is queried. */
export type Seen<Answer> =
  | { kind: 'seen'; answer: Answer }
  /** The gateway has nothing under our id. */
  | { kind: 'absent' }
  /** The gateway has something under our id that is not ours. */
  | { kind: 'foreign' }
  /** The gateway cannot be queried now. */
  | { kind: 'unknown' }

/** What a query shows; undefined if the answer cannot be used. */
export async function seenBy<Answer>(
  look: () => Promise<Answer | undefined>,
): Promise<Seen<Answer>> {
  try {
    const answer = await look()
    return answer === undefined ? { kind: 'unknown' } : { kind: 'seen', answer }
  } catch (error) {
    if (error instanceof GatewayError) return { kind: 'unknown' }
    throw error
  }
}

/** An open operation that this process holds, by the database's clock. */
export interface Held {
  operation: GatewayOperation
  age_ms: number
  /** Since it was last sent. */
  quiet_ms: number
}

/** What to do with an open operation that the gateway does not show as done. */
export type NextStep = 'send' | 'refuse' | 'wait' | { wait_ms: number }

interface Deciding<Subject extends OperationSubject, Answer, Input> extends Held {
  subject: Subject
  seen: Seen<Answer>
  input: Input | undefined
}

/** How an answer is recorded. */
export interface Recording<Subject extends OperationSubject, Input> {
  ctx: Context
  attempt: Attempt<Subject, Input>
  /** The database's clock, read under the object's lock. */
  now: Date
  /** Whether the operation had been given up before this answer came. */
  given_up: boolean
  /** When the gateway was asked, as `performance.now()` said. */
  asked_at: number
}

/** An object after an answer was applied. */
export interface Applied<Subject> {
  after: Subject
  /**
   * Writes what `apply` collected. With `last`, the statements that `last` requests and the commit are
   * sent with it; each of them must fail if its result is in doubt.
   */
  flush?: (last?: () => Promise<unknown>) => Promise<void>
  /** The body of the reply, where it can be built without reading rows again. */
  represent?: () => Promise<object>
}

export interface Refusal<Subject extends OperationSubject, Answer, Input> {
  attempt: Attempt<Subject, Input>
  error: GatewayError
  /** What the gateway showed, if it was asked. */
  seen?: Seen<Answer>
}

/** What a staff member decides about an operation, and where the object was found. */
export interface StaffOrder {
  outcome: 'done' | 'refused'
  transaction_id?: string
  gateway_id?: string
  by: StaffDecision
}

/** How staff may end an operation of this kind. The gateway's answer takes precedence. */
interface ManualRules<Subject extends OperationSubject, Answer> {
  /** Queries the gateway with the ids that staff gave. Default: `inspect`. */
  inspect?(ctx: Context, subject: Subject, order: StaffOrder): Promise<Seen<Answer>>
  /** The code of the refusal that is recorded when staff end it as refused. */
  refused_as: ErrorCode
  /** Staff may end it as refused only after this age: until then a retry can still send it. */
  refused_after_ms?: number
  /** Whether staff may decide although the gateway cannot be queried. */
  mayDecideUnseen?(subject: Subject, order: StaffOrder): boolean
  /** The answer to record when staff say it is done although the gateway does not show it. */
  believe?(held: Held, subject: Subject, seen: Answer): Answer
  /** Why `done` is refused. */
  doneFault(subject: Subject, seen: Seen<Answer>, order: StaffOrder): FieldFault
}

interface FieldFault {
  field: string
  message: string
}

/**
 * One row of a table of operations. Methods, not properties: the tables of all objects are
 * assignable to one registry.
 */
export interface OperationType<
  Subject extends OperationSubject,
  Answer,
  Input = undefined,
  Body extends object = object,
> {
  kind: OperationKind
  access: ObjectAccess<Subject>
  /** Prefix of the crash points. */
  flow: 'charge' | 'action' | 'refund' | 'create'
  /** Source of a transition that the caller's own request made. */
  source: Source
  /** Whether it creates the object. A creation's reply has status 201, any other 200. */
  creates: boolean
  /** Whether a repeat of the request may continue an open operation, or only the resolver. */
  repeat_continues: boolean
  /** After an unclear first send: look at the gateway, or send again under the same wire key. */
  after_unclear: 'look' | 'resend'
  /** After this age it is not sent again: the gateway may have forgotten the wire key. */
  resend_within_ms?: number
  /** Whether `next` may decide to send without having seen the object. */
  sends_unseen?: boolean
  /**
   * Whether the answer to any attempt ends the operation, because the gateway cannot be queried
   * later.
   */
  any_answer_ends?: boolean

  /** Makes the call. An answer about another object must be thrown as `outcome_unknown`. */
  send(ctx: Context, attempt: Attempt<Subject, Input>): Promise<Answer>
  inspect(ctx: Context, subject: Subject): Promise<Seen<Answer>>
  /** Whether what the gateway shows, or what the object went through, proves that it was carried out. */
  isDone(operation: GatewayOperation, answer: Answer, subject: Subject): boolean
  /** Whether an error of a send ends the operation: no send of it can have had an effect. */
  isRefusal(operation: GatewayOperation, error: GatewayError): boolean
  /** Called once the gateway's answer is late enough to count. */
  next(deciding: Deciding<Subject, Answer, Input>): NextStep
  /** The code of the refusal that is recorded when the resolver gives up. */
  given_up_as: ErrorCode
  /** The alarm to open because only staff can end the operation. */
  needsStaff?(held: Held, subject: Subject): AlarmKind | null
  /** Whether a query showed less than the reply to the send, which a replay of its key returns. */
  lacksReply?(subject: Subject, answer: Answer): boolean
  /** The input of a replay, from what is stored. */
  storedInput?(operation: GatewayOperation): Input | undefined
  /** The part of the answer that is stored on the operation. Without secrets. */
  keep(answer: Answer): Readonly<Record<string, unknown>>
  /** What only the reply to the waiting request shows of the answer; it is never stored. */
  reveal?(answer: Answer): Partial<Body>
  /** Applies an answer to the object, which is locked. */
  apply(
    tx: Tx,
    locked: Subject,
    answer: Answer,
    recording: Recording<Subject, Input>,
  ): Promise<Applied<Subject>>
  /**
   * Records an answer together with those of other callers, if that is possible; else runs `alone`.
   */
  together?(
    ctx: Context,
    found: Found<Subject, Answer, Input>,
    alone: () => Promise<Reply>,
  ): Promise<Reply>
  /** Applies a refusal to the object, which is locked. */
  refuse(tx: Tx, locked: Subject, refusal: Refusal<Subject, Answer, Input>): Promise<unknown>
  /**
   * Only for a creation: whether the object shows that it was made. Such an operation succeeds
   * whatever the answer to this attempt was, and its answer counts for every attempt.
   */
  isMade?(subject: Subject): boolean
  /** Whether an ended operation had an effect. Default: it succeeded. */
  hadEffect?(tx: Tx, operation: GatewayOperation, subject: Subject): Promise<boolean>
  /** The body of the reply. Default: the object. */
  represent?(tx: Tx, subject: Subject, operation: GatewayOperation): Promise<Body>
  manual: ManualRules<Subject, Answer>
}

export interface Found<Subject extends OperationSubject, Answer, Input> {
  attempt: Attempt<Subject, Input>
  answer: Answer
  /** When the gateway was asked, as `performance.now()` said: a process may be paused afterwards. */
  asked_at: number
}

export type AnyOperationType = OperationType<OperationSubject, unknown, unknown>
