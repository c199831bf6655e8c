import { releaseCommand } from '../event_release.ts'

export const eventsRetry = releaseCommand({
  how: 'retry',
  summary: 'Have a dead event told again, and what waits behind it.',
  details:
    'By whichever process leads for the subscriber. It may fail again, and then alarms again.',
  done: 'will be told again',
})
