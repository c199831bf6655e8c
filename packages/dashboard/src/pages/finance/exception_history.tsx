import type { ReconciliationAction, ReconciliationException } from '@gapura/sdk'
import { useState } from 'react'
import { rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { useSession } from '../../session.tsx'
import { accountName } from './account_name.ts'

const CHANGES = ['exception', 'exceptions', 'payout', 'payouts', 'proofs', 'ledger']

/** What was done about an exception; a second person approves, and anything can be undone. */
export function ExceptionHistory({ exception }: { exception: ReconciliationException }) {
  const { say } = useSpeech()
  const { history } = exception
  return (
    <section className="sheet block">
      <h2>{say('exception_history')}</h2>
      {history.length === 0 ? (
        <p className="quiet">{say('exception_no_history')}</p>
      ) : (
        <ul className="plain-list">
          {history.map((action) => (
            <li key={action.id}>
              <Done action={action} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Done({ action }: { action: ReconciliationAction }) {
  const speech = useSpeech()
  const { say, word } = speech
  const may = useMay()
  const { source, destination, undone_at, undo_reason } = action
  return (
    <>
      <strong>{word('reconcile', action.action)}</strong> · {word('action_state', action.state)} ·{' '}
      {rupiah(action.amount)}
      <br />
      <span className="quiet">
        <Moment at={action.created_at} /> · {action.requested_by}
        {action.decided_by !== null && `, ${action.decided_by}`} · {action.reason}
        {source !== null &&
          destination !== null &&
          ` · ${accountName(speech, source)} → ${accountName(speech, destination)}`}
      </span>
      {undone_at !== null && (
        <p className="quiet">
          {say('exception_undone')}: <Moment at={undone_at} /> · {action.undone_by} · {undo_reason}
        </p>
      )}
      {may.has('staff:act') && action.state !== 'undone' && <Decisions action={action} />}
    </>
  )
}

function Decisions({ action }: { action: ReconciliationAction }) {
  const { say, word } = useSpeech()
  const { me, client } = useSession()
  const [asking, setAsking] = useState<'approve' | 'undo'>()
  const deciding = useAct({
    act: async ({ what, reason }: { what: 'approve' | 'undo'; reason: string }) => {
      const { reconciliation } = client.staff
      return await (what === 'approve'
        ? reconciliation.approveAction(action.id, { reason })
        : reconciliation.undoAction(action.id, { reason }))
    },
    done: (_action, { what }) => say(what === 'approve' ? 'exception_done' : 'exception_undone'),
    changes: CHANGES,
  })
  const close = (): void => setAsking(undefined)
  const may_approve = action.state === 'held' && action.requested_by !== me.owner_id
  return (
    <div className="actions">
      {may_approve && (
        <button type="button" className="small" onClick={() => setAsking('approve')}>
          {say('exception_approve')}
        </button>
      )}
      <button type="button" className="small" onClick={() => setAsking('undo')}>
        {say(action.state === 'held' ? 'exception_withdraw' : 'exception_undo')}
      </button>
      {asking !== undefined && (
        <ReasonDialog
          title={say(asking === 'approve' ? 'exception_approve_title' : 'exception_undo_title')}
          confirm={say(asking === 'approve' ? 'exception_approve_do' : 'exception_undo_do')}
          review={[
            [say('journal_what'), word('reconcile', action.action)],
            [say('column_amount'), rupiah(action.amount)],
            [say('exception_requested'), `${action.requested_by}: ${action.reason}`],
          ]}
          error={deciding.error}
          busy={deciding.isPending}
          act={(reason) => deciding.mutate({ what: asking, reason }, { onSuccess: close })}
          close={close}
        />
      )}
    </div>
  )
}
