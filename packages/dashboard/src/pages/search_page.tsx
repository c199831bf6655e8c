import type { Searched } from '@gapura/sdk'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSpeech } from '../language.ts'
import { useAnnounce } from '../parts/announcer.tsx'
import { filterOf, FoundGroups, onlyOf, useFound } from '../parts/found.tsx'
import { Loading, Trouble } from '../parts/states.tsx'

const route = getRouteApi('/search')

/**
 * The payment that the term names opens; several are listed, none is said. It has an address of its
 * own: while it is read, and if nothing is found, no other payment is on the screen.
 */
export function SearchPage() {
  const { q = '' } = route.useSearch()
  const { say } = useSpeech()
  const asked = useFound(q.trim())
  if (asked.data !== undefined && asked.data.matches.length > 0) return <Found found={asked.data} />
  return (
    <>
      <h1>{say('search_title')}</h1>
      {asked.isFetching && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {(asked.isSuccess || q.trim() === '') && !asked.isFetching && <NothingFound term={q} />}
    </>
  )
}

function Found({ found }: { found: Searched }) {
  const { say, word } = useSpeech()
  const announce = useAnnounce()
  const { matches } = found
  const text = matches
    .map(({ kind, results, more }) => {
      const count = more ? `${results.length}+` : results.length
      return say('search_found', { count, kind: word('kind', kind) })
    })
    .join(', ')
  useEffect(() => announce(text), [announce, text])
  const only = onlyOf(matches)
  if (only !== undefined) return <Navigate to="/payments/$id" params={{ id: only }} replace />
  const [first] = matches
  const filter = first && filterOf(first)
  if (matches.length === 1 && filter !== undefined) {
    return <Navigate to="/payments" search={filter} replace />
  }
  return (
    <>
      <h1>{say('search_title')}</h1>
      <div className="sheet">
        <FoundGroups found={found} />
      </div>
    </>
  )
}

const KINDS = [
  'customer_name',
  'customer_phone',
  'customer_email',
  'order_id',
  'va_number',
  'bill_key',
  'payment_code',
  'gross_amount',
  'created_on',
  'card_last_four',
  'refund_key',
  'transaction_id',
  'id',
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
