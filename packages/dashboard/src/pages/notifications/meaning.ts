import type { NotificationSummary } from '@gapura/sdk'
import type { Speech } from '../../language.ts'

type Notification = Pick<NotificationSummary, 'effect' | 'reason' | 'transaction_status'>

/** What a notification did, in a sentence; its cause where that has one of its own. */
export function meaningOf({ say, word, named }: Speech, notification: Notification): string {
  const { effect, reason, transaction_status } = notification
  const status = transaction_status === null ? '–' : word('status', transaction_status)
  const cause = reason === null ? undefined : named(`cause_${reason}`)
  return cause ?? say(`effect_means_${effect}`, { status })
}
