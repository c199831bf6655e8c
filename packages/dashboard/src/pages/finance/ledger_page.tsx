import type { LedgerAccount, LedgerClosing } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { dayText, jakartaDay, rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { DayField } from '../../parts/day_field.tsx'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { PlainTable } from '../../parts/plain_table.tsx'
import { ConfirmDialog } from '../../parts/reason_dialog.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { accountName } from './account_name.ts'
import { FinanceFrame } from './finance_frame.tsx'

const route = getRouteApi('/finance/ledger')

/** The balance of every account, now or at the end of a day, and the closed days. */
export function LedgerPage() {
  const { say } = useSpeech()
  const navigate = useNavigate()
  const { day } = route.useSearch()
  return (
    <FinanceFrame title={say('finance_ledger')}>
      <div className="filters">
        <DayField
          label={say('ledger_day')}
          day={day}
          choose={(next) =>
            void navigate({
              to: '/finance/ledger',
              search: next === undefined ? {} : { day: next },
            })
          }
        />
        <Link to="/finance/journal" search={{ day: day ?? jakartaDay() }}>
          {say('ledger_journal_of_day')}
        </Link>
      </div>
      <Balances day={day} />
      <ClosedDays />
    </FinanceFrame>
  )
}

function Balances({ day }: { day: string | undefined }) {
  const { say, language } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['ledger', 'balances', day],
    queryFn: async ({ signal }) =>
      await client.staff.ledger.getBalances(day === undefined ? {} : { day }, { signal }),
  })
  if (asked.isPending) return <Loading />
  if (asked.isError) return <Trouble error={asked.error} again={() => void asked.refetch()} />
  const { accounts, sum, unbooked_payments: missing } = asked.data
  return (
    <section className="sheet block">
      <h2>
        {day === undefined
          ? say('ledger_balances')
          : say('ledger_balances_on', { day: dayText(language, day) })}
      </h2>
      {missing > 0 && <p className="notice">{say('ledger_missing', { count: missing })}</p>}
      {accounts.length === 0 ? (
        <p className="quiet">{say('ledger_empty')}</p>
      ) : (
        <Accounts accounts={accounts} />
      )}
      <p className="quiet foot">{say('ledger_sum', { amount: rupiah(sum) })}</p>
    </section>
  )
}

function Accounts({ accounts }: { accounts: readonly LedgerAccount[] }) {
  const speech = useSpeech()
  const { say } = speech
  return (
    <PlainTable
      label={say('ledger_balances')}
      rows={accounts}
      idOf={({ account }) => account}
      columns={[
        {
          name: say('ledger_account'),
          cell: ({ account }) => (
            <Link to="/finance/account" search={{ account }} title={account}>
              {accountName(speech, account)}
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
      ]}
    />
  )
}

function ClosedDays() {
  const { say, language } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['ledger', 'closings'],
    queryFn: async ({ signal }) => await client.staff.ledger.listClosings({ signal }),
  })
  const closings = asked.data?.closings ?? []
  return (
    <section className="sheet block">
      <div className="block-head">
        <h2>{say('ledger_closed_days')}</h2>
        <CloseDay last={closings[0]} />
      </div>
      {asked.isError && <Trouble error={asked.error} />}
      {asked.isSuccess && closings.length === 0 && (
        <p className="quiet">{say('ledger_none_closed')}</p>
      )}
      {closings.length > 0 && (
        <PlainTable
          label={say('ledger_closed_days')}
          rows={closings}
          idOf={({ day }) => day}
          columns={[
            {
              name: say('ledger_closed_until'),
              cell: ({ day }) => (
                <Link to="/finance/ledger" search={{ day }}>
                  {dayText(language, day)}
                </Link>
              ),
            },
            {
              name: say('ledger_closed_at'),
              only: 'middle',
              cell: ({ closed_at }) => <Moment at={closed_at} />,
            },
            { name: say('ledger_closed_by'), cell: ({ closed_by }) => closed_by },
            {
              name: say('ledger_totals'),
              cell: ({ sealed_at }) =>
                say(sealed_at === null ? 'ledger_unsealed' : 'ledger_sealed'),
            },
          ]}
        />
      )}
    </section>
  )
}

/** Closing cannot be undone: the second step names the day. */
function CloseDay({ last }: { last: LedgerClosing | undefined }) {
  const { say, language } = useSpeech()
  const { client } = useSession()
  const may = useMay()
  const [day, setDay] = useState<string>()
  const closing = useAct({
    act: async (until: string) => await client.staff.ledger.closeDay({ day: until }),
    done: (closed) => say('ledger_close_done', { day: dayText(language, closed.day) }),
    changes: ['ledger'],
  })
  if (!may.has('staff:act')) return null
  return (
    <>
      <button type="button" onClick={() => setDay(jakartaDay(-1))}>
        {say('ledger_close')}
      </button>
      {day !== undefined && (
        <ConfirmDialog
          title={say('ledger_close_title', { day: dayText(language, day) })}
          confirm={say('ledger_close_do')}
          error={closing.error}
          busy={closing.isPending}
          act={() => closing.mutate(day, { onSuccess: () => setDay(undefined) })}
          close={() => setDay(undefined)}
        >
          <label>
            {say('ledger_close_day')}
            <input
              type="date"
              required
              value={day}
              min={last?.day}
              max={jakartaDay(-1)}
              onChange={({ target }) => setDay(target.value || jakartaDay(-1))}
            />
          </label>
          <p>{say('ledger_close_effect')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
