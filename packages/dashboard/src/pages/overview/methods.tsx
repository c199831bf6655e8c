import type { Overview } from '@gapura/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { numberText, shareText, spanText } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Defined } from '../../parts/defined.tsx'
import { BarPlot } from './bar_plot.tsx'

type Method = Overview['methods'][number]
type Figures = Omit<Method, 'payment_type'>

const share = ({ paid, created, open }: Method): number =>
  created === open ? 0 : (100 * paid) / (created - open)

/** Success rate and time to pay by payment method. */
export function Methods({ overview }: { overview: Overview }) {
  const { methods, from, until } = overview
  const { say, word, language } = useSpeech()
  const navigate = useNavigate()
  const choose = (at: number): void => {
    const payment_type = methods[at]?.payment_type
    if (payment_type === undefined) return
    void navigate({ to: '/payments', search: { payment_type, from, until } })
  }
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
            choose={choose}
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
            valueText={(value) => spanText(language, value * 60)}
            choose={choose}
          />
        </div>
      </div>
      <FigureTables overview={overview} />
    </section>
  )
}

/** The same figures as tables, also by bank; each name leads to its payments. */
function FigureTables({ overview: { methods, banks, from, until } }: { overview: Overview }) {
  const { say, word } = useSpeech()
  return (
    <>
      <FigureTable
        label={say('by_method')}
        column={say('column_method')}
        rows={methods.map((row) => ({
          ...row,
          key: row.payment_type,
          name: (
            <Link to="/payments" search={{ payment_type: row.payment_type, from, until }}>
              {word('type', row.payment_type)}
            </Link>
          ),
        }))}
      />
      {banks.length > 0 && (
        <FigureTable
          label={say('per_bank')}
          column={say('bank')}
          rows={banks.map((row) => ({
            ...row,
            key: `${row.payment_type} ${row.bank}`,
            name: (
              <Link
                to="/payments"
                search={{ payment_type: row.payment_type, bank: row.bank, from, until }}
              >
                {row.bank.toUpperCase()} · {word('type', row.payment_type)}
              </Link>
            ),
          }))}
        />
      )}
    </>
  )
}

/** Left out where the screen is narrow. */
const RARE: ReadonlySet<string> = new Set(['method_created', 'method_open'])

interface FigureTableProps {
  label: string
  column: string
  rows: readonly (Figures & { key: string; name: ReactNode })[]
}

function FigureTable({ label, column, rows }: FigureTableProps) {
  const { say, language } = useSpeech()
  const number = (value: number) => numberText(language, value)
  const span = (seconds: number | null) => (seconds === null ? '–' : spanText(language, seconds))
  return (
    <details open>
      <summary>{label}</summary>
      <table className="plain" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{column}</th>
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
          {rows.map((row) => (
            <tr key={row.key}>
              <td>{row.name}</td>
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
