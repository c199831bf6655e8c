import type { World } from '../world/world.ts'

/** What the server may ask of the simulator it belongs to. */
export interface Host {
  world: () => World
  /** Deletes all data; a new seed is optional. */
  reset: (seed?: number) => void
}
