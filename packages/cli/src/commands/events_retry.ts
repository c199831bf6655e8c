import { releaseCommand } from '../event_release.ts'

export const eventsRetry = releaseCommand({
  how: 'retry',
  summary: 'Deliver a dead event again, and the events that wait for it.',
  details:
    'The process that leads the subscriber delivers it. If it fails again, it opens an alarm again.',
  done: 'will be delivered again',
})
