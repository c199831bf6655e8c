import { createHash } from 'node:crypto'
import { canonicalEntry, type AuditEntry, type SealedEntry } from '../../domain/audit.ts'
import { insertSealed, listUnsealed, lockAuditHead } from '../../store/audit/chain.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'

const PAGE_MAX = 500
/** Pages of one run; the next run seals the rest. */
const PAGES_MAX = 20

/**
 * SHA-256 over the previous hash and the entry: a changed row breaks the hash of every later one.
 */
export const chainHash = (
  before: string,
  entry: AuditEntry & Pick<SealedEntry, 'seq' | 'sealed_at'>,
): string =>
  createHash('sha256')
    .update(`${before}\n${canonicalEntry(entry)}`)
    .digest('hex')

/**
 * Appends new entries to the chain. Only one process does this at a time; others return at once.
 * Each page is one transaction. Returns how many entries were sealed.
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
    // The log is stored elsewhere: an attacker who rewrites the whole chain has not rewritten it.
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
