import type { Overview } from '@gapura/sdk'
import { Link } from '@tanstack/react-router'
import { numberText } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Pill } from '../../parts/pill.tsx'

/** Why payments ended without money, the most frequent first. */
export function Failures({ overview: { failures, from, until } }: { overview: Overview }) {
  const { say, word, language } = useSpeech()
  if (failures.length === 0) return null
  return (
    <section className="sheet figure-sheet">
      <h2>{say('failures')}</h2>
      <table className="plain" aria-label={say('failures')}>
        <thead>
          <tr>
            <th scope="col">{say('column_status')}</th>
            <th scope="col">{say('column_method')}</th>
            <th scope="col">{say('failure_reason')}</th>
            <th scope="col" className="amount">
              {say('count')}
            </th>
          </tr>
        </thead>
        <tbody>
          {failures.map((row) => (
            <tr key={Object.values(row).join(' ')}>
              <td>
                <Pill group="status" state={row.transaction_status} />
              </td>
              <td>{word('type', row.payment_type)}</td>
              <td>
                <Reason row={row} />
              </td>
              <td className="amount">
                <Link
                  to="/payments"
                  search={{
                    status: row.transaction_status,
                    payment_type: row.payment_type,
                    from,
                    until,
                  }}
                >
                  {numberText(language, row.count)}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** What the gateway said about a cancellation is the success of that request, and no reason. */
function Reason({ row }: { row: Overview['failures'][number] }) {
  const { status_message: message, status_code: code } = row
  if (message === null || /^success/i.test(message)) return '–'
  return code === null ? message : `${message} (${code})`
}
