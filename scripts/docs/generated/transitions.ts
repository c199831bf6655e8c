// The transition table as a page and as a picture, by asking the code about every pair.
import {
  answerFor,
  decideTransition,
  type Known,
  type Report,
} from '../../../packages/service/src/domain/payment_transitions.ts'
import {
  FRAUD_STATUSES,
  PAYMENT_STATUSES,
  REPORTED_STATUSES,
  type FraudStatus,
  type PaymentStatus,
  type ReportedStatus,
} from '../../../packages/service/src/domain/payment_status.ts'
import { made, table } from './made.ts'

const REPORTED = REPORTED_STATUSES
const FRAUDS: readonly (FraudStatus | null)[] = [null, ...FRAUD_STATUSES]
const HELD = 100n

const known = (status: PaymentStatus, fraud: FraudStatus | null = null): Known => ({
  status,
  fraud,
  was_paid: false,
  refunded_amount: HELD,
})
const report = (status: ReportedStatus, more: Partial<Report> = {}): Report => ({
  status,
  fraud: null,
  refund_amount: null,
  ...more,
})

/** What the code answers for a pair, over everything else that it looks at. */
function cellOf(from: PaymentStatus, to: ReportedStatus): string {
  const byFraud = new Set(
    FRAUDS.flatMap((fraud) =>
      FRAUDS.map((said) => answerFor(known(from, fraud), report(to, { fraud: said }))),
    ),
  )
  const grown = answerFor(known(from), report(to, { refund_amount: HELD + 1n }))
  const same = answerFor(known(from), report(to, { refund_amount: HELD }))
  if (grown !== same) return `${grown}³`
  if (byFraud.size === 1) return grown
  return byFraud.has('ask') ? 'move²' : 'move¹'
}

const NOTES = `¹ if it ends a fraud review, otherwise stale. ² out of a fraud review, otherwise ask. ³ if the refunded amount has grown, otherwise stale.`

/** What each transition to a status publishes. Where it depends on the known status, each is named. */
const signalRows = (): string[][] => REPORTED.map((to) => [`\`${to}\``, signalsAt(to)])

function signalsAt(to: ReportedStatus): string {
  const moves = PAYMENT_STATUSES.flatMap((from) => {
    const move = decideTransition(known(from), report(to, { refund_amount: HELD + 1n }), 'report')
    return move.kind === 'move' ? [{ from, signal: move.signal }] : []
  })
  const bySignal = Map.groupBy(moves, ({ signal }) => signal)
  const listed = [...bySignal].map(([signal, some]) => {
    const said = signal === null ? 'none' : `\`${signal}\``
    const froms = some.map(({ from }) => `\`${from}\``).join(', ')
    return bySignal.size === 1 ? said : `${said} from ${froms}`
  })
  return listed.join('; ')
}

export const transitionsPage = (): string => `${made('Transitions of a payment')}
Charge replies, notifications, status checks, actions and sweeps all report a status. One table says what a report means for a payment in a given status, so two sources cannot disagree. \`domain/payment_transitions.ts\` holds the table; this page asks it about every pair.

- **move**: the payment takes the reported status. History row, payment row and at most one event are written in one transaction.
- **stale**: the payment is already past the reported status. The report is stored and changes nothing, except that it may fill detail fields that are still empty. Repeated and late reports end here.
- **ask**: the report alone is not enough. It is stored as \`deferred\`, the gateway is asked with \`get_status\`, and its answer may be applied. An answer that would take the payment back to where it may have been, asked for within a minute of the last transition, may be older than it: the gateway is asked again until the minute has passed.

![The table as a picture](../images/transitions.svg)

## The table

Rows are the known status, columns the reported one.

${table(
  ['', ...REPORTED.map((to) => `\`${to}\``)],
  PAYMENT_STATUSES.map((from) => [`\`${from}\``, ...REPORTED.map((to) => cellOf(from, to))]),
)}

${NOTES}

## Events

${table(['Reaches', 'Event'], signalRows())}

\`payment_settled\` is published when a payment first counts as paid: at \`settlement\`, or at a card's \`capture\` that is not in review. A jump over several statuses publishes only the event of the last one. Money that arrives after a payment has ended moves it only after the gateway confirmed it, and opens an alarm ([ADR 0001](../decisions/0001-one-transition-table.md)).
`

const COLOURS: Readonly<Record<string, string>> = {
  move: '#cfe6d4',
  ask: '#f6dfb8',
  stale: '#eceae7',
}
const CELL = { width: 62, height: 26, left: 132, top: 112 }

/** The same table as a picture. */
export function transitionsPicture(): string {
  const { width, height, left, top } = CELL
  const columns = REPORTED.map((to, column) => {
    const x = left + column * width + width / 2
    return `<text transform="translate(${x + 4} ${top - 8}) rotate(-50)">${to}</text>`
  })
  const rows = PAYMENT_STATUSES.map((from, row) => {
    const y = top + row * height
    const cells = REPORTED.map((to, column) => {
      const word = cellOf(from, to)
      const x = left + column * width
      const colour = COLOURS[word.replace(/[¹²³]/, '')] ?? '#fff'
      return `<rect x="${x}" y="${y}" width="${width - 2}" height="${height - 2}" rx="3" fill="${colour}"/><text x="${x + width / 2 - 1}" y="${y + 16}" text-anchor="middle">${word}</text>`
    })
    return `<text x="${left - 8}" y="${y + 16}" text-anchor="end">${from}</text>${cells.join('')}`
  })
  const right = left + REPORTED.length * width + 40
  const bottom = top + PAYMENT_STATUSES.length * height + 14
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${right} ${bottom}" width="${right}" height="${bottom}" font-family="system-ui, sans-serif" font-size="12" fill="#22262e">
<title>What a report means: rows are the known status, columns the reported one</title>
<rect width="${right}" height="${bottom}" rx="8" fill="#fdfcfb"/>
${columns.join('\n')}
${rows.join('\n')}
</svg>
`
}
