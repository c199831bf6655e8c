import type { Subscription } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { BackLink } from '../../parts/back_link.tsx'
import { useAct } from '../../parts/act_hook.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { PaymentsOf } from '../../parts/payments_of.tsx'
import { Pill } from '../../parts/pill.tsx'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

const route = getRouteApi('/subscriptions/$id')

export function SubscriptionPage() {
  const { id } = route.useParams()
  const { say } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['subscription', id],
    queryFn: async ({ signal }) => await client.subscriptions.get(id, { signal }),
    staleTime: 30_000,
  })
  return (
    <>
      <BackLink to="/subscriptions">{say('back_to_subscriptions')}</BackLink>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && <Shown subscription={asked.data} />}
    </>
  )
}

function Shown({ subscription }: { subscription: Subscription }) {
  const { say, word } = useSpeech()
  const { interval, interval_unit, current_interval: done, max_interval: max } = subscription
  return (
    <article>
      <header className="headline">
        <h1>{rupiah(subscription.amount)}</h1>
        <Pill group="subscription" state={subscription.status} />
        <span className="quiet">{subscription.name}</span>
      </header>
      <SubscriptionActions subscription={subscription} />
      <div className="columns">
        <section className="sheet">
          <h2>{say('subscription')}</h2>
          <Facts
            facts={[
              [say('customer'), payeeOf(subscription)],
              [say('email'), subscription.customer_email],
              [say('phone'), subscription.customer_phone],
              [say('column_method'), word('type', subscription.payment_type)],
              [
                say('every'),
                `${interval} ${word('unit', interval === 1 ? interval_unit : `${interval_unit}s`)}`,
              ],
              [say('cycles'), say('cycles_done', { done, max: max ?? '∞' })],
              [
                say('next_cycle'),
                subscription.next_execution_at && (
                  <Moment at={subscription.next_execution_at} away />
                ),
              ],
              [
                say('last_cycle'),
                subscription.start_time && <Moment at={subscription.start_time} />,
              ],
              [
                say('reference'),
                <Copyable key="id" what={say('subscription')} text={subscription.id} />,
              ],
              [say('created'), <Moment key="created" at={subscription.created_at} />],
            ]}
          />
        </section>
        <PaymentsOf title={say('cycles')} filter={{ subscription_id: subscription.id }} />
      </div>
    </article>
  )
}

const payeeOf = ({ customer_first_name, customer_last_name, customer_email }: Subscription) =>
  [customer_first_name, customer_last_name].filter(Boolean).join(' ') || (customer_email ?? '')

type Action = 'disable' | 'enable' | 'cancel'

/** The actions that a status allows (ADR 0012); the service decides. */
const ALLOWED: Readonly<Record<string, readonly Action[]>> = {
  active: ['disable', 'cancel'],
  disabled: ['enable', 'cancel'],
  inactive: ['cancel'],
}

function SubscriptionActions({ subscription }: { subscription: Subscription }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const may = useMay()
  const [open, setOpen] = useState<Action | undefined>()
  const close = (): void => setOpen(undefined)
  const acting = useAct({
    act: async ({ name, reason }: { name: Action; reason: string }) =>
      await client.staff.subscriptions[name](subscription.id, { reason }),
    done: (_subscription, { name }) => say(`subscription_done_${name}`),
    changes: ['subscription', 'subscriptions'],
  })
  const actions = ALLOWED[subscription.status] ?? []
  const values = {
    amount: rupiah(subscription.amount),
    payee: payeeOf(subscription) || say('someone'),
  }
  if (actions.length === 0 || !may.actOn('subscriptions:write')) return null
  return (
    <section className="actions" aria-label={say('actions')}>
      {actions.map((name) => (
        <button key={name} type="button" onClick={() => setOpen(name)}>
          {say(`subscription_${name}`)}
        </button>
      ))}
      {open && (
        <ReasonDialog
          title={say(`subscription_ask_${open}`, values)}
          confirm={say(`subscription_do_${open}`)}
          review={[
            [say('subscription'), subscription.name],
            [say('column_amount'), values.amount],
            [say('customer'), values.payee],
          ]}
          effect={say(`subscription_effect_${open}`)}
          {...(open === 'cancel' && { dismiss: say('keep_subscription') })}
          error={acting.error}
          busy={acting.isPending}
          act={(reason) => acting.mutate({ name: open, reason }, { onSuccess: close })}
          close={close}
        />
      )}
    </section>
  )
}
