import type { ReconciliationException } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { dayText, rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Facts } from '../../parts/facts.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { ExceptionActions } from './exception_actions.tsx'
import { ExceptionHistory } from './exception_history.tsx'
import { FinanceFrame } from './finance_frame.tsx'

const route = getRouteApi('/finance/exceptions/$id')

/** One difference: both sides of it, what can be done, and what was done. */
export function ExceptionPage() {
  const { id } = route.useParams()
  const { say, word } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['exception', id],
    queryFn: async ({ signal }) => await client.staff.reconciliation.getException(id, { signal }),
  })
  const cause = asked.data?.cause
  return (
    <FinanceFrame title={cause ? word('cause', cause) : say('finance_exception')}>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && (
        <>
          <ExceptionActions exception={asked.data} />
          <Sides exception={asked.data} />
          <ExceptionHistory exception={asked.data} />
        </>
      )}
    </FinanceFrame>
  )
}

const amountOf = (amount: string | null): string | null => (amount === null ? null : rupiah(amount))

function Sides({ exception }: { exception: ReconciliationException }) {
  const { say, word, language } = useSpeech()
  const { payment_id: id, kind, order_id } = exception
  return (
    <section className="sheet block">
      <h2>{say('exception_sides')}</h2>
      <Facts
        facts={[
          [say('column_status'), <Pill key="state" group="match" state={exception.state} />],
          [say('exception_about'), word('about', kind)],
          [
            say('column_order'),
            id === null ? (
              order_id
            ) : (
              <Link to="/payments/$id" params={{ id }}>
                {order_id ?? id}
              </Link>
            ),
          ],
          [say('statement_reference'), exception.reference],
          [say('exception_ours'), amountOf(exception.ours)],
          [say('exception_theirs'), amountOf(exception.theirs)],
          [say('exception_received'), amountOf(exception.received)],
          [say('exception_fee'), amountOf(exception.fee)],
          [say('exception_expected_fee'), amountOf(exception.expected_fee)],
          [say('exception_effect'), rupiah(exception.effect)],
          [say('statement_day'), dayText(language, exception.day)],
          [say('exception_due'), exception.due_on && dayText(language, exception.due_on)],
          [
            say('exception_matched_by'),
            exception.matched_by !== '' && word('matched_by', exception.matched_by),
          ],
        ]}
      />
    </section>
  )
}
