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

/** The command as the user can type it: a local install has no `gapura` on the shell's path. */
export function commandOf({ npm_command, npm_lifecycle_event }: Environment): string {
  if (npm_lifecycle_event === 'gapura') return 'npm run -s gapura --'
  return npm_command === 'exec' ? 'npx gapura' : 'gapura'
}

/** Addresses, key and next steps. */
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

Signals as they are published (Ctrl-C stops everything):
`
