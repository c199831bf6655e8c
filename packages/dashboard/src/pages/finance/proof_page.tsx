import type { BalanceProof, BalanceProofs } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { dayText, numberText, rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { DayField } from '../../parts/day_field.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Pill } from '../../parts/pill.tsx'
import { PlainTable } from '../../parts/plain_table.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { FinanceFrame } from './finance_frame.tsx'

const route = getRouteApi('/finance/proof')

/** The gateway's balance day by day, and what explains its difference to the ledger. */
export function ProofPage() {
  const { say } = useSpeech()
  const { client } = useSession()
  const navigate = useNavigate()
  const { from, until } = route.useSearch()
  const asked = useQuery({
    queryKey: ['proofs', from, until],
    queryFn: async ({ signal }) =>
      await client.staff.reconciliation.getBalanceProofs(
        { ...(from && { from }), ...(until && { to: until }) },
        { signal },
      ),
  })
  const show = (next: { from?: string | undefined; until?: string | undefined }): void =>
    void navigate({
      to: '/finance/proof',
      search: { ...(next.from && { from: next.from }), ...(next.until && { until: next.until }) },
    })
  return (
    <FinanceFrame title={say('finance_proof')}>
      <p className="quiet">{say('proof_lead')}</p>
      <div className="filters">
        <DayField
          label={say('filter_from')}
          day={from}
          choose={(day) => show({ from: day, until })}
        />
        <DayField
          label={say('filter_until')}
          day={until}
          choose={(day) => show({ from, until: day })}
        />
      </div>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && <OpenExceptions proofs={asked.data} />}
      {asked.data?.days.length === 0 && <p className="empty">{say('proof_empty')}</p>}
      {asked.data?.days.map((proof) => (
        <Day key={proof.day} proof={proof} />
      ))}
    </FinanceFrame>
  )
}

function OpenExceptions({ proofs: { exceptions } }: { proofs: BalanceProofs }) {
  const { say, word, language } = useSpeech()
  if (exceptions.length === 0) return null
  return (
    <section className="sheet block">
      <div className="block-head">
        <h2>{say('proof_exceptions')}</h2>
        <Link to="/finance/exceptions" search={{}}>
          {say('proof_show_all')}
        </Link>
      </div>
      <PlainTable
        label={say('proof_exceptions')}
        rows={exceptions}
        idOf={({ cause }) => cause}
        columns={[
          { name: say('exception_cause'), cell: ({ cause }) => word('cause', cause) },
          {
            name: say('proof_count'),
            amount: true,
            cell: ({ count }) => numberText(language, count),
          },
          {
            name: say('exception_overdue'),
            amount: true,
            only: 'middle',
            cell: ({ overdue }) => numberText(language, overdue),
          },
          { name: say('column_amount'), amount: true, cell: ({ amount }) => rupiah(amount) },
        ]}
      />
    </section>
  )
}

function Day({ proof }: { proof: BalanceProof }) {
  const { say, word, language } = useSpeech()
  const { movements, causes } = proof
  return (
    <section className="sheet block">
      <div className="block-head">
        <h2>{dayText(language, proof.day)}</h2>
        <Pill group="proof" state={proof.state} />
      </div>
      <Facts
        facts={[
          [say('ledger_opening'), rupiah(proof.opening)],
          ...movements.map(({ kind, amount }) => [word('journal', kind), rupiah(amount)] as const),
          ...causes.map(
            ({ cause, count, amount }) =>
              [`${word('cause', cause)} (${numberText(language, count)})`, rupiah(amount)] as const,
          ),
          [say('ledger_closing'), rupiah(proof.closing)],
          [say('proof_unexplained'), rupiah(proof.unexplained)],
        ]}
      />
    </section>
  )
}
