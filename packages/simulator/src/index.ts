export { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts'

/** The release of the interface this package implements. */
export const VERSION = '1.0.0'
