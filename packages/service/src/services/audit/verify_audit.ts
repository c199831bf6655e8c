// Walks the whole chain. It writes nothing, and needs nothing but to read the four tables.
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
/** Faults that are told; of a chain cut at its root every row would be one. */
const FAULTS_MAX = 100
/** Of the tail: more than any sealer leaves. */
const TAIL_MAX = 10_000

export interface AuditFault {
  /** Where in the chain, if it is a place. */
  seq: number | null
  fault: string
}

export interface AuditVerdict {
  /** Rows of the chain that were walked. */
  sealed: number
  /** Its end: what to keep outside, and to expect next time. */
  head: { seq: number; hash: string }
  /** Where it begins, if a retention has dropped what was before. */
  anchor: { seq: number; hash: string } | null
  /** Written, and not yet chained. */
  unsealed: AuditEntry[]
  faults: AuditFault[]
}

export interface AuditExpectation {
  seq: number
  hash: string
}

/**
 * Whether any sealed row was removed, changed, added or moved. Two ends of a chain from which
 * everything was cut or rewritten consistently look alike; `expected`, the head of an earlier
 * verdict or of a log line, tells them apart.
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

/** One pass over the chain, remembering the end of what was seen. */
class Walk {
  seq: number
  hash: string
  sealed = 0
  readonly anchor: AuditExpectation | null
  readonly faults: AuditFault[] = []
  readonly #expected: Map<number, string>
  /** The cuts the chain itself tells of. */
  readonly #told = new Set<string>()
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
    // Goes on from what is there, so that one change is one fault.
    this.seq = Math.max(seq, this.seq)
    this.hash = hash
    this.#expect(seq, hash)
  }

  /** The first thing that is wrong with a row; the rest follows from it. */
  #broken(entry: SealedEntry): string | undefined {
    const { seq, hash, id, sealed_at } = entry
    if (seq <= this.seq) return 'it lies before the beginning of the chain'
    if (seq > this.seq + 1) return `removed: ${span(this.seq + 1, seq - 1)} before it`
    if (this.#ids.has(id)) return `the entry ${id} is there twice`
    if (sealed_at.getTime() < this.#sealed_at) return 'it is older than the one before it'
    return chainHash(this.hash, entry) === hash ? undefined : 'altered: its hash is another'
  }

  /** An anchor may only stand where the chain says that it was cut. */
  #hear({ action, detail }: Pick<AuditEntry, 'action' | 'detail'>): void {
    if (action === CUT) this.#told.add(detail)
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
    // Those before it were told by rows that a later cut has taken along.
    if (this.anchor !== null && !this.#told.has(cutDetail(this.anchor))) {
      this.#fault(this.anchor.seq, 'an anchor stands here that the chain does not tell of')
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

/** The action under which a cut of the chain is itself in the chain. */
export const CUT = 'audit.drop'

/** What it says, to the letter. */
const cutDetail = ({ seq, hash }: AuditExpectation): string => JSON.stringify({ seq, hash })
