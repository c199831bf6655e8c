import type { Tx } from '../connection/transaction.ts'

/** What a promise is known by: its number, and one line for whoever must act upon it. */
export interface Invariant {
  id: `I-${string}`
  promise: string
}

/** An object that breaks a promise, and how. */
export interface Violation {
  /** The row's id, or the name of what is wrong where no row is. */
  subject: string
  detail: string
}

/**
 * One statement that decides one promise, or several that share a pass over a large table. Each row
 * it returns is a violation: the promise's number, the subject and the detail.
 */
export interface Inquiry {
  invariants: readonly Invariant[]
  sql: string
  /**
   * Walks its tables in the order of their keys. Ids begin with the time they were made at, so that
   * is how rows lie on disk; by hash, which the planner prefers, every group would be held in memory.
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

/** Asks one of them. Nothing is written, so a role that may only read can ask. */
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

/** Until it is said otherwise, or the transaction ends. */
async function byHash(tx: Tx, said: 'on' | 'off'): Promise<void> {
  for (const way of ['enable_hashagg', 'enable_hashjoin']) {
    await tx.query(`set local ${way} = ${said}`, [], { prepare: false })
  }
}
