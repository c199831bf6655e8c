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
  onSignOutElsewhere,
  post,
  readSignIn,
  type SignedIn,
} from './client.ts'
import { JoinPage, joinToken } from './pages/join.tsx'
import { SignIn } from './pages/sign_in.tsx'
import { Loading, Trouble } from './parts/states.tsx'

interface Session {
  client: Client
  me: StaffIdentity
  /** Absent if the host's application identifies the user. */
  signed_in: SignedIn | undefined
  /** Absent likewise. */
  signOut: ((everywhere?: boolean) => void) | undefined
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('useSession needs a signed-in user')
  return session
}

/** Shows the pages to staff and the sign-in form to others. */
export function Gate({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const signing = useQuery({
    queryKey: ['sign_in'],
    queryFn: async ({ signal }) => await readSignIn(signal),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data: state } = signing
  const signed_in = state?.session ?? undefined
  const csrf_token = signed_in?.csrf_token
  const client = useMemo(() => clientFor(csrf_token), [csrf_token])
  const asked = useQuery({
    queryKey: ['me', csrf_token ?? 'host'],
    queryFn: async ({ signal }) => await client.staff.me.get({ signal }),
    // Without a session of our own only a host can know the user.
    enabled: state !== undefined && (signed_in !== undefined || state.methods === null),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [joining, setJoining] = useState(() => joinToken() !== undefined)
  // The next user must not see cached data of this one. The query of this component stays in the
  // cache: one that was removed from it would not be read again.
  const again = useCallback(() => {
    setJoining(false)
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'sign_in' })
    void queries.refetchQueries({ queryKey: ['sign_in'] })
  }, [queries])
  const signOut = useCallback(
    (everywhere = false) => {
      void post('sign_out', { everywhere }, csrf_token).finally(() => {
        announceSignOut()
        again()
      })
    },
    [again, csrf_token],
  )
  useEffect(() => onSignOutElsewhere(again), [again])
  const { data: me } = asked
  const session = useMemo(
    () => me && { client, me, signed_in, signOut: signed_in && signOut },
    [client, me, signed_in, signOut],
  )
  if (joining) return <JoinPage done={again} />
  if (signing.isError) return <Trouble error={signing.error} again={() => void signing.refetch()} />
  if (state === undefined || asked.isLoading) return <Loading />
  if (session !== undefined) return <SessionContext value={session}>{children}</SessionContext>
  if (asked.isError && !isNotStaff(asked.error)) {
    return <Trouble error={asked.error} again={() => void asked.refetch()} />
  }
  return <SignIn methods={state.methods} done={again} />
}
