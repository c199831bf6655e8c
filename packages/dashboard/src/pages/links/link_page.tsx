import type { Checkout } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { useFresh } from '../../live.ts'
import { useAct } from '../../parts/act_hook.ts'
import { BackLink } from '../../parts/back_link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { PaymentsOf } from '../../parts/payments_of.tsx'
import { Pill } from '../../parts/pill.tsx'
import { QrCode } from '../../parts/qr_code.tsx'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

const route = getRouteApi('/links/$id')

export function LinkPage() {
  const { id } = route.useParams()
  const { say } = useSpeech()
  const { client } = useSession()
  useFresh('link')
  const asked = useQuery({
    queryKey: ['link', id],
    queryFn: async ({ signal }) => await client.checkouts.get(id, { signal }),
  })
  return (
    <>
      <BackLink to="/links">{say('back_to_links')}</BackLink>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && <Shown checkout={asked.data} />}
    </>
  )
}

function Shown({ checkout }: { checkout: Checkout }) {
  const { say } = useSpeech()
  return (
    <article>
      <header className="headline">
        <h1>{rupiah(checkout.amount)}</h1>
        <Pill group="checkout" state={checkout.status} />
        <span className="quiet order">{checkout.order_id}</span>
      </header>
      <Cancel checkout={checkout} />
      {checkout.page_closed === false && <p className="notice">{say('link_not_closed')}</p>}
      <div className="columns">
        <div>
          <LinkFacts checkout={checkout} />
        </div>
        <div>
          {checkout.redirect_url !== null && (
            <section className="sheet">
              <h2>{say('link')}</h2>
              <Copyable what={say('link')} text={checkout.redirect_url} quiet />
              <QrCode text={checkout.redirect_url} label={say('link_qr')} />
            </section>
          )}
          <PaymentsOf title={say('payments_of')} filter={{ checkout_id: checkout.id }} />
        </div>
      </div>
    </article>
  )
}

function LinkFacts({ checkout }: { checkout: Checkout }) {
  const { say, word } = useSpeech()
  const { customer_first_name: first, customer_last_name: last } = checkout
  const name = [first, last].filter((one) => one !== null).join(' ')
  const methods = checkout.payment_types?.map((one) => word('type', one)).join(', ')
  return (
    <section className="sheet">
      <h2>{say('link_details')}</h2>
      <Facts
        facts={[
          [say('link_description'), checkout.description],
          [say('customer'), name === '' ? null : name],
          [say('email'), checkout.customer_email],
          [say('phone'), checkout.customer_phone],
          [say('link_methods'), methods ?? say('link_all_methods')],
          [say('link_ends'), checkout.expires_at && <Moment at={checkout.expires_at} />],
          [say('paid_at'), checkout.completed_at && <Moment at={checkout.completed_at} />],
          [
            say('order_id'),
            <Copyable key="order" what={say('order_id')} text={checkout.order_id} />,
          ],
          [say('created'), <Moment key="created" at={checkout.created_at} />],
        ]}
      />
    </section>
  )
}

function Cancel({ checkout }: { checkout: Checkout }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const may = useMay()
  const [asking, setAsking] = useState(false)
  const amount = rupiah(checkout.amount)
  const cancelling = useAct({
    act: async (reason: string) => await client.staff.checkouts.cancel(checkout.id, { reason }),
    done: () => say('link_cancelled_done'),
    changes: ['link', 'links', 'payments_of'],
  })
  if (checkout.status !== 'open' || !may.actOn('payments:write')) return null
  return (
    <section className="actions" aria-label={say('actions')}>
      <button type="button" onClick={() => setAsking(true)}>
        {say('link_cancel')}
      </button>
      {asking && (
        <ReasonDialog
          title={say('link_cancel_ask', { amount, order: checkout.order_id })}
          confirm={say('link_cancel_do', { amount })}
          review={[
            [say('column_amount'), amount],
            [say('order_id'), checkout.order_id],
            [say('link_description'), checkout.description],
          ]}
          effect={say('link_cancel_effect')}
          dismiss={say('link_cancel_no')}
          error={cancelling.error}
          busy={cancelling.isPending}
          act={(reason) => cancelling.mutate(reason, { onSuccess: () => setAsking(false) })}
          close={() => setAsking(false)}
        />
      )}
    </section>
  )
}
