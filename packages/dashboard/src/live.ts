// Lists that stay fresh without being read over and over: what is asked every few seconds names
// nobody, and only a change makes the list be read again (ADR 0024).
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSession } from './session.tsx'

const PULSE_MS = 4_000

/** When something last happened anywhere, and how much waits for a person. */
export function usePulse() {
  const { client } = useSession()
  return useQuery({
    queryKey: ['pulse'],
    queryFn: async ({ signal }) => await client.staff.pulse.get({ signal }),
    refetchInterval: PULSE_MS,
  }).data
}

/** Reads the queries under a key again when something has happened anywhere. */
export function useFresh(key: string): void {
  const queries = useQueryClient()
  const data = usePulse()
  const beat = data && JSON.stringify(data)
  const last = useRef(beat)
  useEffect(() => {
    if (last.current !== undefined && last.current !== beat) {
      // A list that was scrolled stays as it is: the rows under the reader must not move.
      void queries.invalidateQueries({
        queryKey: [key],
        predicate: ({ state }) => !isScrolled(state.data),
      })
    }
    last.current = beat
  }, [beat, key, queries])
}

const isScrolled = (data: unknown): boolean =>
  typeof data === 'object' &&
  data !== null &&
  'pages' in data &&
  Array.isArray(data.pages) &&
  data.pages.length > 1
