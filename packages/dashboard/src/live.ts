// Keeps lists up to date without reading them repeatedly: the regular request contains no personal
// data, and only a change makes a list be read again (ADR 0024).
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSession } from './session.tsx'

const PULSE_MS = 4_000

/** The time of the last change, and the number of items that need attention. */
export function usePulse() {
  const { client } = useSession()
  return useQuery({
    queryKey: ['pulse'],
    queryFn: async ({ signal }) => await client.staff.pulse.get({ signal }),
    refetchInterval: PULSE_MS,
  }).data
}

/** Reads the queries under a key again after any change. */
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

export const isScrolled = (data: unknown): boolean =>
  typeof data === 'object' &&
  data !== null &&
  'pages' in data &&
  Array.isArray(data.pages) &&
  data.pages.length > 1
