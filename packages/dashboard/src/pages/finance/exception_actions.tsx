import type { ReconciliationActInput, ReconciliationException } from '@gapura/sdk'
import { useState } from 'react'
import { rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { useMay } from '../../parts/may.ts'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { useSession } from '../../session.tsx'

type Action = ReconciliationActInput['action']

const CHANGES = ['exception', 'exceptions', 'payout', 'payouts', 'proofs', 'ledger', 'payment']

/** What can be done about an open exception; the usual action is first. */
export function ExceptionActions({ exception }: { exception: ReconciliationException }) {
  const { say, word } = useSpeech()
  const may = useMay()
  const [asking, setAsking] = useState<Action>()
  const { actions, proposed_action, state, waits_for_second_person } = exception
  const is_open = state !== 'matched' && state !== 'expected' && state !== 'resolved'
  if (waits_for_second_person) return <p className="notice">{say('exception_waits')}</p>
  if (!is_open || !may.has('staff:act')) return null
  return (
    <section className="actions" aria-label={say('actions')}>
      {actions.map((action) => (
        <button
          key={action}
          type="button"
          className={action === proposed_action ? 'primary' : undefined}
          onClick={() => setAsking(action)}
        >
          {word('reconcile', action)}
        </button>
      ))}
      {asking && (
        <Decide exception={exception} action={asking} close={() => setAsking(undefined)} />
      )}
    </section>
  )
}

interface DecideProps {
  exception: ReconciliationException
  action: Action
  close: () => void
}

function Decide({ exception, action, close }: DecideProps) {
  const { say, word } = useSpeech()
  const { client } = useSession()
  const [owner, setOwner] = useState('')
  const needs_owner = action === 'adopt'
  const acting = useAct({
    act: async (reason: string) =>
      await client.staff.reconciliation.actOnException(exception.id, {
        action,
        reason,
        ...(needs_owner && { owner_id: owner.trim() }),
      }),
    done: (after) => say(after.waits_for_second_person ? 'exception_waits' : 'exception_done'),
    changes: CHANGES,
  })
  const { cause, order_id, reference } = exception
  return (
    <ReasonDialog
      title={word('reconcile_title', action)}
      confirm={word('reconcile_do', action)}
      ready={!needs_owner || owner.trim() !== ''}
      review={[
        [say('exception_cause'), cause && word('cause', cause)],
        [say('exception_subject'), order_id ?? reference],
        [say('exception_effect'), rupiah(exception.effect)],
        [say('owner'), needs_owner && owner.trim()],
      ]}
      effect={word('reconcile_effect', action)}
      error={acting.error}
      busy={acting.isPending}
      act={(reason) => acting.mutate(reason, { onSuccess: close })}
      close={close}
    >
      {needs_owner && (
        <label>
          {say('exception_owner')}
          <input
            value={owner}
            maxLength={255}
            required
            onChange={({ target }) => setOwner(target.value)}
          />
        </label>
      )}
    </ReasonDialog>
  )
}
