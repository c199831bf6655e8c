import { createHash } from 'node:crypto'
import { canonicalEntry, type AuditEntry, type SealedEntry } from '../../domain/audit.ts'
import { insertSealed, listUnsealed, lockAuditHead } from '../../store/audit/chain.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'

const PAGE_MAX = 500
/** Of one round; the rest is for the next. */
const PAGES_MAX = 20

/** SHA-256 over the hash before and the entry: no row can be changed without every later one. */
export const chainHash = (
  before: string,
  entry: AuditEntry & Pick<SealedEntry, 'seq' | 'sealed_at'>,
): string =>
  createHash('sha256')
    .update(`${before}\n${canonicalEntry(entry)}`)
    .digest('hex')

/**
 * Puts what was written since at the end of the chain. One at a time in all processes; who comes
 * meanwhile does nothing. Each page is a transaction. Returns how many were sealed.
 */
export async function sealAudit({ db, log }: Pick<Context, 'db' | 'log'>): Promise<number> {
  let sealed = 0
  for (let page = 0; page < PAGES_MAX; page++) {
    const entries = await withTransaction(db, async (tx) => {
      const head = await lockAuditHead(tx)
      if (head === undefined) return []
      const chained = chain(head, await listUnsealed(tx, PAGE_MAX))
      if (chained.length > 0) await insertSealed(tx, chained)
      return chained
    })
    sealed += entries.length
    const last = entries.at(-1)
    // The log lies elsewhere: who rewrites the whole chain has not rewritten this line.
    if (last !== undefined) log.info({ seq: last.seq, hash: last.hash }, 'audit sealed')
    if (entries.length < PAGE_MAX) break
  }
  return sealed
}

function chain(
  { seq, hash, now: sealed_at }: { seq: number; hash: string; now: Date },
  entries: readonly AuditEntry[],
): SealedEntry[] {
  let before = hash
  return entries.map((entry, index) => {
    const placed = { ...entry, seq: seq + index + 1, sealed_at }
    before = chainHash(before, placed)
    return { ...placed, hash: before }
  })
}
