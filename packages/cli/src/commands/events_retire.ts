import type { Command } from '../command.ts'
import { AS_FLAG, staffOf, withGapura } from '../session.ts'

export const eventsRetire: Command = {
  name: 'events retire',
  summary: 'Retire a subscriber whose code is gone.',
  details:
    'It no longer counts as waiting, holds no month of events back, and the alarms about its failed events are closed. Refused while a process delivers to it. A process that subscribes under the name again continues where it stood; events it failed at are not repeated.',
  arguments: [{ name: 'subscriber', summary: 'the name given to subscribe()' }],
  flags: {
    reason: { value: 'text', summary: 'why, for the audit' },
    as: AS_FLAG,
  },
  examples: ['gapura events retire fulfilment'],
  run: async (call) => {
    const reason = call.text('reason')
    const order = { subscriber: call.argument('subscriber'), ...(reason && { reason }) }
    const retired = await withGapura(
      call,
      async ({ staff }) => await staff.retireSubscriber(staffOf(call), order),
    )
    const { subscriber, forgotten } = retired
    call.output.result(
      retired,
      () => `${subscriber} is retired; ${forgotten} failed events are forgotten.`,
    )
  },
}
