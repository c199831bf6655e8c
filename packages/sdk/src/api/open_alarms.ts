// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { AlarmKind } from './unions.ts'

export interface OpenAlarms {
  kind: AlarmKind
  count: number
}
