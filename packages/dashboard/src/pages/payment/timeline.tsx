import type { StaffPayment } from '@gapura/sdk'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { secondText } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { isRead, timelineOf, type TimelineEntry } from './timeline_entries.ts'

export function Timeline({ detail }: { detail: StaffPayment }) {
  const speech = useSpeech()
  const { say } = speech
  const entries = useMemo(() => timelineOf(speech, detail), [speech, detail])
  return (
    <section className="sheet">
      <h2>{say('timeline')}</h2>
      <p className="quiet small">{say('timeline_lead')}</p>
      <ol className="timeline">
        {entries.map((entry) => (
          <Entry key={`${entry.kind} ${entry.id}`} entry={entry} />
        ))}
      </ol>
      <Looks detail={detail} />
    </section>
  )
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { say, language } = useSpeech()
  const { kind, at, title, detail, evidence, notification_id } = entry
  return (
    <li className={kind}>
      <p className="title">{title}</p>
      <p className="quiet small">
        <time dateTime={at}>{secondText(language, at)}</time>
      </p>
      {detail !== '' && <p className="small">{detail}</p>}
      {evidence !== undefined && (
        <details>
          <summary>{say('show_reply')}</summary>
          <pre tabIndex={0}>{JSON.stringify(evidence, null, 2)}</pre>
        </details>
      )}
      {notification_id !== undefined && (
        <Link className="small" to="/notifications/$id" params={{ id: notification_id }}>
          {say('show_payload')}
        </Link>
      )}
    </li>
  )
}

/** Which staff members viewed the payment, and when. */
function Looks({ detail: { acts } }: { detail: StaffPayment }) {
  const { say, language } = useSpeech()
  const looks = acts.filter(({ action }) => isRead(action))
  if (looks.length === 0) return null
  return (
    <details>
      <summary>
        {say('looked')}: {say('looked_line', { count: looks.length })}
      </summary>
      <ul className="looks small">
        {looks.map(({ id, actor, occurred_at }) => (
          <li key={id}>
            {actor}, <time dateTime={occurred_at}>{secondText(language, occurred_at)}</time>
          </li>
        ))}
      </ul>
    </details>
  )
}
