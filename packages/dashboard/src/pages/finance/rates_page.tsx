import type { FeeRate } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { dayText, percentText, rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { PlainTable } from '../../parts/plain_table.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { FinanceFrame } from './finance_frame.tsx'
import { rateNoteText } from './reason_text.ts'
import { SetRate } from './set_rate.tsx'

/** What the gateway is expected to charge. */
export function RatesPage() {
  const { say, word } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['rates'],
    queryFn: async ({ signal }) => await client.staff.fees.listRates({ signal }),
  })
  return (
    <FinanceFrame title={say('finance_rates')}>
      <p className="quiet">{say('rates_lead')}</p>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && (
        <>
          <div className="filters">
            <SetRate rates={asked.data.rates} />
          </div>
          <section className="sheet block">
            <Rates rates={asked.data.rates} />
            <p className="quiet foot">
              {say('rates_rounding', { how: word('rounding', asked.data.rounding) })}
            </p>
          </section>
        </>
      )}
    </FinanceFrame>
  )
}

function Rates({ rates }: { rates: readonly FeeRate[] }) {
  const { say, word, language } = useSpeech()
  return (
    <PlainTable
      label={say('finance_rates')}
      rows={rates}
      idOf={({ id }) => id}
      columns={[
        {
          name: say('column_method'),
          cell: ({ payment_type, channel }) =>
            channel === null
              ? word('type', payment_type)
              : `${word('type', payment_type)} · ${channel.toUpperCase()}`,
        },
        { name: say('rate_from'), cell: ({ valid_from }) => dayText(language, valid_from) },
        {
          name: say('rate_percent'),
          amount: true,
          cell: ({ percent }) => percentText(language, percent),
        },
        {
          name: say('rate_fixed'),
          amount: true,
          cell: ({ fixed_amount }) => rupiah(fixed_amount),
        },
        {
          name: say('rate_vat'),
          amount: true,
          only: 'middle',
          cell: ({ vat_percent }) => percentText(language, vat_percent),
        },
        {
          name: say('rate_borne_by'),
          only: 'middle',
          cell: ({ borne_by }) => word('bearer', borne_by),
        },
        { name: say('rate_origin'), only: 'middle', cell: ({ origin }) => word('origin', origin) },
        { name: say('rate_note'), only: 'wide', cell: ({ note }) => rateNoteText(language, note) },
        { name: say('rate_by'), only: 'wide', cell: ({ updated_by }) => updated_by },
      ]}
    />
  )
}
