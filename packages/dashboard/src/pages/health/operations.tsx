import type { Operation } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSpeech } from '../../language.ts'
import { useFresh } from '../../live.ts'
import { useAct } from '../../parts/act_hook.ts'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { Select } from '../../parts/select.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

/** Operations with an unknown outcome; the resolver retries the look-up, staff may resolve. */
export function Operations() {
  const { say } = useSpeech()
  const { client } = useSession()
  useFresh('operations')
  const asked = useQuery({
    queryKey: ['operations'],
    queryFn: async ({ signal }) =>
      await client.staff.operations.list({ page_size: 50 }, { signal }).page(),
  })
  const operations = asked.data?.results ?? []
  return (
    <section className="sheet block">
      <h2>{say('operations')}</h2>
      {asked.isError && <Trouble error={asked.error} />}
      {asked.isSuccess && operations.length === 0 && (
        <p className="quiet">{say('operations_none')}</p>
      )}
      <ul className="plain-list">
        {operations.map((operation) => (
          <OperationItem key={operation.id} operation={operation} />
        ))}
      </ul>
    </section>
  )
}

function OperationItem({ operation }: { operation: Operation }) {
  const { say, word } = useSpeech()
  const may = useMay()
  const [open, setOpen] = useState(false)
  const { kind, state, subject_kind, subject_id, created_at } = operation
  return (
    <li>
      <p>
        <strong>{word('operation', kind)}</strong> <Pill group="state" state={state} />{' '}
        {subject_kind === 'payment' ? (
          <Link to="/payments/$id" params={{ id: subject_id }}>
            {subject_id.slice(0, 8)}…
          </Link>
        ) : (
          <span className="quiet">{`${subject_kind} ${subject_id.slice(0, 8)}…`}</span>
        )}
      </p>
      <p className="quiet small">
        <Moment at={created_at} away />
      </p>
      {subject_kind === 'payment' && may.has('staff:act') && (
        <div className="actions">
          <button type="button" className="small" onClick={() => setOpen(true)}>
            {say('operation_resolve')}
          </button>
        </div>
      )}
      {open && <ResolveDialog operation={operation} close={() => setOpen(false)} />}
    </li>
  )
}

const OUTCOMES = ['look', 'done', 'refused'] as const

function ResolveDialog({ operation, close }: { operation: Operation; close: () => void }) {
  const { say, word } = useSpeech()
  const { client } = useSession()
  const [outcome, setOutcome] = useState<(typeof OUTCOMES)[number]>('look')
  const resolving = useAct({
    act: async (reason: string) =>
      await client.staff.operations.resolve(operation.id, { outcome, reason }),
    done: ({ operation: { state } }) => say('operation_resolved', { state: word('state', state) }),
    changes: ['operations', 'health', 'payment', 'alarms'],
  })
  return (
    <ReasonDialog
      title={word('operation', operation.kind)}
      confirm={say('operation_resolve_do')}
      review={[
        [say('operation_kind'), word('operation', operation.kind)],
        [say('operation_outcome'), word('outcome', outcome)],
      ]}
      effect={say('operation_lead')}
      error={resolving.error}
      busy={resolving.isPending}
      act={(reason) => resolving.mutate(reason, { onSuccess: close })}
      close={close}
    >
      <p className="quiet">{say('operation_lead')}</p>
      <Select
        label={say('operation_outcome')}
        value={outcome}
        options={OUTCOMES.map((one) => [one, word('outcome', one)] as const)}
        choose={(next) => setOutcome(OUTCOMES.find((one) => one === next) ?? 'look')}
      />
    </ReasonDialog>
  )
}
