import type { Command } from './command.ts'
import { AS_FLAG, staffOf, withGapura } from './session.ts'

interface ReleaseCommand {
  how: 'retry' | 'skip'
  summary: string
  details: string
  done: string
}

/** The two commands that end the waiting of an object's events after a failed delivery. */
export const releaseCommand = ({ how, summary, details, done }: ReleaseCommand): Command => ({
  name: `events ${how}`,
  summary,
  details,
  flags: {
    subscriber: { value: 'name', summary: 'the subscriber whose delivery failed', required: true },
    object: {
      value: 'id',
      summary: 'the object of the event, as events list shows it',
      required: true,
    },
    reason: { value: 'text', summary: 'kept on the alarm this closes' },
    as: AS_FLAG,
  },
  examples: [`gapura events ${how} --subscriber fulfilment --object <id>`],
  run: async (call) => {
    const reason = call.text('reason')
    const which = {
      subscriber: call.required('subscriber'),
      object_id: call.required('object'),
      ...(reason !== undefined && { reason }),
    }
    const dead = await withGapura(call, async ({ staff }) =>
      how === 'retry'
        ? await staff.retryEvent(staffOf(call), which)
        : await staff.skipEvent(staffOf(call), which),
    )
    call.output.result(dead, () => `Event ${dead.event_id} ${done}.`)
  },
})
