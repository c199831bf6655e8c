// Moves an owner to another cell (ADR 0040): copy while it works, refuse its writes for a moment, copy
// the rest, switch, and then remove what is left. The step is stored in the old cell, and each may be
// repeated, so a move that was interrupted anywhere goes on when it is started again.
import { setTimeout as sleep } from 'node:timers/promises'
import type { MoveStep } from '../../domain/owner_move.ts'
import { CellSide, findMissingRights } from '../../store/cells/cell_side.ts'
import { carryEvents, copyAll, releaseHeld } from '../../store/cells/copy_rows.ts'
import {
  addTriggers,
  beginMove,
  dropTriggers,
  findOtherMove,
  findRefusal,
  forgetChanges,
  listKeyHashes,
  noteSwitched,
  readMove,
  setFence,
  setStep,
} from '../../store/cells/move_state.ts'
import {
  copyAudit,
  copyPostings,
  endWork,
  fillSearch,
  postMovedOut,
  removeRows,
} from '../../store/cells/settle_rows.ts'
import { FRESH_MS } from '../../store/cells/moved_owners.ts'
import { codeOf, LOCK_NOT_AVAILABLE } from '../../store/connection/errors.ts'
import { freeze, MoveFailure, type MoveOrder, type Moving } from './freeze_owner.ts'

export interface MoveResult {
  owner_id: string
  from: string
  to: string
  /** How long writes of the owner were refused. */
  pause_ms: number | null
}

const IN_FLIGHT_MS = 250
const LOCK_TRIES_MAX = 60
const LOCK_AGAIN_MS = 500

async function withCells<Result>(
  order: MoveOrder,
  work: (moving: Moving) => Promise<Result>,
): Promise<Result> {
  const source = await openCell(order.from)
  const target = await openCell(order.to).catch(async (error: unknown) => {
    await source.close()
    throw error
  })
  const cells = { source, target, owner_id: order.owner_id }
  const { reached = async () => await Promise.resolve(), progressed = () => undefined } = order
  try {
    await requireRights(order.from.name, source)
    await requireRights(order.to.name, target)
    return await work({ cells, order, reached, progressed })
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}

async function openCell(address: MoveOrder['from']): Promise<CellSide> {
  const side = await CellSide.open(address)
  if (side !== undefined) return side
  throw new MoveFailure(
    `the address of cell ${address.name} leads to a pooler: give one that leads to PostgreSQL`,
  )
}

async function requireRights(name: string, side: CellSide): Promise<void> {
  const missing = await findMissingRights(side)
  if (missing !== undefined) throw new MoveFailure(`in cell ${name} ${missing}`)
}

/** Moves the owner, or goes on with a move that was interrupted. */
export const moveOwner = async (order: MoveOrder): Promise<MoveResult> =>
  await withCells(order, async (moving) => {
    const { source } = moving.cells
    const { owner_id, from, to } = order
    let step = await begin(moving)
    while (step !== 'moved') step = await STEPS[step](moving)
    const move = await readMove(source, owner_id)
    return { owner_id, from: from.name, to: to.name, pause_ms: move?.pause_ms ?? null }
  })

type OutStep = Exclude<MoveStep, 'arriving' | 'arrived'>

const STEPS: Readonly<Record<Exclude<OutStep, 'moved'>, (moving: Moving) => Promise<OutStep>>> = {
  copy,
  freeze,
  switch: switchOver,
  settle,
  clean_up: cleanUp,
}

const isOutStep = (step: MoveStep): step is OutStep => step !== 'arriving' && step !== 'arrived'

/** The step at which the move is; the first one if it has not begun. */
async function begin({ cells, order, reached }: Moving): Promise<OutStep> {
  const { source, target, owner_id } = cells
  const { from, to } = order
  const known = await readMove(source, owner_id)
  if (known?.direction === 'out' && isOutStep(known.step)) {
    if (known.peer !== to.name) {
      throw new MoveFailure(`${owner_id} is moved to cell ${known.peer} and not to ${to.name}`)
    }
    return known.step
  }
  const other = await findOtherMove(source, owner_id)
  if (other !== undefined) throw new MoveFailure(`the move of ${other} must end first`)
  const refusal = await findRefusal(cells)
  if (refusal !== undefined) throw new MoveFailure(`${owner_id} cannot be moved: ${refusal}`)
  await requireInvariants(order, [from, to])
  await beginMove(target, { owner_id, direction: 'in', peer: from.name, step: 'arriving' })
  await beginMove(source, { owner_id, direction: 'out', peer: to.name, step: 'copy' })
  await reached('begun')
  return 'copy'
}

async function requireInvariants(
  { verify }: MoveOrder,
  places: readonly MoveOrder['from'][],
): Promise<void> {
  for (const { name, ...address } of places) {
    const broken = await verify(address)
    if (broken.length > 0) {
      throw new MoveFailure(
        `gapura verify finds faults in cell ${name}: ${broken.join(', ')}. Correct them, then repeat the command`,
      )
    }
  }
}

async function copy({ cells, reached, progressed }: Moving): Promise<OutStep> {
  const { source, owner_id } = cells
  const known = sleep(FRESH_MS)
  await patiently(async () => await addTriggers(source, owner_id))
  await copyAll(cells, (table, rows) => progressed(`${rows} rows of ${table}`))
  await known
  await reached('copied')
  await setStep(source, owner_id, 'freeze')
  return 'freeze'
}

/** A table that others write is changed when they leave a moment for it. */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE || tries === LOCK_TRIES_MAX) throw error
      await sleep(LOCK_AGAIN_MS)
    }
  }
}

