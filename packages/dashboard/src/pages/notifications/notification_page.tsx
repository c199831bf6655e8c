import type { NotificationDetail } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSpeech } from '../../language.ts'
import { BackLink } from '../../parts/back_link.tsx'
import { useAct } from '../../parts/act_hook.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { ConfirmDialog } from '../../parts/reason_dialog.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { meaningOf } from './meaning.ts'

const route = getRouteApi('/notifications/$id')

export function NotificationPage() {
  const { id } = route.useParams()
  const { say } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['notification', id],
    queryFn: async ({ signal }) => await client.staff.notifications.get(id, { signal }),
    staleTime: 60_000,
  })
  return (
    <>
      <BackLink to="/notifications">{say('back_to_notifications')}</BackLink>
      <h1>{say('notification')}</h1>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && <Notification notification={asked.data} />}
    </>
  )
}

function Notification({ notification }: { notification: NotificationDetail }) {
  const speech = useSpeech()
  const { say, word } = speech
  const may = useMay()
  const { id, payment_id, order_id, effect, reason, transaction_status } = notification
  const { transaction_id } = notification
  return (
    <>
      <p className="why">
        {transaction_status !== null && <Pill group="status" state={transaction_status} />}{' '}
        <Pill group="effect" state={effect} /> {meaningOf(speech, notification)}
      </p>
      {may.has('staff:act') && <Replay id={id} />}
      <div className="columns">
        <section className="sheet">
          <h2>{say('reference')}</h2>
          <Facts
            facts={[
              [say('notification'), <Copyable key="id" what={say('notification')} text={id} />],
              [say('order_id'), order_id],
              [
                say('transaction_id'),
                transaction_id && (
                  <Copyable key="transaction" what={say('transaction_id')} text={transaction_id} />
                ),
              ],
              [say('column_received'), <Moment key="at" at={notification.created_at} />],
              [
                say('verified_with'),
                notification.verified_with && word('server_key', notification.verified_with),
              ],
              [say('column_reason'), reason && <code>{reason}</code>],
              [say('owner'), notification.owner_id],
              [
                say('page_payment'),
                payment_id && (
                  <Link className="id-link" to="/payments/$id" params={{ id: payment_id }}>
                    {payment_id}
                  </Link>
                ),
              ],
            ]}
          />
        </section>
        <section className="sheet">
          <h2>{say('payload')}</h2>
          <pre tabIndex={0}>{JSON.stringify(notification.raw_payload, null, 2)}</pre>
        </section>
      </div>
    </>
  )
}

function Replay({ id }: { id: string }) {
  const { say, word } = useSpeech()
  const { client } = useSession()
  const [asking, setAsking] = useState(false)
  const replaying = useAct({
    act: async () => await client.staff.notifications.replay(id),
    done: ({ effect }) => say('replayed', { effect: word('effect', effect) }),
    changes: ['notifications', 'attention', 'payment', 'payments'],
  })
  return (
    <section className="actions" aria-label={say('actions')}>
      <button type="button" onClick={() => setAsking(true)}>
        {say('replay')}
      </button>
      {asking && (
        <ConfirmDialog
          title={say('replay_ask')}
          confirm={say('replay_do')}
          error={replaying.error}
          busy={replaying.isPending}
          act={() => replaying.mutate(undefined, { onSuccess: () => setAsking(false) })}
          close={() => setAsking(false)}
        />
      )}
    </section>
  )
}
