import type { Command } from '../command.ts'
import { AS_FLAG, staffOf, withGapura } from '../session.ts'

export const alarmsClose: Command = {
  name: 'alarms close',
  summary: 'Close an alarm and record what was found.',
  arguments: [{ name: 'id', summary: 'the alarm, as alarms list shows it' }],
  flags: {
    reason: { value: 'text', summary: 'what you found or did; kept permanently', required: true },
    as: AS_FLAG,
  },
  examples: ['gapura alarms close <id> --reason "goods sent, customer informed" --as dewi'],
  run: async (call) => {
    const input = { reason: call.required('reason') }
    const closed = await withGapura(
      call,
      async ({ staff }) => await staff.closeAlarm(staffOf(call), call.argument('id'), input),
    )
    call.output.result(closed, () => `Closed ${closed.kind}, by ${closed.closed_by ?? '?'}.`)
  },
}
