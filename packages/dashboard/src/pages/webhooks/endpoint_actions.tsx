import type { WebhookEndpoint } from '@gapura/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { jakartaTime } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { ConfirmDialog, ReasonDialog } from '../../parts/reason_dialog.tsx'
import { Trouble } from '../../parts/states.tsx'
import { TimeField } from '../../parts/time_field.tsx'
import { useSession } from '../../session.tsx'
import { SecretDialog } from './secret_dialog.tsx'
import { useSending } from './sending.ts'

type Action = 'pause' | 'enable' | 'rotate' | 'delete'

/** The actions that a state allows; an enabled endpoint can be enabled again from a time. */
const ALLOWED: Readonly<Record<WebhookEndpoint['state'], readonly Action[]>> = {
  enabled: ['pause', 'enable', 'rotate', 'delete'],
  paused: ['enable', 'rotate', 'delete'],
  disabled: ['enable', 'rotate', 'delete'],
}

const named = (name: Action, state: WebhookEndpoint['state']) =>
  name === 'enable' && state === 'enabled' ? 'enable_from' : name

export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const [open, setOpen] = useState<Action | undefined>()
  const { id, state } = endpoint
  const testing = useSending({
    act: async () => await client.webhookEndpoints.test(id),
    done: () => say('webhook_done_test'),
  })
  return (
    <section className="actions" aria-label={say('actions')}>
      {state === 'enabled' && (
        <button
          type="button"
          disabled={testing.isPending}
          onClick={() => testing.mutate(undefined)}
        >
          {say('webhook_test')}
        </button>
      )}
      {ALLOWED[state].map((name) => (
        <button key={name} type="button" onClick={() => setOpen(name)}>
          {say(`webhook_${named(name, state)}`)}
        </button>
      ))}
      {testing.isError && <Trouble error={testing.error} />}
      {open && <Confirm endpoint={endpoint} name={open} close={() => setOpen(undefined)} />}
    </section>
  )
}

interface ConfirmProps {
  endpoint: WebhookEndpoint
  name: Action
  close: () => void
}

/** Asks before an action; after a rotation the new secret takes the place of the question. */
function Confirm({ endpoint: { id, url, state }, name, close }: ConfirmProps) {
  const { say } = useSpeech()
  const { client } = useSession()
  const navigate = useNavigate()
  const [from, setFrom] = useState('')
  const [secret, setSecret] = useState<string | undefined>()
  const { webhookEndpoints } = client
  const acts = {
    pause: async () => await webhookEndpoints.pause(id),
    enable: async () =>
      await webhookEndpoints.enable(id, from === '' ? {} : { from: jakartaTime(from) }),
    rotate: async () => await webhookEndpoints.rotate(id),
    delete: async (reason: string) => await webhookEndpoints.delete(id, { reason }),
  }
  const acting = useAct({
    act: async (reason: string) => await acts[name](reason),
    done: () => say(`webhook_done_${name}`),
    // A deleted endpoint is not read again: it is not found.
    changes: name === 'delete' ? ['webhooks'] : ['webhooks', 'webhook'],
  })
  const finished = (result: object): void => {
    if ('secret' in result) setSecret(String(result.secret))
    else if (name === 'delete') void navigate({ to: '/webhooks', search: {} })
    else close()
    acting.reset()
  }
  if (secret !== undefined) return <SecretDialog secret={secret} rotated close={close} />
  const asking = {
    title: say(`webhook_ask_${named(name, state)}`, { url }),
    confirm: say(`webhook_do_${name}`),
    error: acting.error,
    busy: acting.isPending,
    act: (reason = '') => acting.mutate(reason, { onSuccess: finished }),
    close,
  }
  if (name === 'delete') {
    const review = [[say('webhook_url'), url]] as const
    return <ReasonDialog {...asking} review={review} effect={say('effect_of_delete')} />
  }
  return (
    <ConfirmDialog {...asking}>
      {name === 'enable' && (
        <>
          <p className="quiet">
            {say('webhook_from_lead')} {state !== 'enabled' && say('webhook_from_empty')}
          </p>
          <TimeField
            label={say('webhook_from')}
            time={from}
            choose={setFrom}
            required={state === 'enabled'}
          />
        </>
      )}
    </ConfirmDialog>
  )
}
