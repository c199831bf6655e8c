import type { Client, StaffIdentity } from '@gapura/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useMemo, useState, type ReactNode } from 'react'
import { clientFor, isStranger, keepKey, keptKey } from './client.ts'
import { SignIn } from './pages/sign_in.tsx'
import { Loading, Trouble } from './parts/states.tsx'

interface Session {
  client: Client
  me: StaffIdentity
  /** Nothing to end where the host's session speaks. */
  signOut: (() => void) | undefined
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('nobody is signed in')
  return session
}

/** Shows the pages to staff, and to everybody else the way in. */
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
  const useKey = (next: string | undefined): void => {
    keepKey(next)
    // What one person saw is not for the next one.
    queries.clear()
    setKey(next)
  }
  const { data: me } = asked
  const session = useMemo(
    () => me && { client, me, signOut: key === undefined ? undefined : () => useKey(undefined) },
    // useKey is made anew each time and does the same; with it here the session never stood still.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [client, me, key],
  )
  if (asked.isPending) return <Loading />
  if (session === undefined) {
    if (!isStranger(asked.error)) {
      return <Trouble error={asked.error} again={() => void asked.refetch()} />
    }
    return <SignIn refused={key !== undefined} enter={useKey} />
  }
  return <SessionContext value={session}>{children}</SessionContext>
}
