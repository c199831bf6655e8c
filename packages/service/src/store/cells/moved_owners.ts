// Which owners are in another cell than their names say (ADR 0040). Read again every second: the fence
// in the database, and not this, keeps a write from the wrong cell.
import type { OwnerMove } from '../../domain/owner_move.ts'
import type { Database } from '../connection/database.ts'
import { codeOf } from '../connection/errors.ts'
import { withReadTransaction, type Tx } from '../connection/transaction.ts'

/** Every owner that left this cell, came to it, or is on the way: a few. */
export const listMovedOwners = async (tx: Tx): Promise<OwnerMove[]> =>
  await tx.query<OwnerMove>('select owner_id, direction, peer, step, fence from gapura.owner_move')

/** A move begins so long before its pause that every process knows of it. */
export const FRESH_MS = 1_000

/** While an owner is moved it is looked up for each request. */
const CHANGES_SOON: ReadonlySet<OwnerMove['step']> = new Set([
  'arriving',
  'copy',
  'freeze',
  'switch',
])

const BEFORE_SWITCH: ReadonlySet<OwnerMove['step']> = new Set(['copy', 'freeze', 'switch'])

/** Where an owner is, seen from this cell. */
export type Whereabouts =
  | 'here'
  /** Copied to this cell and not switched yet. */
  | 'arriving'
  /** Leaves this cell, whose writes are refused for a moment. */
  | 'leaving'
  | 'elsewhere'

/** Before a new release's grants are given the table cannot be read, and no owner was moved. */
function withoutGrants(error: unknown): ReadonlyMap<string, OwnerMove> {
  if (codeOf(error) === '42501') return new Map()
  throw error
}

export class OwnerMoves {
  readonly #db: Database
  #read_at = Number.NEGATIVE_INFINITY
  #reading: Promise<ReadonlyMap<string, OwnerMove>> | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** The row of this owner, if it was ever moved. */
  async of(owner_id: string): Promise<OwnerMove | undefined> {
    const move = (await this.#all(FRESH_MS)).get(owner_id)
    if (move === undefined || !CHANGES_SOON.has(move.step)) return move
    return (await this.#all(0)).get(owner_id)
  }

  async whereabouts(owner_id: string): Promise<Whereabouts> {
    const move = await this.of(owner_id)
    if (move === undefined) return 'here'
    if (move.direction === 'in') return move.step === 'arriving' ? 'arriving' : 'here'
    if (move.step === 'switch' || move.fence === 'frozen') {
      return BEFORE_SWITCH.has(move.step) ? 'leaving' : 'elsewhere'
    }
    return BEFORE_SWITCH.has(move.step) ? 'here' : 'elsewhere'
  }

  /** Whether any owner left this cell: the order ids of this cell may be elsewhere then. */
  async hasLeft(): Promise<boolean> {
    return [...(await this.#all(FRESH_MS)).values()].some(({ direction }) => direction === 'out')
  }

  async #all(fresh_ms: number): Promise<ReadonlyMap<string, OwnerMove>> {
    const now = performance.now()
    if (this.#reading === undefined || now - this.#read_at > fresh_ms) {
      this.#read_at = now
      const reading = withReadTransaction(this.#db, listMovedOwners).then(
        (rows) => new Map(rows.map((row) => [row.owner_id, row])),
        withoutGrants,
      )
      this.#reading = reading
      // A failed reading is not kept.
      reading.catch(() => {
        if (this.#reading === reading) this.#reading = undefined
      })
    }
    return await this.#reading
  }
}
