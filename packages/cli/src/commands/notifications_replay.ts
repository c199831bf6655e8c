import type { Command } from '../command.ts'
import { AS_FLAG, staffOf, withGapura } from '../session.ts'

export const notificationsReplay: Command = {
  name: 'notifications replay',
  summary: 'Weigh a kept notification once more, as if it came this moment.',
  details:
    'By the same rules and through the same door as a new one: it can move nothing that a new one could not. What comes of it is a row of its own, in the name of --as.',
  arguments: [{ name: 'id', summary: 'the notification, as notifications list shows it' }],
  flags: { as: AS_FLAG },
  examples: ['gapura notifications replay 019a8a6e-7c1f-7d7e-9d55-0a2f6b1f9f10 --as dewi'],
  run: async (call) => {
    const id = call.argument('id')
    const replayed = await withGapura(
      call,
      async ({ staff }) => await staff.replayNotification(staffOf(call), id),
    )
    call.output.result(
      replayed,
      () => `${replayed.effect}: ${replayed.reason ?? ''}\nKept as ${replayed.id}.`,
    )
  },
}
