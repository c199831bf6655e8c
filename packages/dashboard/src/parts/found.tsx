import type { Searched, SearchMatch, StaffPaymentSummary } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { rupiah, secondText } from '../format.ts'
import { useSpeech } from '../language.ts'
import type { PaymentSearch } from '../pages/payments/payment_search.ts'
import { useSession } from '../session.tsx'
import { StatusPill } from './pill.tsx'

/** What a term finds. Every search is audited, and is as fresh as its request. */
export function useFound(q: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: ['search', q],
    queryFn: async ({ signal }) => await client.staff.search.payments({ q }, { signal }),
    enabled: q !== '',
    staleTime: 0,
    gcTime: 0,
  })
}

/** The one payment that a term names: equal to it, or the only one that begins with it. */
export function onlyOf(matches: readonly SearchMatch[]): string | undefined {
  const equal = matches.find((match) => match.equal > 0)
  if (equal !== undefined) {
    return equal.equal === 1 ? equal.results[0]?.id : undefined
  }
  const ids = new Set(matches.flatMap(({ results }) => results.map(({ id }) => id)))
  return ids.size === 1 ? [...ids][0] : undefined
}

/** The list's filter that shows all of a match, if there is one. */
export function filterOf({ kind, value, equal }: SearchMatch): PaymentSearch | undefined {
  if (kind === 'created_on') return { from: value, until: value }
  const filtered = FILTERED.find((one) => one === kind)
  return filtered === undefined || equal === 0 ? undefined : { [filtered]: value }
}

const FILTERED = [
  'customer_email',
  'va_number',
  'bill_key',
  'payment_code',
  'gross_amount',
  'transaction_id',
] as const

/** What was found, by the kind of value that it was found by. */
export function FoundGroups({ found: { matches, fresh_at, parts } }: { found: Searched }) {
  const { say, word, language } = useSpeech()
  return (
    <>
      {matches.map((match) => (
        <FoundGroup key={match.kind} name={word('kind', match.kind)} match={match} />
      ))}
      <p className="quiet">
        {say('search_fresh', { time: secondText(language, fresh_at) })}
        {!parts && ` ${say('search_beginnings')}`}
      </p>
    </>
  )
}

/** Leads to everything of the customer. */
function FoundCustomer({ row }: { row: StaffPaymentSummary }) {
  const { customer_name: name, customer_email: email, customer_phone: phone } = row
  if (email === null && phone === null) return <span className="found-customer">{name}</span>
  return (
    <Link
      className="found-customer"
      to="/customer"
      search={email === null ? { phone: phone ?? '' } : { email }}
    >
      {name ?? email ?? phone}
    </Link>
  )
}

function FoundGroup({ name, match }: { name: string; match: SearchMatch }) {
  const { say } = useSpeech()
  const filter = filterOf(match)
  return (
    <section className="found-group" aria-label={name}>
      <h2>{name}</h2>
      <ul>
        {match.results.map((row) => (
          <li key={row.id}>
            <Link to="/payments/$id" params={{ id: row.id }}>
              {row.order_id}
            </Link>
            <FoundCustomer row={row} />
            <span className="amount">{rupiah(row.gross_amount)}</span>
            <StatusPill status={row.transaction_status} fraud={row.fraud_status} />
          </li>
        ))}
      </ul>
      {match.more &&
        (filter === undefined ? (
          <p className="quiet">{say('search_more_narrow')}</p>
        ) : (
          <Link to="/payments" search={filter}>
            {say('search_more')}
          </Link>
        ))}
    </section>
  )
}
