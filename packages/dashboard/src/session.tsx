import type { Client, StaffIdentity } from '@gapura/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from 'react'
import {
  announceSignOut,
  clientFor,
  isNotStaff,
  keepKey,
  keptKey,
  onSignOutElsewhere,
} from './client.ts'
import { SignIn } from './pages/sign_in.tsx'
import { Loading, Trouble } from './parts/states.tsx'

interface Session {
  client: Client
  me: StaffIdentity
  /** Absent if the host's session identifies the user. */
  signOut: (() => void) | undefined
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('useSession needs a signed-in user')
  return session
}

/** Shows the pages to staff and the sign-in form to others. */
export function Gate({ children }: { children: ReactNode }) {
  const [key, setKey] = useState(keptKey)
  const queries = useQueryClient()
  const client = useMemo(() => clientFor(key), [key])
  const asked = useQuery({
    queryKey: ['me', key ?? 'host'],
    queryFn: async ({ signal }) => await client.staff.me.get({ signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const enter = useCallback(
    (next: string | undefined): void => {
      keepKey(next)
      // The next user must not see cached data of this one.
      queries.clear()
      setKey(next)
    },
    [queries],
  )
  const signOut = useCallback(() => {
    announceSignOut()
    enter(undefined)
  }, [enter])
  // Tabs that were opened from one another are one user: signing out ends all of them.
  useEffect(() => onSignOutElsewhere(() => enter(undefined)), [enter])
  const { data: me } = asked
  const session = useMemo(
    () => me && { client, me, signOut: key === undefined ? undefined : signOut },
    [client, me, key, signOut],
  )
  if (asked.isPending) return <Loading />
  if (session === undefined) {
    if (!isNotStaff(asked.error)) {
      return <Trouble error={asked.error} again={() => void asked.refetch()} />
    }
    return <SignIn refused={key !== undefined} enter={enter} />
  }
  return <SessionContext value={session}>{children}</SessionContext>
}
