import type { Command } from '../command.ts'
import { timeOf } from '../formats.ts'
import { table } from '../output.ts'
import { withGapura } from '../session.ts'

export const keysList: Command = {
  name: 'keys list',
  summary: 'List the API keys of an owner, revoked and expired ones too.',
  flags: { owner: { value: 'owner', summary: 'the owner', required: true } },
  examples: ['gapura keys list --owner shop'],
  run: async (call) => {
    const owner = call.required('owner')
    const results = await withGapura(call, async (gapura) => await gapura.listApiKeys(owner))
    call.output.result({ results }, () =>
      results.length === 0
        ? `No keys of ${owner}.`
        : table(results, [
            { title: 'ID', of: ({ id }) => id },
            { title: 'NAME', of: ({ name }) => name },
            { title: 'STAFF', of: ({ staff }) => (staff ? 'yes' : 'no') },
            { title: 'SCOPES', of: ({ scopes }) => scopes.join(' ') || '-' },
            { title: 'EXPIRES', of: ({ expires_at }) => timeOf(expires_at) },
            { title: 'REVOKED', of: ({ revoked_at }) => timeOf(revoked_at) },
          ]),
    )
  },
}
