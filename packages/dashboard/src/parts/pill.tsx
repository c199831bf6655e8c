import { useSpeech } from '../language.ts'

/** The colour class of each state. */
const PILL_CLASSES: Readonly<Record<string, string>> = {
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
  enabled: 'good',
  paused: 'open',
  delivered: 'good',
  open: 'open',
  completed: 'good',
  expected: 'open',
  matched: 'good',
  mismatched: 'bad',
  missing_here: 'bad',
  missing_there: 'bad',
  late: 'warn',
  resolved: 'gone',
  proved: 'good',
  waiting: 'open',
  unexplained: 'bad',
}

/** A state as coloured text; the text is complete without the colour. */
export function Pill({ group, state }: { group: string; state: string }) {
  const { word } = useSpeech()
  const text = word(group, state)
  return (
    <span className={`pill ${PILL_CLASSES[state] ?? 'gone'}`} title={text}>
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
