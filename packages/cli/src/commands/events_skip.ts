import { releaseCommand } from '../event_release.ts'

export const eventsSkip = releaseCommand({
  how: 'skip',
  summary: 'Skip a dead event: it is never delivered to the subscriber.',
  details: 'The later events of the object follow. Correct by hand what the subscriber missed.',
  done: 'is skipped',
})
