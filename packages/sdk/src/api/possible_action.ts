// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { PossibleActionName } from './unions.ts'

export interface PossibleAction {
  /** The action. */
  name: PossibleActionName
  /** Whether it is possible now. */
  allowed: boolean
  /** The error code that it would be refused with; null where it is possible. */
  refusal: string | null
  /** The same in words. */
  why_not: string | null
}
