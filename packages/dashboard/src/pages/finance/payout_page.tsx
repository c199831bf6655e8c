import type { InsidePayout, Payout } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { dayText, minus, numberText, rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Facts } from '../../parts/facts.tsx'
import { Pill } from '../../parts/pill.tsx'
import { PlainTable } from '../../parts/plain_table.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { FinanceFrame } from './finance_frame.tsx'

const route = getRouteApi('/finance/payouts/$id')

/** A payout with the payments inside it: expected, stated and received. */
export function PayoutPage() {
  const { id } = route.useParams()
  const { say } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['payout', id],
    queryFn: async ({ signal }) => await client.staff.reconciliation.getPayout(id, { signal }),
  })
  return (
    <FinanceFrame title={asked.data?.reference ?? say('finance_payout')}>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && <Shown payout={asked.data} />}
    </FinanceFrame>
  )
}

function Shown({ payout }: { payout: Payout }) {
  const { say, word, language } = useSpeech()
  const { expected, stated, received, cause } = payout
  const gap = stated === null || received === null ? null : minus(received, stated)
  return (
    <>
      <section className="sheet block">
        <Facts
          facts={[
            [say('statement_day'), dayText(language, payout.day)],
            [say('column_status'), <Pill key="state" group="match" state={payout.state} />],
            [
              say('exception_cause'),
              cause && (
                <Link to="/finance/exceptions/$id" params={{ id: payout.id }}>
                  {word('cause', cause)}
                </Link>
              ),
            ],
            [say('payout_expected'), expected && rupiah(expected)],
            [say('payout_stated'), stated && rupiah(stated)],
            [say('payout_received'), received === null ? say('payout_not_yet') : rupiah(received)],
            [say('payout_gap'), gap !== null && gap !== '0.00' && rupiah(gap)],
            [say('payout_lines'), numberText(language, payout.lines)],
          ]}
        />
      </section>
      <section className="sheet block">
        <h2>{say('payout_inside')}</h2>
        {payout.inside.length === 0 ? (
          <p className="quiet">{say('payout_inside_unknown')}</p>
        ) : (
          <Inside rows={payout.inside} />
        )}
        {payout.inside.length < payout.lines && payout.inside.length > 0 && (
          <p className="quiet foot">
            {say('payout_more', { count: numberText(language, payout.inside.length) })}
          </p>
        )}
      </section>
    </>
  )
}

function Inside({ rows }: { rows: readonly InsidePayout[] }) {
  const { say, word } = useSpeech()
  return (
    <PlainTable
      label={say('payout_inside')}
      rows={rows}
      idOf={({ line_id }) => line_id}
      columns={[
        {
          name: say('column_order'),
          cell: ({ payment_id: id, order_id }) =>
            id === null ? (
              order_id
            ) : (
              <Link to="/payments/$id" params={{ id }}>
                {order_id ?? id}
              </Link>
            ),
        },
        { name: say('statement_kind'), only: 'middle', cell: ({ kind }) => word('line', kind) },
        { name: say('column_amount'), amount: true, cell: ({ amount }) => rupiah(amount) },
        {
          name: say('payout_fee'),
          amount: true,
          only: 'middle',
          cell: ({ fee }) => fee !== null && rupiah(fee),
        },
        {
          name: say('column_status'),
          cell: ({ state }) => state && <Pill group="match" state={state} />,
        },
        {
          name: say('exception_cause'),
          only: 'wide',
          cell: ({ cause }) => (cause === null ? '–' : word('cause', cause)),
        },
      ]}
    />
  )
}
