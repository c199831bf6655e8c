import type { Command } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { CommandFailure } from '../failure.ts'
import { AS_FLAG, keyChangeOf, withGapura } from '../session.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key permanently, from the next request on.',
  arguments: [{ name: 'id', summary: 'the id of the key, as keys list shows it' }],
  flags: { reason: { value: 'text', summary: 'why, for the audit' }, as: AS_FLAG },
  examples: ['gapura keys revoke 019a8a6e-7c1f-7d7e-9d55-0a2f6b1f9f10'],
  run: async (call) => {
    const id = call.argument('id')
    const revoked =
      UUID.test(id) &&
      (await withGapura(call, async (gapura) => await gapura.revokeApiKey(id, keyChangeOf(call))))
    if (!revoked) {
      throw new CommandFailure({
        exit_code: EXIT.not_found,
        code: 'not_found',
        message: `there is no live key ${id}`,
        advice: ['List them with gapura keys list --owner <owner>.'],
      })
    }
    call.output.result({ id, revoked }, () => `Revoked ${id}.`)
  },
}
