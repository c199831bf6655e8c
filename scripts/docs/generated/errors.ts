import { ERRORS, PROBLEMS } from 'gapura'
import { made } from './made.ts'

const STAGES = {
  before: 'Nothing was sent to the gateway.',
  at: 'The gateway was asked.',
  after: 'The gateway has done it.',
} as const

const errorEntry = ([code, row]: [string, (typeof ERRORS)[keyof typeof ERRORS]]): string => {
  const status =
    row.status === row.status_on_charge
      ? `${row.status}`
      : `${row.status}, on \`POST /charge/\` ${row.status_on_charge}`
  const outcome = row.definite
    ? row.stage === 'after'
      ? ''
      : ' The outcome is definite: nothing was done.'
    : ' **The gateway may have acted: read the current state before you repeat.**'
  const again = row.retryable ? ' The same request may succeed later.' : ''
  return `### ${code}

${row.title}. ${row.advice}

HTTP ${status} · \`${row.kind}\`. ${STAGES[row.stage]}${outcome}${again}`
}

const problemEntry = ([code, row]: [string, (typeof PROBLEMS)[keyof typeof PROBLEMS]]): string =>
  `### ${code}

${row.title}. ${row.advice}

HTTP ${row.status}.`

export const errorsPage = (): string => `${made('Errors')}
Every failure is answered with \`application/problem+json\` (RFC 9457):

\`\`\`json
{
  "type": "urn:gapura:problem:duplicate_order",
  "title": "${ERRORS.duplicate_order.title}",
  "status": 400,
  "detail": "${ERRORS.duplicate_order.advice}",
  "code": "duplicate_order",
  "errors": [],
  "retryable": false,
  "request_id": "req-019b8be5-7d80-7aa1-8f00-000000000000",
  "payment_id": "019b8be5-7d80-7aa1-8f00-000000000000"
}
\`\`\`

Decide by \`code\`: it is stable, and it is the anchor on this page. \`title\` and \`detail\` are for people. \`errors\` names fields, \`gateway\` quotes the gateway's answer, \`request_id\` is in the log. In-process callers get a \`GatewayError\` or a \`RequestProblem\` with that \`code\`.

Three questions decide what to do next:

1. **May the request have had an effect?** Only [outcome_unknown](#outcome_unknown), [outcome_not_recorded](#outcome_not_recorded), [gateway_failed](#gateway_failed) and [gateway_duplicate](#gateway_duplicate) leave that open. Read the payment, or repeat with the same Idempotency-Key; never send a new request.
2. **May the same request succeed later?** \`retryable\` says so. Wait for \`Retry-After\`.
3. Otherwise it was refused: correct the request.

## Failures

${Object.entries(ERRORS).map(errorEntry).join('\n\n')}

## Answers to requests

These are about the request or the caller; no operation was started.

${Object.entries(PROBLEMS).map(problemEntry).join('\n\n')}
`
