import type { DueOperation } from './due.ts'

/** What was sent may still be on its way for this long; another status then proves nothing. */
export const BELIEVED_AFTER_MS = 60_000
/** After this a person is told; the looking goes on. */
export const ALARM_AFTER_MS = 24 * 3_600_000

const FIRST_MS = 5_000
/** A gateway that comes back is noticed within this, however long it was away. */
const UNREACHABLE_MS_MAX = 30_000
const BACK_OFF_MS_MAX = 3_600_000

/**
 * When to look again at what could not be ended now. A gateway that answered, but too soon to be
 * believed, is asked at the moment it can be: a whole wait from now would begin the wait anew.
 */
export function lookAgainIn(
  { quiet_ms, age_ms }: Pick<DueOperation, 'quiet_ms' | 'age_ms'>,
  answered: boolean,
): number {
  const back_off_ms = Math.min(Math.max(age_ms, FIRST_MS), BACK_OFF_MS_MAX)
  if (!answered) return Math.min(back_off_ms, UNREACHABLE_MS_MAX)
  return quiet_ms < BELIEVED_AFTER_MS
    ? Math.min(back_off_ms, BELIEVED_AFTER_MS - quiet_ms)
    : back_off_ms
}
