// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { PossibleActionName } from './unions.ts'

export interface PossibleAction {
  name: PossibleActionName
  allowed: boolean
  refusal: string | null
  why_not: string | null
}
