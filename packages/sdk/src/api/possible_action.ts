// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { PossibleActionName } from './unions.ts'

export interface PossibleAction {
  name: PossibleActionName
  allowed: boolean
  refusal: string | null
  why_not: string | null
}
