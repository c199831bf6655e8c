import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayText, jakartaDay } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { useAnnounce } from '../../parts/announcer.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { save } from '../payments/export_button.tsx'
import { FinanceFrame } from './finance_frame.tsx'

/** The month before this one. */
const formerMonth = (): string => jakartaDay(-Number(jakartaDay().slice(8))).slice(0, 7)

const lastDayOf = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

/** The file of a month: every movement with gross, fee, VAT, refunds and net. */
export function MonthPage() {
  const { say, language } = useSpeech()
  const { client } = useSession()
  const announce = useAnnounce()
  const [month, setMonth] = useState(formerMonth)
  const closings = useQuery({
    queryKey: ['ledger', 'closings'],
    queryFn: async ({ signal }) => await client.staff.ledger.listClosings({ signal }),
  })
  const exporting = useMutation({
    mutationFn: async (ending: 'csv' | 'xlsx') => {
      const { ledger } = client.staff
      const stream = await (ending === 'csv'
        ? ledger.exportMonth({ month })
        : ledger.exportXlsxMonth({ month }))
      return await new Response(stream).blob()
    },
    onSuccess: (blob, ending) => {
      const name = `month-${month}.${ending}`
      save(blob, name)
      announce(say('exported', { name }))
    },
  })
  const closed = closings.data?.closings[0]?.day
  const open = closings.isSuccess && (closed === undefined || closed < lastDayOf(month))
  return (
    <FinanceFrame title={say('finance_month')}>
      <p className="quiet">{say('month_lead')}</p>
      <div className="filters">
        <label>
          {say('month')}
          <input
            type="month"
            required
            value={month}
            onChange={({ target }) => setMonth(target.value || formerMonth())}
          />
        </label>
        <button
          type="button"
          disabled={exporting.isPending}
          onClick={() => exporting.mutate('xlsx')}
        >
          {say('month_xlsx')}
        </button>
        <button
          type="button"
          disabled={exporting.isPending}
          onClick={() => exporting.mutate('csv')}
        >
          {say(exporting.isPending ? 'exporting' : 'month_csv')}
        </button>
      </div>
      {exporting.isError && <Trouble error={exporting.error} />}
      {open && (
        <p className="notice">
          {closed === undefined
            ? say('month_none_closed')
            : say('month_open', { day: dayText(language, closed) })}
        </p>
      )}
      <Columns />
    </FinanceFrame>
  )
}

const COLUMNS = [
  'gross',
  'fee',
  'vat',
  'refunds',
  'chargebacks',
  'net',
  'refunds_outside',
  'fee_basis',
  'payout_id',
] as const

function Columns() {
  const { say, word } = useSpeech()
  return (
    <section className="sheet block">
      <h2>{say('month_columns')}</h2>
      <dl className="facts">
        {COLUMNS.map((name) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{word('month', name)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
