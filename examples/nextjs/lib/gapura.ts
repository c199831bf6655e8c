import { createGapura, readConfig, type Gapura } from 'gapura'

const held = globalThis as { gapura?: Gapura }

/** One for the process: Next loads modules anew while developing. Made when used, not when built. */
export const gapuraOfProcess = (): Gapura =>
  (held.gapura ??= createGapura({ ...readConfig().gapura, prefix: '/pay' }))
