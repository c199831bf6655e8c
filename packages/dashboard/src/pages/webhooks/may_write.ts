import type { WebhookEndpoint } from '@gapura/sdk'
import { useSession } from '../../session.tsx'

/** What the staff member may do with endpoints; the service decides. */
export function useMayWrite() {
  const { me } = useSession()
  const writes = me.scopes.includes('webhooks:write')
  const acts = me.scopes.includes('staff:act')
  return {
    create: writes,
    /** The events of every owner are for staff who act for all of them. */
    allOwners: acts,
    change: ({ owner_id }: Pick<WebhookEndpoint, 'owner_id'>) =>
      writes && (acts || owner_id === me.owner_id),
  }
}
