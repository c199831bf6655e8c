// The pause of a move (ADR 0040): every row is compared while the owner works, so that only the last
// changes are left for the moment in which its writes are refused.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CellAddress } from '../../store/cells/cell_side.ts'
import {
  compareAll,
  compareLast,
  compareLate,
  type Difference,
} from '../../store/cells/compare_rows.ts'
import { copyChanges, copyLate, type Cells } from '../../store/cells/copy_rows.ts'
import {
  findAtWork,
  findUndelivered,
  readMove,
  setFence,
  setStep,
} from '../../store/cells/move_state.ts'

/** What a move waits for, or why it cannot go on. The message says what to do. */
export class MoveFailure extends Error {
  override readonly name = 'MoveFailure'
}

/** Where tests and campaigns end a move. */
export const MOVE_POINTS = [
  'begun',
  'copied',
  'compared',
  'draining',
  'frozen',
  'last_copied',
  'decided',
  'arrived',
  'switched',
  'settled',
  'posted',
  'removed',
] as const

export type MovePoint = (typeof MOVE_POINTS)[number]

export interface MoveOrder {
  owner_id: string
  /** The cell where the owner is, and its database. */
  from: { name: string } & CellAddress
  to: { name: string } & CellAddress
  /** Sends the requests of the owner, and of its keys by their SHA-256, to the new cell. */
  switchMap: (moved: { owner_id: string; key_hashes: readonly string[] }) => Promise<void>
  /** Whether every invariant holds in this database; otherwise those that do not. */
  verify: (address: CellAddress) => Promise<readonly string[]>
  progressed?: (what: string) => void
  reached?: (point: MovePoint) => Promise<void>
}

export interface Moving {
  cells: Cells
  order: MoveOrder
  reached: (point: MovePoint) => Promise<void>
  progressed: (what: string) => void
}

/** Behind this the switch is not begun: the fence opens again, and it is tried later. */
const PAUSE_MS_MAX = 1_500
const DRAIN_MS_MAX = 1_000
const DRAIN_POLL_MS = 10
/** Events that wait for so long would only lengthen the pause. */
const LATE_MS = 1_000
/** How long events may wait for their delivery before the writes that add others are refused. */
const DELIVER_MS_MAX = 300
const FREEZE_TRIES_MAX = 20
const FREEZE_AGAIN_MS = 1_000
const BACKLOG_MAX = 100

/** Compares everything while the owner works, then refuses its writes and copies the rest. */
export async function freeze(moving: Moving): Promise<'switch'> {
  const { cells, reached, progressed } = moving
  const { source, owner_id } = cells
  // A move that was interrupted in the pause: the owner works again until the next try.
  await setFence(source, owner_id, 'open')
  await catchUp(cells)
  const { seen } = await copyChanges(cells, async () => await compareAll(cells))
  refuseDifferences(seen)
  await reached('compared')
  progressed('both cells have the same rows')
  for (let tries = 1; ; tries++) {
    await catchUp(cells)
    const undrained = await tryToFreeze(moving).catch(async (error: unknown) => {
      await reopen(cells).catch(() => undefined)
      throw error
    })
    if (undrained.length === 0) return 'switch'
    await reopen(cells)
    progressed(`not yet: ${undrained.slice(0, 3).join(', ')}`)
    if (tries === FREEZE_TRIES_MAX) throw new MoveFailure(`not drained: ${undrained.join(', ')}`)
    await sleep(FREEZE_AGAIN_MS)
  }
}

/** The owner works again where it was. Not once the switch is decided. */
async function reopen({ source, owner_id }: Cells): Promise<void> {
  const move = await readMove(source, owner_id)
  if (move?.step === 'freeze') await setFence(source, owner_id, 'open')
}

async function catchUp(cells: Cells): Promise<void> {
  for (;;) {
    const { changed } = await copyChanges(cells, async () => await Promise.resolve())
    if (changed <= BACKLOG_MAX) return
  }
}

function refuseDifferences(differences: readonly Difference[]): void {
  if (differences.length === 0) return
  const shown = differences.map(
    ({ table, source, target }) =>
      `${table} has ${source.rows} rows in the old cell and ${target.rows} in the new one`,
  )
  throw new MoveFailure(
    `the copy differs: ${shown.join('; ')}. Run the command with --back, then again`,
  )
}

/** What is still found when the time is over. */
async function drained(find: () => Promise<string[]>, end: number): Promise<string[]> {
  for (;;) {
    const open = await find()
    if (open.length === 0 || performance.now() > end) return open
    await sleep(DRAIN_POLL_MS)
  }
}

/** Empty once the new cell has every row; otherwise what it waits for. */
async function tryToFreeze({ cells, reached }: Moving): Promise<string[]> {
  const { source, owner_id } = cells
  const late = await findUndelivered(cells, LATE_MS)
  if (late.length > 0) return late
  const began = performance.now()
  const end = began + DRAIN_MS_MAX
  await setFence(source, owner_id, 'draining')
  await reached('draining')
  const at_work = await drained(async () => await findAtWork(cells), end)
  if (at_work.length > 0) return at_work
  // An endpoint of all owners cannot store its deliveries once the owner is frozen.
  await drained(async () => await findUndelivered(cells), performance.now() + DELIVER_MS_MAX)
  await setFence(source, owner_id, 'frozen')
  await reached('frozen')
  // What was begun after the last look, while the fence closed: it cannot end now.
  const begun = await findAtWork(cells)
  if (begun.length > 0) return begun
  // No event is added any more, and cursors are not fenced.
  const undelivered = await drained(async () => await findUndelivered(cells), end)
  if (undelivered.length > 0) return undelivered
  const { seen } = await copyChanges(cells, async (changes) => await compareLast(cells, changes))
  await copyLate(cells)
  refuseDifferences([...seen, ...(await compareLate(cells))])
  await reached('last_copied')
  if (performance.now() - began > PAUSE_MS_MAX) return ['the pause would be too long']
  await setStep(source, owner_id, 'switch')
  await reached('decided')
  return []
}
