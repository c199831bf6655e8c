import type { Pool } from 'pg'
import {
  verifyAudit,
  type AuditExpectation,
  type AuditVerdict,
} from '../services/audit/verify_audit.ts'
import {
  checkInvariants,
  type Checked,
  type Progressed,
} from '../services/verify/check_invariants.ts'
import { openDatabase, type Database } from '../store/database.ts'
import { listPaymentBooks, type PaymentBook } from '../store/payment_books.ts'
import { withReadTransaction } from '../store/transaction.ts'

export interface Verified {
  /** Every promise that was asked about, the kept ones too. */
  checked: readonly Checked[]
  broken: readonly Checked[]
}

interface Verifying {
  schema?: string
  progressed?: Progressed
}

/** Minutes rather than seconds: at a hundred million payments every pass is a long one. */
const STATEMENT_TIMEOUT_MS = 30 * 60_000

async function reading<Result>(
  source: Pool | string,
  { schema = 'gapura' }: Verifying,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase(source, {
    schema,
    statement_timeout_ms: STATEMENT_TIMEOUT_MS,
    connections_max: 2,
    standby: true,
  })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/**
 * Asks a living database whether every promise holds that it can decide alone. It writes nothing: a
 * role that may only read the schema is enough, and a standby will do.
 */
export const verifyDatabase = async (
  source: Pool | string,
  options: Verifying = {},
): Promise<Verified> =>
  await reading(source, options, async (db) => {
    const checked = await checkInvariants(db, options.progressed)
    return { checked, broken: checked.filter(({ violations }) => violations > 0) }
  })

/** Few enough to be soon read, many enough that the way there and back does not count. */
const PAGE_MAX = 5_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** What every payment moved, to be held against the gateway's books. Writes nothing either. */
export const readPaymentBooks = async (
  source: Pool | string,
  options: Pick<Verifying, 'schema'> = {},
): Promise<PaymentBook[]> =>
  await reading(source, options, async (db) => {
    const books: PaymentBook[] = []
    for (let after = BEFORE_ALL; ;) {
      const page = await withReadTransaction(
        db,
        async (tx) => await listPaymentBooks(tx, { after, limit: PAGE_MAX }),
      )
      books.push(...page)
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE_MAX) return books
      after = last.id
    }
  })

/** Walks the chain of the audit from end to end. Reads only, as above. */
export const verifyAuditChain = async (
  source: Pool | string,
  { expected = [], ...options }: Verifying & { expected?: AuditExpectation[] } = {},
): Promise<AuditVerdict> =>
  await reading(source, options, async (db) => await verifyAudit(db, { expected }))
