import type { Overview } from '@gapura/sdk'
import { useMemo } from 'react'
import { numberText, shareText, spanText } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Defined } from '../../parts/defined.tsx'
import { BarPlot } from './bar_plot.tsx'

type Method = Overview['methods'][number]

const share = ({ paid, created, open }: Method): number =>
  created === open ? 0 : (100 * paid) / (created - open)

/** Success rate and time to pay by payment method. */
export function Methods({ overview: { methods } }: { overview: Overview }) {
  const { say, word, language } = useSpeech()
  const names = useMemo(
    () => methods.map(({ payment_type }) => word('type', payment_type)),
    [methods, word],
  )
  const success = useMemo(
    () => [{ name: say('success'), colour: 'accent' as const, values: methods.map(share) }],
    [methods, say],
  )
  const times = useMemo(
    () => [
      {
        name: say('median'),
        colour: 'open' as const,
        values: methods.map(({ median_s }) => (median_s ?? 0) / 60),
      },
      {
        name: say('nine_of_ten'),
        colour: 'back' as const,
        values: methods.map(({ slow_s }) => (slow_s ?? 0) / 60),
      },
    ],
    [methods, say],
  )
  if (methods.length === 0) return <p className="empty">{say('nothing_yet')}</p>
  return (
    <section className="sheet figure-sheet">
      <h2>{say('per_method')}</h2>
      <div className="plots">
        <div>
          <Defined term={say('success')} meaning={say('success_def')} />
          <BarPlot
            label={say('success')}
            names={names}
            series={success}
            valueText={(value) => shareText(language, value, 100)}
          />
        </div>
        <div>
          <Defined term={say('time_to_pay')} meaning={say('time_to_pay_def')} />{' '}
          <span className="legend small" aria-hidden="true">
            <span className="swatch open" /> {say('median')} <span className="swatch back" />{' '}
            {say('nine_of_ten')}
          </span>
          <BarPlot
            label={say('time_to_pay')}
            names={names}
            series={times}
            valueText={(value) => spanText(value * 60)}
          />
        </div>
      </div>
      <MethodTable methods={methods} />
    </section>
  )
}

/** Left out where the screen is narrow. */
const RARE: ReadonlySet<string> = new Set(['method_created', 'method_open'])

function MethodTable({ methods }: { methods: readonly Method[] }) {
  const { say, word, language } = useSpeech()
  const number = (value: number) => numberText(language, value)
  const span = (seconds: number | null) => (seconds === null ? '–' : spanText(seconds))
  return (
    <details open>
      <summary>{say('as_table')}</summary>
      <table className="plain" aria-label={say('per_method')}>
        <thead>
          <tr>
            <th scope="col">{say('column_method')}</th>
            {(['method_created', 'method_paid', 'method_open', 'success', 'median'] as const).map(
              (name) => (
                <th key={name} scope="col" className={`amount ${RARE.has(name) ? 'middle' : ''}`}>
                  {say(name)}
                </th>
              ),
            )}
            <th scope="col" className="amount middle">
              {say('nine_of_ten')}
            </th>
          </tr>
        </thead>
        <tbody>
          {methods.map((row) => (
            <tr key={row.payment_type}>
              <td>{word('type', row.payment_type)}</td>
              <td className="amount middle">{number(row.created)}</td>
              <td className="amount">{number(row.paid)}</td>
              <td className="amount middle">{number(row.open)}</td>
              <td className="amount">{shareText(language, row.paid, row.created - row.open)}</td>
              <td className="amount">{span(row.median_s)}</td>
              <td className="amount middle">{span(row.slow_s)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
