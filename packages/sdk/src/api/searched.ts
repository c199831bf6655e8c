// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { SearchMatch } from './search_match.ts'

export interface Searched {
  /** One entry for each reading of the term that found payments. */
  matches: SearchMatch[]
}
