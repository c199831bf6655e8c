import type { Tx } from '../connection/transaction.ts'

/**
 * A staff member's note about an object, for other staff. Append-only; only an erasure changes it.
 */
export interface StaffNote {
  id: string
  subject_id: string
  /** The owner of the object; null if it has none. */
  owner_id: string | null
  author: string
  text: string
  created_at: Date
}

const NOTE_COLUMNS = 'id, subject_id, owner_id, author, text, created_at'

export const NOTES_MAX = 200

/** Adds a note and returns it. The same id again is the same note: nothing is written twice. */
export async function insertStaffNote(
  tx: Tx,
  note: Omit<StaffNote, 'created_at'>,
): Promise<StaffNote | undefined> {
  await tx.query(
    `insert into gapura.staff_note (id, subject_id, owner_id, author, text)
     values ($1, $2, $3, $4, $5)
     on conflict (id) do nothing`,
    [note.id, note.subject_id, note.owner_id, note.author, note.text],
  )
  const [kept] = await tx.query<StaffNote>(
    `select ${NOTE_COLUMNS}
     from gapura.staff_note
     where id = $1`,
    [note.id],
  )
  return kept
}

/** The notes about one object, oldest first. */
export const listStaffNotes = async (tx: Tx, subject_id: string): Promise<StaffNote[]> =>
  await tx.query<StaffNote>(
    `select ${NOTE_COLUMNS}
     from gapura.staff_note
     where subject_id = $1
     order by created_at, id
     limit $2`,
    [subject_id, NOTES_MAX],
  )
