import type { Caller } from '../../domain/caller.ts'
import type { ObjectKind } from '../../domain/signals.ts'
import type { Tx } from '../../store/transaction.ts'
import type { Current } from '../requests.ts'

/** What every object an operation is about has. */
export interface OperationSubject {
  id: string
  owner_id: string
  version: number
}

/** How one kind of object is reached; each kind has one of these. */
export interface ObjectAccess<Subject extends OperationSubject> {
  subject_kind: ObjectKind
  /** Nothing where it is missing or another owner's (ADR 0020). */
  find: (tx: Tx, caller: Caller, id: string) => Promise<Subject | undefined>
  /** For work no caller asked for. No lock. */
  findById: (tx: Tx, id: string) => Promise<Subject | undefined>
  lock: (tx: Tx, id: string) => Promise<Subject | undefined>
  /** The full form, of replies (api-rules.md#replies). */
  represent: (tx: Tx, subject: Subject) => Promise<object>
}

/** The object of an operation that succeeded, as it stands: for a repeat whose reply is purged. */
export const currentOf =
  <Subject extends OperationSubject>(
    { findById, represent }: Pick<ObjectAccess<Subject>, 'findById' | 'represent'>,
    code: 200 | 201,
  ): Current =>
  async (tx, { state, subject_id }) => {
    if (state !== 'succeeded') return undefined
    const subject = await findById(tx, subject_id)
    return subject && { code, body: JSON.stringify(await represent(tx, subject)) }
  }

/** Locks an object that must be there: objects are never deleted. */
export async function locked<Subject extends OperationSubject>(
  tx: Tx,
  { subject_kind, lock }: Pick<ObjectAccess<Subject>, 'subject_kind' | 'lock'>,
  id: string,
): Promise<Subject> {
  const subject = await lock(tx, id)
  if (subject === undefined) throw new Error(`${subject_kind} ${id} is gone`)
  return subject
}
