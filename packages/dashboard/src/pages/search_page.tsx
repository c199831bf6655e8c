import type { SearchMatch } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSpeech } from '../language.ts'
import { useAnnounce } from '../parts/announcer.tsx'
import { Loading, Trouble } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import type { PaymentSearch } from './payments/payment_search.ts'

const route = getRouteApi('/search')

/**
 * One payment opens, several are listed, none is said. It has an address of its own: while it is
 * read, and if nothing is found, no other payment is on the screen.
 */
export function SearchPage() {
  const { q = '' } = route.useSearch()
  const { say } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['search', q],
    queryFn: async ({ signal }) => await client.staff.search.payments({ q }, { signal }),
    enabled: q.trim() !== '',
    // Every search is audited and is as fresh as its Enter.
    staleTime: 0,
    gcTime: 0,
  })
  const first = asked.data?.matches[0]
  if (first !== undefined) return <Found match={first} />
  return (
    <>
      <h1>{say('search_title')}</h1>
      {asked.isFetching && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {(asked.isSuccess || q.trim() === '') && !asked.isFetching && <NothingFound term={q} />}
    </>
  )
}

function Found({ match }: { match: SearchMatch }) {
  const { say, word } = useSpeech()
  const announce = useAnnounce()
  const { kind, results, more } = match
  const count = more ? `${results.length}+` : results.length
  const text = say('search_found', { count, kind: word('kind', kind) })
  useEffect(() => announce(text), [announce, text])
  const [only] = results
  if (results.length === 1 && only !== undefined) {
    return <Navigate to="/payments/$id" params={{ id: only.id }} replace />
  }
  return <Navigate to="/payments" search={filterOf(match)} replace />
}

/** The list's filter that shows all of a match. */
function filterOf({ kind, value }: SearchMatch): PaymentSearch {
  if (kind === 'created_on') return { from: value, until: value }
  if (kind === 'id') return {}
  return { [kind]: value }
}

const KINDS = [
  'order_id',
  'id',
  'transaction_id',
  'va_number',
  'bill_key',
  'payment_code',
  'customer_email',
  'gross_amount',
  'created_on',
] as const

function NothingFound({ term }: { term: string }) {
  const { say, word } = useSpeech()
  return (
    <section className="sheet nothing-found">
      <p role="status">
        <strong>{say(term.trim() === '' ? 'search_empty' : 'search_none', { term })}</strong>
      </p>
      <p>{say('search_whole')}</p>
      <ul>
        {KINDS.map((kind) => (
          <li key={kind}>{word('kind', kind)}</li>
        ))}
      </ul>
      <p>
        <Link to="/payments" search={{}}>
          {say('search_all_payments')}
        </Link>
      </p>
    </section>
  )
}
