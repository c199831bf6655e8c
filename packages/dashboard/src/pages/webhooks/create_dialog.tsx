import { EVENT_TYPES, type PublishedEventType, type WebhookEndpointInput } from '@gapura/sdk'
import { useState, type FormEvent } from 'react'
import { useSpeech } from '../../language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Trouble } from '../../parts/states.tsx'

const OPERATOR_TYPES = [
  'alarm_opened',
  'endpoint_disabled',
  'gateway_silent',
  'refund_request_opened',
] as const satisfies readonly PublishedEventType[]

interface CreateDialogProps {
  mayAllOwners: boolean
  error: unknown
  busy: boolean
  create: (input: WebhookEndpointInput) => void
  close: () => void
}

export function CreateDialog({ mayAllOwners, error, busy, create, close }: CreateDialogProps) {
  const { say } = useSpeech()
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [all_owners, setAllOwners] = useState(mayAllOwners)
  const [ed25519, setEd25519] = useState(false)
  const [types, setTypes] = useState<readonly PublishedEventType[] | null>(null)
  const offered = all_owners ? [...EVENT_TYPES, ...OPERATOR_TYPES] : EVENT_TYPES
  const chosen = types && offered.filter((type) => types.includes(type))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create({ url: url.trim(), types: chosen, description, all_owners, ed25519 })
  }
  return (
    <Dialog title={say('webhook_create_title')} close={close}>
      <form onSubmit={submit}>
        <div>
          <label>
            {say('webhook_url')}
            <input
              type="url"
              value={url}
              maxLength={2_000}
              required
              placeholder="https://"
              aria-describedby="webhook-url-hint"
              onChange={({ target }) => setUrl(target.value)}
            />
          </label>
          <p className="quiet small" id="webhook-url-hint">
            {say('webhook_url_hint')}
          </p>
        </div>
        <label>
          {say('webhook_description')}
          <input
            value={description}
            maxLength={200}
            onChange={({ target }) => setDescription(target.value)}
          />
        </label>
        <div>
          {mayAllOwners && (
            <Check label={say('webhook_owners_all')} on={all_owners} set={setAllOwners} />
          )}
          <Check label={say('webhook_ed25519')} on={ed25519} set={setEd25519} />
          <Check
            label={say('webhook_types_all')}
            on={types === null}
            set={(all) => setTypes(all ? null : [])}
          />
        </div>
        {chosen && <Types offered={offered} chosen={chosen} choose={setTypes} />}
        {error !== null && <Trouble error={error} />}
        <div className="buttons">
          <button type="button" onClick={close}>
            {say('confirm_no')}
          </button>
          <button type="submit" className="primary" disabled={busy || chosen?.length === 0}>
            {say('webhook_create_do')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface CheckProps {
  label: string
  on: boolean
  set: (on: boolean) => void
}

const Check = ({ label, on, set }: CheckProps) => (
  <label className="check">
    <input type="checkbox" checked={on} onChange={({ target }) => set(target.checked)} />
    {label}
  </label>
)

interface TypesProps {
  offered: readonly PublishedEventType[]
  chosen: readonly PublishedEventType[]
  choose: (types: readonly PublishedEventType[]) => void
}

function Types({ offered, chosen, choose }: TypesProps) {
  const { say } = useSpeech()
  return (
    <>
      <fieldset className="types">
        <legend>{say('webhook_types')}</legend>
        {offered.map((type) => (
          <Check
            key={type}
            label={type}
            on={chosen.includes(type)}
            set={(on) => choose(on ? [...chosen, type] : chosen.filter((one) => one !== type))}
          />
        ))}
      </fieldset>
      {chosen.length === 0 && <p className="quiet small">{say('webhook_types_none')}</p>}
    </>
  )
}
