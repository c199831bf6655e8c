import type { Tx } from '../connection/transaction.ts'

/** The id of an invariant, and one line for the operator. */
export interface Invariant {
  id: `I-${string}`
  promise: string
}

/** An object that breaks an invariant, and how. */
export interface Violation {
  /** The row's id, or the name of what is wrong if there is no row. */
  subject: string
  detail: string
}

/**
 * One statement that decides one invariant, or several that share a scan of a large table. Each row
 * it returns is a violation: the invariant's id, the subject and the detail.
 */
export interface Inquiry {
  invariants: readonly Invariant[]
  sql: string
  /**
   * Scans its tables in the order of their keys. Ids begin with the creation time, so that is how
   * rows lie on disk; by hash, which the planner prefers, every group would be held in memory.
   */
  in_order?: boolean
}

export interface Finding extends Invariant {
  violations: number
  examples: readonly Violation[]
}

/** As many as a person reads; the count is of all. */
export const EXAMPLES_MAX = 5

interface FoundRow extends Violation {
  invariant: string
  violations: string
}

/** Runs one of them. It writes nothing, so a read-only role can run it. */
export async function findViolations(
  tx: Tx,
  { invariants, sql, in_order = false }: Inquiry,
): Promise<Finding[]> {
  if (in_order) await byHash(tx, 'off')
  const rows = await tx.query<FoundRow>(
    `select invariant, subject, detail, violations
     from (
       select
         broken.*,
         count(*) over (partition by invariant) as violations,
         row_number() over (partition by invariant order by subject) as place
       from (${sql}) as broken (invariant, subject, detail)
     ) as counted
     where place <= ${EXAMPLES_MAX}
     order by invariant, place`,
    [],
    { prepare: false },
  )
  if (in_order) await byHash(tx, 'on')
  return invariants.map(({ id, promise }) => {
    const mine = rows.filter(({ invariant }) => invariant === id)
    const examples = mine.map(({ subject, detail }) => ({ subject, detail }))
    return { id, promise, violations: Number(mine[0]?.violations ?? 0), examples }
  })
}

/** Until it is set again, or the transaction ends. */
async function byHash(tx: Tx, said: 'on' | 'off'): Promise<void> {
  for (const way of ['enable_hashagg', 'enable_hashjoin']) {
    await tx.query(`set local ${way} = ${said}`, [], { prepare: false })
  }
}
