import type { Overview } from '@gapura/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { dayText, numberText, rupiah, shortRupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { BarPlot } from './bar_plot.tsx'
import { byDay } from './figures.ts'

const paidOn = (day: string) => ({ paid_from: day, paid_until: day })

/** Money by day, as a plot and as a table. */
export function Days({ overview }: { overview: Overview }) {
  const { say, language } = useSpeech()
  const navigate = useNavigate()
  const days = useMemo(() => byDay(overview), [overview])
  const names = useMemo(
    () => days.map(({ day }) => dayText(language, day).replace(/ \d{4}$/, '')),
    [days, language],
  )
  const series = useMemo(
    () => [
      {
        name: say('received'),
        colour: 'accent' as const,
        values: days.map(({ received }) => Number(received)),
      },
      {
        name: say('refunded'),
        colour: 'back' as const,
        values: days.map(({ refunded }) => Number(refunded)),
      },
    ],
    [days, say],
  )
  return (
    <section className="sheet figure-sheet">
      <h2>{say('per_day')}</h2>
      <p className="legend small" aria-hidden="true">
        <span className="swatch accent" /> {say('received')} <span className="swatch back" />{' '}
        {say('refunded')}
      </p>
      <BarPlot
        label={say('per_day')}
        names={names}
        series={series}
        valueText={(value) => shortRupiah(language, value)}
        choose={(at) => {
          const day = days[at]?.day
          if (day !== undefined) void navigate({ to: '/payments', search: paidOn(day) })
        }}
      />
      <details>
        <summary>{say('as_table')}</summary>
        <table className="plain" aria-label={say('per_day')}>
          <thead>
            <tr>
              <th scope="col">{say('day')}</th>
              <th scope="col" className="amount">
                {say('count')}
              </th>
              <th scope="col" className="amount">
                {say('received')}
              </th>
              <th scope="col" className="amount">
                {say('refunded')}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, count, received, refunded }) => (
              <tr key={day}>
                <td>
                  <Link to="/payments" search={paidOn(day)}>
                    {dayText(language, day)}
                  </Link>
                </td>
                <td className="amount">{numberText(language, count)}</td>
                <td className="amount">{rupiah(received)}</td>
                <td className="amount">{rupiah(refunded)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}
