import type { Environment } from '../command.ts'
import { record } from '../output.ts'

export interface Welcome {
  api: string
  key: string
  simulator: string
  databaseUrl: string
  samples: number
  /** Whether the staff pages are installed. */
  dashboard: boolean
  /** Objects of earlier runs that wait for a payer the new simulator does not know. */
  lost: number
  ms: number
}

/** The command as the user can type it: a local install has no `gapura` on the shell's path. */
export function commandOf({ npm_command, npm_lifecycle_event }: Environment): string {
  if (npm_lifecycle_event === 'gapura') return 'npm run -s gapura --'
  return npm_command === 'exec' ? 'npx gapura' : 'gapura'
}

const lossOf = (lost: number): string => `
The simulator keeps nothing between runs: ${lost} open payments, invoices or subscriptions of earlier
runs are unknown to it and stay as they are. gapura dev --fresh starts without them.
`

/** Addresses, key and next steps. */
export const welcome = (
  { api, key, simulator, databaseUrl, samples, dashboard, lost, ms }: Welcome,
  command: string,
): string => `
Gapura is ready after ${(ms / 1000).toFixed(1)} s${samples > 0 ? `, with ${samples} sample payments` : ''}.

${record([
  ['API', api],
  ['docs', `${api}/docs/`],
  ['dashboard', dashboard ? `${api}/dashboard/` : 'not here: npm install @gapura/dashboard'],
  ['key', key],
  ['webhook', `${api}/notification/`],
  ['simulator', `${simulator}/`],
  ['database', databaseUrl],
])}
${lost === 0 ? '' : lossOf(lost)}
Charge a virtual account:

  curl -s ${api}/charge/ -H 'Authorization: Bearer ${key}' \\
    -H 'content-type: application/json' \\
    -d '{"payment_type":"bank_transfer","bank":"bca","gross_amount":44000}'

In another terminal, in this folder:

  ${command} payments list
  ${command} trigger payment_settled
  ${command} doctor

Requests as they are answered, signals as they are published (Ctrl-C stops everything):
`
