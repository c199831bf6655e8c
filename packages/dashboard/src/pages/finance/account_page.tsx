import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { dayText, rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { DayField } from '../../parts/day_field.tsx'
import { Facts } from '../../parts/facts.tsx'
import { PlainTable } from '../../parts/plain_table.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { accountName } from './account_name.ts'
import { FinanceFrame } from './finance_frame.tsx'

const route = getRouteApi('/finance/account')

/** One account day by day. */
export function AccountPage() {
  const speech = useSpeech()
  const { say } = speech
  const navigate = useNavigate()
  const { account = 'gateway:pending', from, until } = route.useSearch()
  const show = (next: { from?: string | undefined; until?: string | undefined }): void =>
    void navigate({
      to: '/finance/account',
      search: {
        account,
        ...(next.from && { from: next.from }),
        ...(next.until && { until: next.until }),
      },
    })
  return (
    <FinanceFrame title={accountName(speech, account)}>
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
        <span className="quiet">
          <code>{account}</code>
        </span>
      </div>
      <Days account={account} from={from} until={until} />
    </FinanceFrame>
  )
}

interface DaysProps {
  account: string
  from: string | undefined
  until: string | undefined
}

function Days({ account, from, until }: DaysProps) {
  const { say, language } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['ledger', 'account', account, from, until],
    queryFn: async ({ signal }) =>
      await client.staff.ledger.getAccount(
        { account, ...(from && { from }), ...(until && { until }) },
        { signal },
      ),
  })
  if (asked.isPending) return <Loading />
  if (asked.isError) return <Trouble error={asked.error} again={() => void asked.refetch()} />
  const shown = asked.data
  const title = say('ledger_days', {
    from: dayText(language, shown.from),
    until: dayText(language, shown.until),
  })
  return (
    <section className="sheet block">
      <h2>{title}</h2>
      <Facts
        facts={[
          [say('ledger_opening'), rupiah(shown.opening_balance)],
          [say('ledger_closing'), rupiah(shown.closing_balance)],
        ]}
      />
      {shown.days.length === 0 ? (
        <p className="quiet">{say('ledger_no_days')}</p>
      ) : (
        <PlainTable
          label={title}
          rows={shown.days}
          idOf={({ day }) => day}
          columns={[
            {
              name: say('ledger_booked_on'),
              cell: ({ day }) => (
                <Link to="/finance/journal" search={{ account, day }}>
                  {dayText(language, day)}
                </Link>
              ),
            },
            {
              name: say('ledger_debit'),
              amount: true,
              only: 'middle',
              cell: ({ debit }) => rupiah(debit),
            },
            {
              name: say('ledger_credit'),
              amount: true,
              only: 'middle',
              cell: ({ credit }) => rupiah(credit),
            },
            { name: say('ledger_balance'), amount: true, cell: ({ balance }) => rupiah(balance) },
            {
              name: say('ledger_closed'),
              only: 'middle',
              cell: ({ closed }) => say(closed ? 'yes' : 'no'),
            },
          ]}
        />
      )}
    </section>
  )
}
