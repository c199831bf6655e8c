import { useQuery } from '@tanstack/react-query'
import { numberText, rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { useFresh } from '../../live.ts'
import { useSession } from '../../session.tsx'
import { queryOf, type PaymentSearch } from './payment_search.ts'

/** Count and sum of what the filters match, whole and not only what is loaded. */
export function Totals({ search: { sort: _sort, ...filters } }: { search: PaymentSearch }) {
  const { say, language } = useSpeech()
  const { client } = useSession()
  useFresh('payment_totals')
  const asked = useQuery({
    queryKey: ['payment_totals', filters],
    queryFn: async ({ signal }) => await client.staff.payments.total(queryOf(filters), { signal }),
  })
  // The list itself says what is wrong; a missing total is only left out.
  if (asked.data === undefined) return <p className="totals quiet">&nbsp;</p>
  const { count, gross_amount, exact } = asked.data
  const values = {
    count: numberText(language, exact ? count : rounded(count)),
    amount: rupiah(exact ? gross_amount : `${rounded(Number(gross_amount))}.00`),
  }
  return (
    <p className="totals">
      {say(exact ? 'totals' : 'totals_estimated', values)}
      {!exact && <span className="quiet small"> {say('totals_estimated_why')}</span>}
    </p>
  )
}

/** An estimate has three digits that mean something. */
const rounded = (value: number): number => Math.round(Number(value.toPrecision(3)))
