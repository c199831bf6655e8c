import type { StaffIdentity } from '@gapura/sdk'
import { useSession } from '../session.tsx'

type Scope = StaffIdentity['scopes'][number]

/** What the role of the staff member allows. It decides what is shown; the service decides. */
export function useMay() {
  const { me } = useSession()
  const has = (scope: Scope): boolean => me.scopes.includes(scope)
  return {
    has,
    /** An object of another owner takes `staff:act` beside the scope of the action (ADR 0020). */
    actOn: (scope: Scope, owner_id?: string | null): boolean =>
      has(scope) && (has('staff:act') || owner_id === me.owner_id),
  }
}
