import type { DeadEvent } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSpeech } from '../../language.ts'
import { useFresh } from '../../live.ts'
import { useAct } from '../../parts/act_hook.ts'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

/** Events whose delivery failed: deliver again, or skip permanently. */
export function DeadEvents() {
  const { say } = useSpeech()
  const { client } = useSession()
  useFresh('events')
  const asked = useQuery({
    queryKey: ['events'],
    queryFn: async ({ signal }) =>
      await client.staff.events.list({ page_size: 50 }, { signal }).page(),
  })
  const events = asked.data?.results ?? []
  return (
    <section className="sheet block">
      <h2>{say('dead_events')}</h2>
      {asked.isError && <Trouble error={asked.error} />}
      {asked.isSuccess && events.length === 0 && <p className="quiet">{say('dead_none')}</p>}
      <ul className="plain-list">
        {events.map((event) => (
          <EventItem key={event.id} event={event} />
        ))}
      </ul>
    </section>
  )
}

function EventItem({ event }: { event: DeadEvent }) {
  const { say } = useSpeech()
  const may = useMay()
  const { subscriber, type, error, attempts, created_at } = event
  return (
    <li>
      <p>
        <strong>{type}</strong> {subscriber}
      </p>
      <p>
        <code>{error}</code>
      </p>
      <p className="quiet small">
        <Moment at={created_at} away /> · {say('event_attempts')}: {attempts}
      </p>
      {may.has('staff:act') && <EventActions event={event} />}
    </li>
  )
}

function EventActions({ event: { subscriber, object_id, type } }: { event: DeadEvent }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const [skipping, setSkipping] = useState(false)
  const changes = ['events', 'health', 'alarms'] as const
  const done = () => say('event_released')
  const { events } = client.staff
  const retry = useAct({
    act: async () => await events.retry({ subscriber, object_id }),
    done,
    changes,
  })
  const skip = useAct({
    act: async (reason: string) => await events.skip({ subscriber, object_id, reason }),
    done,
    changes,
  })
  return (
    <>
      <div className="actions">
        <button type="button" className="small" onClick={() => retry.mutate(undefined)}>
          {say('event_retry')}
        </button>
        <button type="button" className="small" onClick={() => setSkipping(true)}>
          {say('event_skip')}
        </button>
      </div>
      {retry.isError && <Trouble error={retry.error} />}
      {skipping && (
        <ReasonDialog
          title={say('event_skip_ask', { subscriber })}
          confirm={say('event_skip_do')}
          review={[
            [say('event_type'), type],
            [say('subscriber'), subscriber],
          ]}
          effect={say('effect_of_skip')}
          error={skip.error}
          busy={skip.isPending}
          act={(reason) => skip.mutate(reason, { onSuccess: () => setSkipping(false) })}
          close={() => setSkipping(false)}
        />
      )}
    </>
  )
}