/** From here on the owner is in the new cell. */
async function switchOver({ cells, order, reached, progressed }: Moving): Promise<OutStep> {
  const { source, target, owner_id } = cells
  const arrival = await readMove(target, owner_id)
  if (arrival?.step !== 'arrived') {
    // Together: once a worker of the new cell may act on a row, it is not written here again.
    await target.transaction(async () => {
      await releaseHeld(cells)
      await carryEvents(cells)
      await setStep(target, owner_id, 'arrived')
    })
  }
  await reached('arrived')
  await order.switchMap({ owner_id, key_hashes: await listKeyHashes(source, owner_id) })
  await noteSwitched(source, owner_id)
  await reached('switched')
  // What the proxy had sent to the old cell before gets 503 there, which callers repeat, and not 421.
  await sleep(IN_FLIGHT_MS)
  await setStep(source, owner_id, 'settle')
  progressed('switched')
  return 'settle'
}

async function settle({ cells, order, reached, progressed }: Moving): Promise<OutStep> {
  const { source, owner_id } = cells
  await endWork(cells)
  progressed(`ledger of ${await copyPostings(cells)} payments`)
  progressed(`${await copyAudit(cells)} audit entries`)
  await fillSearch(cells)
  await reached('settled')
  await requireInvariants(order, [order.to])
  await setStep(source, owner_id, 'clean_up')
  return 'clean_up'
}

async function cleanUp({ cells, order, reached, progressed }: Moving): Promise<OutStep> {
  const { source, owner_id } = cells
  await postMovedOut(cells, order.to.name)
  await reached('posted')
  progressed(`${await removeRows(source, owner_id, 'source')} rows removed from the old cell`)
  await reached('removed')
  await forgetChanges(source, owner_id)
  await patiently(async () => await dropTriggers(source))
  await requireInvariants(order, [order.from])
  await setStep(source, owner_id, 'moved')
  return 'moved'
}

/** Gives a move up: the owner stays where it is, and the copy is removed. Only before the switch. */
export const moveBack = async (order: MoveOrder): Promise<void> =>
  await withCells(order, async ({ cells }) => {
    const { source, target, owner_id } = cells
    const move = await readMove(source, owner_id)
    if (move?.direction !== 'out') throw new MoveFailure(`${owner_id} is not being moved`)
    if (move.step !== 'copy' && move.step !== 'freeze') {
      throw new MoveFailure(
        `${owner_id} is in cell ${move.peer} since the switch. Repeat the command without --back to end the move, then move the owner to cell ${order.from.name}`,
      )
    }
    await setStep(source, owner_id, 'copy')
    await setFence(source, owner_id, 'open')
    await patiently(async () => await dropTriggers(source))
    await removeRows(target, owner_id, 'target')
    const [here, there] = [order.from.name, order.to.name]
    await beginMove(target, { owner_id, direction: 'out', peer: here, step: 'moved' })
    await forgetChanges(source, owner_id)
    await beginMove(source, { owner_id, direction: 'in', peer: there, step: 'arrived' })
  })
