import type { Overview } from '@gapura/sdk'
import { numberText, rupiah, shareText } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Defined } from '../../parts/defined.tsx'

/** Expected fees by payment method. */
export function Costs({ overview: { costs } }: { overview: Overview }) {
  const { say, word, language } = useSpeech()
  if (costs.length === 0) return null
  return (
    <section className="sheet">
      <h2>
        <Defined term={say('costs')} meaning={say('costs_def')} />
      </h2>
      <table className="plain" aria-label={say('costs')}>
        <thead>
          <tr>
            <th scope="col">{say('column_method')}</th>
            <th scope="col" className="amount">
              {say('amount_captured')}
            </th>
            <th scope="col" className="amount">
              {say('expected_fee')}
            </th>
            <th scope="col" className="amount middle">
              {say('expected_vat')}
            </th>
            <th scope="col" className="amount">
              {say('costs_share')}
            </th>
            <th scope="col" className="amount middle">
              {say('costs_unrated')}
            </th>
          </tr>
        </thead>
        <tbody>
          {costs.map((row) => (
            <tr key={row.payment_type}>
              <td>{word('type', row.payment_type)}</td>
              <td className="amount">{rupiah(row.amount)}</td>
              <td className="amount">{known(row, rupiah(row.expected_fee))}</td>
              <td className="amount middle">{known(row, rupiah(row.expected_vat))}</td>
              <td className="amount">
                {known(
                  row,
                  shareText(
                    language,
                    Number(row.expected_fee) + Number(row.expected_vat),
                    Number(row.amount),
                  ),
                )}
              </td>
              <td className="amount middle">{numberText(language, row.unrated)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Without a rate for any payment the cost is not known, and is not 0. */
const known = ({ count, unrated }: Overview['costs'][number], text: string): string =>
  unrated === count ? '–' : text
