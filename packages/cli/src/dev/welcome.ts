import type { Environment } from '../command.ts'
import { record } from '../output.ts'

export interface Welcome {
  api: string
  key: string
  simulator: string
  databaseUrl: string
  samples: number
  ms: number
}

/** As whoever reads it would call us: a local install has no `gapura` on the path of the shell. */
export function commandOf({ npm_command, npm_lifecycle_event }: Environment): string {
  if (npm_lifecycle_event === 'gapura') return 'npm run -s gapura --'
  return npm_command === 'exec' ? 'npx gapura' : 'gapura'
}

/** What it is, where to look, what to do next. */
export const welcome = (
  { api, key, simulator, databaseUrl, samples, ms }: Welcome,
  command: string,
): string => `
Gapura is ready after ${(ms / 1000).toFixed(1)} s${samples > 0 ? `, with ${samples} sample payments` : ''}.

${record([
  ['API', api],
  ['docs', `${api}/docs/`],
  ['key', key],
  ['webhook', `${api}/notification/`],
  ['simulator', `${simulator}/`],
  ['database', databaseUrl],
])}

Charge a virtual account:

  curl -s ${api}/charge/ -H 'Authorization: Bearer ${key}' \\
    -H 'content-type: application/json' \\
    -d '{"payment_type":"bank_transfer","bank":"bca","gross_amount":44000}'

In another terminal, in this folder:

  ${command} payments list
  ${command} trigger payment_settled
  ${command} doctor

Signals, as they are told (Ctrl-C stops everything):
`
