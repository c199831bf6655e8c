import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { insertStaffNote, type StaffNote } from '../../store/staff/notes.ts'
import { newId } from '../../store/sql/values.ts'
import { findPayment } from '../../store/payments/rows.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import type { Request } from '../requests.ts'
import { keptTextParser } from '../validation.ts'
import { requireStaff } from '../access/staff_caller.ts'

export const NOTE_INPUT = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: 2_000,
      pattern: '\\S',
      description: 'The note; the other staff members read it.',
    }),
  },
  { additionalProperties: false },
)

const parseNote = keptTextParser(NOTE_INPUT)

/** Writes a note on a payment, in the caller's name. Nothing if there is no such payment. */
export async function addNote(
  ctx: Context,
  request: Request,
  subject_id: string,
  input: unknown,
): Promise<StaffNote | undefined> {
  const { caller } = request
  requireStaff(caller, 'staff:act')
  const { text } = parseNote(input)
  return await withTransaction(ctx.db, async (tx) => {
    const payment = await findPayment(tx, caller, subject_id)
    if (payment === undefined) return undefined
    const id = noteId(request)
    const { owner_id } = payment
    const note = { id, subject_id, owner_id, author: caller.owner_id, text: text.trim() }
    await recordAudit(tx, ctx, caller, {
      action: 'payment.note',
      subject_kind: 'payment',
      subject_id,
      owner_id,
      request_id: request.request_id,
      detail: { note_id: id },
    })
    return await insertStaffNote(tx, note)
  })
}

/** Of the request's key where it has one: sent twice under one key, it is one note. */
function noteId({ caller, idempotency }: Request): string {
  if (idempotency === null) return newId()
  const source = [caller.owner_id, idempotency.key, idempotency.fingerprint].join(' ')
  const hex = createHash('sha256').update(source).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`]
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}
