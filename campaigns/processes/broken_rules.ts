// Rules that a campaign's API process breaks on purpose, to show that the verdict reports it. The
// service itself has no switch for it.
import diagnostics from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

const RULES: Record<string, (request: IncomingMessage) => void> = {
  /** Every repeat of a refund is a new refund. */
  'refund-idempotency': (request) => {
    if (request.url?.endsWith('/refund/') === true) delete request.headers['idempotency-key']
  },
}

/** Breaks a rule for every request from now on. */
export function breakRule(name: string): void {
  const rule = RULES[name]
  if (rule === undefined) throw new RangeError(`--break is one of ${Object.keys(RULES).join(', ')}`)
  diagnostics.subscribe('http.server.request.start', (message) => {
    rule((message as { request: IncomingMessage }).request)
  })
}
