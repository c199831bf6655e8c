import type { WebhookDeliveryDetail } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { numberText, secondText } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { useSending } from './sending.ts'

const route = getRouteApi('/webhooks/$id/deliveries/$delivery')

export function DeliveryPage() {
  const { id, delivery } = route.useParams()
  const { say } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['delivery', delivery],
    queryFn: async ({ signal }) => await client.webhookDeliveries.get(delivery, { signal }),
    staleTime: 60_000,
  })
  return (
    <>
      <p className="crumbs">
        <Link to="/webhooks/$id" params={{ id }} search={{}}>
          {say('back_to_webhook')}
        </Link>
      </p>
      <h1>{say('delivery')}</h1>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && <Shown delivery={asked.data} />}
    </>
  )
}

function Shown({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const { say } = useSpeech()
  return (
    <>
      <p className="why">
        <Pill group="delivery" state={delivery.outcome} /> {delivery.type}
      </p>
      <SendAgain delivery={delivery} />
      <div className="columns">
        <section className="sheet">
          <h2>{say('reference')}</h2>
          <DeliveryFacts delivery={delivery} />
        </section>
        <div>
          <section className="sheet">
            <h2>{say('delivery_request')}</h2>
            <Body text={delivery.request_body ?? ''} none={say('delivery_request_none')} />
          </section>
          <section className="sheet">
            <h2>{say('delivery_response')}</h2>
            <Body text={delivery.response_body} none={say('delivery_response_none')} />
          </section>
        </div>
      </div>
    </>
  )
}

function DeliveryFacts({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const { say, word, language } = useSpeech()
  const { error_class, next_attempt_at, object_id, type } = delivery
  return (
    <Facts
      facts={[
        [say('delivery_time'), secondText(language, delivery.created_at)],
        [say('webhook_url'), delivery.url],
        [
          say('delivery_event'),
          <Copyable key="event" what={say('delivery_event')} text={delivery.event_id} />,
        ],
        [
          say('page_payment'),
          object_id !== null && type.startsWith('payment_') && (
            <Link to="/payments/$id" params={{ id: object_id }}>
              {object_id}
            </Link>
          ),
        ],
        [say('delivery_attempt'), delivery.attempt],
        [say('delivery_status'), delivery.response_status],
        [say('delivery_error'), error_class && word('fault', error_class)],
        [
          say('delivery_duration'),
          `${numberText(language, delivery.duration_ms)} ${say('delivery_ms')}`,
        ],
        [say('delivery_next'), next_attempt_at && <Moment at={next_attempt_at} away />],
      ]}
    />
  )
}

/** JSON on several lines; other text as it is. */
const Body = ({ text, none }: { text: string; none: string }) =>
  text === '' ? <p className="quiet">{none}</p> : <pre tabIndex={0}>{indented(text)}</pre>

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Offered for an endpoint that is enabled, to staff who may change it. */
function SendAgain({ delivery: { id, endpoint_id } }: { delivery: WebhookDeliveryDetail }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const may = useMay()
  const asked = useQuery({
    queryKey: ['webhook', endpoint_id],
    queryFn: async ({ signal }) => await client.webhookEndpoints.get(endpoint_id, { signal }),
  })
  const sending = useSending({
    act: async () => await client.webhookEndpoints.resend(endpoint_id, { delivery_id: id }),
    done: ({ queued }) => say('delivery_queued', { count: queued }),
  })
  const endpoint = asked.data
  if (endpoint?.state !== 'enabled') return null
  if (!may.actOn('webhooks:write', endpoint.owner_id)) return null
  return (
    <section className="actions" aria-label={say('actions')}>
      <button type="button" disabled={sending.isPending} onClick={() => sending.mutate(undefined)}>
        {say('delivery_again')}
      </button>
      {sending.isError && <Trouble error={sending.error} />}
    </section>
  )
}
