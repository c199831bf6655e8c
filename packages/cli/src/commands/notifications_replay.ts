import type { Command } from '../command.ts'
import { AS_FLAG, staffOf, withGapura } from '../session.ts'

export const notificationsReplay: Command = {
  name: 'notifications replay',
  summary: 'Process a stored notification again, as if it arrived now.',
  details:
    'The same rules apply as for a new notification, so it cannot cause any other change. The result is a new row that names --as.',
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
      () => `${replayed.effect}: ${replayed.reason ?? ''}\nStored as ${replayed.id}.`,
    )
  },
}
