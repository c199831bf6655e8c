import { useSpeech } from '../language.ts'

/** How a state feels: still open, good, gone, given back, or to be looked at. */
const MOODS: Readonly<Record<string, string>> = {
  initiated: 'open',
  pending: 'open',
  authorize: 'open',
  capture: 'good',
  settlement: 'good',
  deny: 'bad',
  failure: 'bad',
  cancel: 'gone',
  expire: 'gone',
  partial_refund: 'back',
  refund: 'back',
  partial_chargeback: 'bad',
  chargeback: 'bad',
  challenge: 'warn',
  succeeded: 'good',
  failed: 'bad',
  started: 'open',
  refused: 'bad',
  unknown: 'warn',
  applied: 'good',
  duplicate: 'gone',
  stale: 'gone',
  deferred: 'open',
  unmatched: 'warn',
  mismatch: 'bad',
  paid: 'good',
  overdue: 'warn',
  voided: 'gone',
  expired: 'gone',
  active: 'good',
  disabled: 'warn',
  cancelled: 'gone',
}

/** A state as a word, coloured for the eye; the word alone says it all. */
export function Pill({ group, state }: { group: string; state: string }) {
  const { word } = useSpeech()
  const text = word(group, state)
  return (
    <span className={`pill ${MOODS[state] ?? 'gone'}`} title={text}>
      {text}
    </span>
  )
}

/** A payment's state; one in review is not yet captured. */
export const StatusPill = ({ status, fraud }: { status: string; fraud: string | null }) => (
  <Pill
    group="status"
    state={status === 'capture' && fraud === 'challenge' ? 'challenge' : status}
  />
)
