// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Scopes } from './unions.ts'

export interface StaffIdentity {
  owner_id: string
  scopes: Scopes[]
  environment: 'production' | 'sandbox'
}
