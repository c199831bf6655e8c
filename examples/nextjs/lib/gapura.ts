import { createGapura, readConfig, type Gapura } from 'gapura'

const held = globalThis as { gapura?: Gapura }

/** One for the process: Next reloads modules in development. Created at first use, not at build. */
export const gapuraOfProcess = (): Gapura =>
  (held.gapura ??= createGapura({ ...readConfig().gapura, prefix: '/pay' }))
