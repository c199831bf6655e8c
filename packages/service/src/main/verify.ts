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
import {
  compareLedger,
  type Ledger,
  type LedgerDifference,
  type PaymentTotals,
} from '../services/verify/compare_ledger.ts'
import { openDatabase, type Database } from '../store/connection/database.ts'
import { countUnbooked, ledgerCompleteAt } from '../store/payments/unbooked.ts'
import { listLedgerPayments, type LedgerPayment } from '../store/payments/rows.ts'
import { withRemedies } from '../store/connection/errors.ts'
import { withReadTransaction } from '../store/connection/transaction.ts'

export interface Verified {
  /** Every promise that was asked about, the kept ones too. */
  checked: readonly Checked[]
  broken: readonly Checked[]
  /**
   * Payments that are not in the ledger yet; null once it is complete, when each is a fault (I-42a).
   * While two releases run this is expected: `gapura ledger backfill` posts them.
   */
  unbooked_payments: number | null
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
    return await withRemedies(schema, async () => await work(db))
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
    const unbooked_payments = await withReadTransaction(db, async (tx) =>
      (await ledgerCompleteAt(tx)) === null ? await countUnbooked(tx) : null,
    )
    const broken = checked.filter(({ violations }) => violations > 0)
    return { checked, broken, unbooked_payments }
  })

/** Few enough to be soon read, many enough that the way there and back does not count. */
const PAGE_MAX = 5_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

export interface ComparedLedger {
  payments: number
  orders: number
  /** Every comparison made, also those that found no difference. */
  differences: readonly LedgerDifference[]
}

/**
 * Compares every payment with the gateway's ledger, and writes nothing. The ledger is read last:
 * what happens between the two readings is then named as a difference.
 */
export const compareWithLedger = async (
  source: Pool | string,
  readLedger: () => Promise<Ledger>,
  options: Pick<Verifying, 'schema'> = {},
): Promise<ComparedLedger> => {
  const payments = await reading(source, options, readTotals)
  const ledger = await readLedger()
  const differences = compareLedger(payments, ledger)
  return { payments: payments.length, orders: ledger.size, differences }
}

async function readTotals(db: Database): Promise<PaymentTotals[]> {
  const totals: PaymentTotals[] = []
  for (let after = BEFORE_ALL; ;) {
    const page = await withReadTransaction(
      db,
      async (tx) => await listLedgerPayments(tx, { after, limit: PAGE_MAX }),
    )
    totals.push(...page.map(totalsOf))
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_MAX) return totals
    after = last.id
  }
}

const rupiahOf = (hundredths: bigint): number => Number(hundredths) / 100

const totalsOf = (payment: LedgerPayment): PaymentTotals => ({
  ...payment,
  captured: rupiahOf(payment.captured_amount),
  refunded: rupiahOf(payment.refunded_amount),
  reserved: rupiahOf(payment.refund_reserved_amount),
})

/** Walks the chain of the audit from end to end. Reads only, as above. */
export const verifyAuditChain = async (
  source: Pool | string,
  { expected = [], ...options }: Verifying & { expected?: AuditExpectation[] } = {},
): Promise<AuditVerdict> =>
  await reading(source, options, async (db) => await verifyAudit(db, { expected }))
