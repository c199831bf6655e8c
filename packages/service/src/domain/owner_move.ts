// The move of an owner to another cell (ADR 0040).

/** out: the owner leaves this cell; in: it comes here. */
export const MOVE_DIRECTIONS = ['out', 'in'] as const

export const MOVE_STEPS = [
  'copy',
  'freeze',
  'switch',
  'settle',
  'clean_up',
  'moved',
  'arriving',
  'arrived',
] as const

export type MoveStep = (typeof MOVE_STEPS)[number]

/** What the old cell refuses of the owner: nothing, new operations, or every write. */
export const FENCES = ['open', 'draining', 'frozen'] as const

export type Fence = (typeof FENCES)[number]

export interface OwnerMove {
  owner_id: string
  direction: (typeof MOVE_DIRECTIONS)[number]
  /** The other cell. */
  peer: string
  step: MoveStep
  fence: Fence
}
