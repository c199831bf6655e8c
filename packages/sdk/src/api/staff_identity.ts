// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Scopes } from './unions.ts'

export interface StaffIdentity {
  /** The name under which the caller is recorded. */
  owner_id: string
  /** What the caller may do. */
  scopes: Scopes[]
  /** The gateway environment of this installation. */
  environment: 'production' | 'sandbox'
}
