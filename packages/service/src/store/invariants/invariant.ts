import type { Tx } from '../transaction.ts'

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
export async function findViolations(tx: Tx, { invariants, sql }: Inquiry): Promise<Finding[]> {
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
  return invariants.map(({ id, promise }) => {
    const mine = rows.filter(({ invariant }) => invariant === id)
    const examples = mine.map(({ subject, detail }) => ({ subject, detail }))
    return { id, promise, violations: Number(mine[0]?.violations ?? 0), examples }
  })
}
