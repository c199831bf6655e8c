import { releaseCommand } from '../event_release.ts'

export const eventsSkip = releaseCommand({
  how: 'skip',
  summary: 'Pass a dead event over: the subscriber is never told of it.',
  details: 'The object’s later events follow. Mend by hand what the subscriber missed.',
  done: 'is passed over',
})
