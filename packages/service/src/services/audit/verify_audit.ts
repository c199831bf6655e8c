// Walks the whole chain. Only reads, from four tables.
import { AUDIT_GENESIS, type AuditEntry, type SealedEntry } from '../../domain/audit.ts'
import {
  listAuditAnchors,
  listSealed,
  listUnsealed,
  readAuditHead,
  type AuditAnchor,
} from '../../store/audit/chain.ts'
import type { Database } from '../../store/connection/database.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { chainHash } from './seal_audit.ts'

const PAGE_MAX = 1_000
/** How many faults are reported; in a chain cut at its start every row would be one. */
const FAULTS_MAX = 100
/** More unsealed entries than the sealer ever leaves. */
const TAIL_MAX = 10_000

interface AuditFault {
  /** The position in the chain, if the fault has one. */
  seq: number | null
  fault: string
}

export interface AuditVerdict {
  /** Rows of the chain that were checked. */
  sealed: number
  /** The end of the chain: store it elsewhere and pass it as `expected` next time. */
  head: { seq: number; hash: string }
  /** Where the chain begins, if retention dropped the rows before. */
  anchor: { seq: number; hash: string } | null
  /** Entries that are not sealed yet. */
  unsealed: AuditEntry[]
  faults: AuditFault[]
}

export interface AuditExpectation {
  seq: number
  hash: string
}

/**
 * Whether a sealed row was removed, changed, added or moved. A chain that was cut or rewritten
 * consistently looks intact; only `expected`, the head of an earlier result or of a log line,
 * reveals it.
 */
export async function verifyAudit(
  db: Database,
  { expected = [] }: { expected?: readonly AuditExpectation[] } = {},
): Promise<AuditVerdict> {
  return await withReadTransaction(db, async (tx) => {
    const walk = new Walk(await listAuditAnchors(tx), expected)
    for (let after_seq = -1; ;) {
      const page = await listSealed(tx, { after_seq, limit: PAGE_MAX })
      for (const entry of page) walk.step(entry)
      const last = page.at(-1)
      if (last === undefined) break
      after_seq = last.seq
    }
    return await judged(tx, walk)
  })
}

async function judged(tx: Tx, walk: Walk): Promise<AuditVerdict> {
  const unsealed = await listUnsealed(tx, TAIL_MAX)
  walk.end(await readAuditHead(tx), unsealed)
  const { seq, hash, sealed, anchor, faults } = walk
  return { sealed, head: { seq, hash }, anchor, unsealed, faults: faults.slice(0, FAULTS_MAX) }
}

/** One pass over the chain. */
class Walk {
  seq: number
  hash: string
  sealed = 0
  readonly anchor: AuditExpectation | null
  readonly faults: AuditFault[] = []
  readonly #expected: Map<number, string>
  /** The cuts that are recorded in the chain. */
  readonly #cuts = new Set<string>()
  readonly #ids = new Set<string>()
  #sealed_at = 0

  constructor(anchors: readonly AuditAnchor[], expected: readonly AuditExpectation[]) {
    const last = anchors.at(-1)
    this.#expected = new Map(expected.map(({ seq, hash }) => [seq, hash]))
    this.anchor = last === undefined ? null : { seq: last.seq, hash: last.hash }
    this.seq = last?.seq ?? 0
    this.hash = last?.hash ?? AUDIT_GENESIS
    this.#expect(this.seq, this.hash)
  }

  step(entry: SealedEntry): void {
    const { seq, hash } = entry
    const broken = this.#broken(entry)
    if (broken !== undefined) this.#fault(seq, broken)
    this.sealed++
    this.#ids.add(entry.id)
    this.#sealed_at = entry.sealed_at.getTime()
    this.#hear(entry)
    // Continue from the stored row, so that one change is one fault.
    this.seq = Math.max(seq, this.seq)
    this.hash = hash
    this.#expect(seq, hash)
  }

  /** The first fault of a row; others would follow from it. */
  #broken(entry: SealedEntry): string | undefined {
    const { seq, hash, id, sealed_at } = entry
    if (seq <= this.seq) return 'it lies before the beginning of the chain'
    if (seq > this.seq + 1) return `removed: ${span(this.seq + 1, seq - 1)} before it`
    if (this.#ids.has(id)) return `the entry ${id} is there twice`
    if (sealed_at.getTime() < this.#sealed_at) return 'it is older than the one before it'
    return chainHash(this.hash, entry) === hash ? undefined : 'altered: its hash is another'
  }

  /** An anchor is valid only where the chain records a cut. */
  #hear({ action, detail }: Pick<AuditEntry, 'action' | 'detail'>): void {
    if (action === CUT) this.#cuts.add(detail)
  }

  #expect(seq: number, hash: string): void {
    const known = this.#expected.get(seq)
    this.#expected.delete(seq)
    if (known !== undefined && known !== hash) {
      this.#fault(seq, 'it is not the row it was: its hash is not the expected one')
    }
  }

  end(head: AuditExpectation | undefined, unsealed: readonly AuditEntry[]): void {
    for (const entry of unsealed) {
      this.#hear(entry)
      if (this.#ids.has(entry.id)) this.#fault(null, `${entry.id} is sealed and unsealed`)
    }
    // Earlier anchors were recorded by rows that a later cut has removed.
    if (this.anchor !== null && !this.#cuts.has(cutDetail(this.anchor))) {
      this.#fault(this.anchor.seq, 'the chain does not record the cut of this anchor')
    }
    if (head === undefined) this.#fault(null, 'the head is gone')
    else if (head.seq > this.seq) {
      this.#fault(head.seq, `removed: ${span(this.seq + 1, head.seq)} at the end`)
    } else if (head.seq < this.seq) {
      this.#fault(head.seq, 'added: the chain goes on behind its head')
    } else if (head.hash !== this.hash) this.#fault(head.seq, 'the head has another hash')
    for (const seq of this.#expected.keys()) {
      if (seq > this.seq || seq > (this.anchor?.seq ?? 0))
        this.#fault(seq, 'expected and not there')
    }
  }

  #fault(seq: number | null, fault: string): void {
    this.faults.push({ seq, fault })
  }
}

const span = (from: number, to: number): string => (from === to ? `${from}` : `${from} to ${to}`)

/** The action of the audit entry that records a cut of the chain. */
export const CUT = 'audit.drop'

/** The exact detail of that entry. */
const cutDetail = ({ seq, hash }: AuditExpectation): string => JSON.stringify({ seq, hash })
