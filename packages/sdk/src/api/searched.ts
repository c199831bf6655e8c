// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { SearchMatch } from './search_match.ts'

export interface Searched {
  matches: SearchMatch[]
}
