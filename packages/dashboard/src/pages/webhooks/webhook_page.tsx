import type { WebhookEndpoint } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useSpeech } from '../../language.ts'
import { useFresh } from '../../live.ts'
import { BackLink } from '../../parts/back_link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { Deliveries } from './deliveries.tsx'
import { EndpointActions } from './endpoint_actions.tsx'

const route = getRouteApi('/webhooks/$id')

export function WebhookPage() {
  const { id } = route.useParams()
  const { say } = useSpeech()
  const { client } = useSession()
  useFresh('webhook')
  const asked = useQuery({
    queryKey: ['webhook', id],
    queryFn: async ({ signal }) => await client.webhookEndpoints.get(id, { signal }),
  })
  return (
    <>
      <BackLink to="/webhooks">{say('back_to_webhooks')}</BackLink>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && <Shown endpoint={asked.data} />}
    </>
  )
}

function Shown({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { say } = useSpeech()
  const may = useMay().actOn('webhooks:write', endpoint.owner_id)
  return (
    <article>
      <header className="headline">
        <h1 className="address">{endpoint.url}</h1>
        <Pill group="endpoint" state={endpoint.state} />
      </header>
      {may && <EndpointActions endpoint={endpoint} />}
      <section className="sheet block">
        <h2>{say('webhook')}</h2>
        <Facts
          facts={[
            [say('webhook_description'), endpoint.description],
            [say('webhook_types'), endpoint.types?.join(', ') ?? say('webhook_all_types')],
            [say('owner'), endpoint.owner_id ?? say('webhook_all_owners')],
            [say('webhook_disabled_reason'), endpoint.disabled_reason],
            [
              say('webhook_failing'),
              endpoint.failing_since && <Moment at={endpoint.failing_since} away />,
            ],
            [
              say('webhook_public_key'),
              endpoint.public_key && (
                <Copyable what={say('webhook_public_key')} text={endpoint.public_key} />
              ),
            ],
            [say('reference'), <Copyable key="id" what={say('webhook')} text={endpoint.id} />],
            [say('created'), <Moment key="created" at={endpoint.created_at} />],
            [say('webhook_updated'), <Moment key="updated" at={endpoint.updated_at} />],
          ]}
        />
      </section>
      <Deliveries endpoint={endpoint} may={may} />
    </article>
  )
}
