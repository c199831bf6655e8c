// A chain made by the service's own sealer over rows inserted by SQL.
import { sealAudit } from '../../src/services/audit/seal_audit.ts'
import { appendAudit, type NewAuditEntry } from '../../src/store/audit/entries.ts'
import type { Database } from '../../src/store/connection/database.ts'
import { newId } from '../../src/store/sql/values.ts'
import { withTransaction } from '../../src/store/connection/transaction.ts'

export const entryOf = (n: number, more: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  id: newId(),
  actor: `staff-${n % 3}`,
  actor_kind: 'staff',
  action: 'payment.refund',
  subject_kind: 'payment',
  subject_id: `payment-${n}`,
  owner_id: 'ani',
  // Values that JSON can write in several ways, so that a second spelling would be seen.
  reason: `"r\\eason"\n\t\u0001\u007f é 🍵 \u2028 ${n}`,
  request_id: `request-${n}`,
  operation_id: newId(),
  detail: JSON.stringify({ amount: `${n}000.00` }),
  ...more,
})

export const write = async (db: Database, ...entries: NewAuditEntry[]): Promise<void> =>
  await withTransaction(db, async (tx) => await appendAudit(tx, entries))

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

export const seal = async (db: Database): Promise<number> => await sealAudit({ db, log: silent })

/** So many rows, sealed in several rounds. */
export async function fillChain(db: Database, rows: number): Promise<void> {
  for (let n = 1; n <= rows; n++) {
    await write(db, entryOf(n))
    if (n % 7 === 0 || n === rows) await seal(db)
  }
}
