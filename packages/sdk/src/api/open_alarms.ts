// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { AlarmKind } from './unions.ts'

export interface OpenAlarms {
  /** The kind of the alarms. */
  kind: AlarmKind
  /** How many are open. */
  count: number
}
