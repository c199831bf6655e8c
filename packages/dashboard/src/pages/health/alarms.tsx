import type { Alarm } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSpeech } from '../../language.ts'
import { useFresh } from '../../live.ts'
import { useAct } from '../../parts/act_hook.ts'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { inIndonesian } from '../../texts/indonesian_alarms.ts'

/** Open alarms: assign, note, close. */
export function Alarms() {
  const { say } = useSpeech()
  const { client } = useSession()
  useFresh('alarms')
  const asked = useQuery({
    queryKey: ['alarms'],
    queryFn: async ({ signal }) =>
      await client.staff.alarms.list({ page_size: 50 }, { signal }).page(),
  })
  const alarms = asked.data?.results ?? []
  return (
    <section className="sheet block">
      <h2>{say('alarms')}</h2>
      {asked.isError && <Trouble error={asked.error} />}
      {asked.isSuccess && alarms.length === 0 && <p className="quiet">{say('alarms_none')}</p>}
      <ul className="plain-list">
        {alarms.map((alarm) => (
          <AlarmItem key={alarm.id} alarm={alarm} />
        ))}
      </ul>
    </section>
  )
}

function AlarmItem({ alarm }: { alarm: Alarm }) {
  const { say, word } = useSpeech()
  const may = useMay()
  const { kind, detail, created_at, taken_by, note } = alarm
  return (
    <li>
      <p>
        <strong>{word('alarm', kind)}</strong> <Subject alarm={alarm} />
      </p>
      <p>{word('alarm_means', kind)}</p>
      <p className="small quiet">
        <AlarmDetail detail={detail} />
      </p>
      {note !== null && <p className="note-text">{note}</p>}
      <p className="quiet small">
        <Moment at={created_at} away />
        {taken_by !== null && ` · ${say('alarm_taken')} ${taken_by}`}
      </p>
      {may.has('staff:act') && <AlarmActions alarm={alarm} />}
    </li>
  )
}

/** In the reader's language where it is known. */
function AlarmDetail({ detail }: { detail: string }) {
  const { language } = useSpeech()
  const text = language === 'en' ? undefined : inIndonesian(detail)
  return text ?? <span lang="en">{detail}</span>
}

/** Subject of the one alarm about orders of another system: it concerns no single notification. */
const FOREIGN_ORDERS_SUBJECT = '00000000-0000-4000-8000-000000000001'

/** A link to the object of the alarm, if it has a page. */
function Subject({ alarm: { subject_kind, subject_id } }: { alarm: Alarm }) {
  const id = subject_id
  const { word } = useSpeech()
  const text = `${word('object', subject_kind)} ${subject_id.slice(0, 8)}…`
  const params = { id }
  if (subject_kind === 'payment') {
    return (
      <Link to="/payments/$id" params={params}>
        {text}
      </Link>
    )
  }
  if (subject_id === FOREIGN_ORDERS_SUBJECT) {
    return (
      <Link to="/notifications" search={{ effect: 'unmatched' }}>
        {word('effect', 'unmatched')}
      </Link>
    )
  }
  if (subject_kind === 'notification') {
    return (
      <Link to="/notifications/$id" params={params}>
        {text}
      </Link>
    )
  }
  if (subject_kind === 'endpoint') {
    return (
      <Link to="/webhooks/$id" params={params} search={{}}>
        {text}
      </Link>
    )
  }
  return <span className="quiet">{text}</span>
}

function AlarmActions({ alarm: { id, kind, detail } }: { alarm: Alarm }) {
  const { say, word } = useSpeech()
  const { client } = useSession()
  const [open, setOpen] = useState<'note' | 'close' | undefined>()
  const { alarms } = client.staff
  const taking = useAct({
    act: async () => await alarms.take(id),
    done: () => say('alarm_taken_done'),
    changes: ['alarms'],
  })
  const writing = useAct({
    act: async ({ name, reason }: { name: 'note' | 'close'; reason: string }) =>
      await alarms[name](id, { reason }),
    done: (_alarm, { name }) => say(name === 'note' ? 'note_added' : 'alarm_closed_done'),
    changes: ['alarms', 'health', 'payment'],
  })
  return (
    <div className="actions">
      <button type="button" className="small" onClick={() => taking.mutate(undefined)}>
        {say('alarm_take')}
      </button>
      <button type="button" className="small" onClick={() => setOpen('note')}>
        {say('alarm_note')}
      </button>
      <button type="button" className="small" onClick={() => setOpen('close')}>
        {say('alarm_close')}
      </button>
      {taking.isError && <Trouble error={taking.error} />}
      {open && (
        <ReasonDialog
          title={word('alarm', kind)}
          confirm={say(open === 'note' ? 'alarm_note_do' : 'alarm_close_do')}
          ask={say('alarm_what_found')}
          {...(open === 'close' && {
            review: [
              [say('alarm_kind'), word('alarm', kind)],
              [say('alarm_about'), <AlarmDetail key="detail" detail={detail} />],
            ],
            effect: say('effect_of_close'),
          })}
          error={writing.error}
          busy={writing.isPending}
          act={(reason) =>
            writing.mutate({ name: open, reason }, { onSuccess: () => setOpen(undefined) })
          }
          close={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}
