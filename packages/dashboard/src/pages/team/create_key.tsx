import { useState, type FormEvent } from 'react'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { ScopeChoice, type Scope } from './roles.tsx'

/** The button, the form, and the key after it. */
export function CreateKey() {
  const { say } = useSpeech()
  const [open, setOpen] = useState(false)
  const [made, setMade] = useState<string | undefined>()
  const created = (key: string): void => {
    setOpen(false)
    setMade(key)
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {say('key_create')}
      </button>
      {open && <KeyDialog created={created} close={() => setOpen(false)} />}
      {made !== undefined && (
        <Dialog title={say('key_show_title')} close={() => setMade(undefined)}>
          <p>{say('key_show_lead')}</p>
          <p className="secret">
            <Copyable what={say('sign_in_key')} text={made} quiet />
          </p>
          <div className="buttons">
            <button type="button" className="primary" onClick={() => setMade(undefined)}>
              {say('webhook_secret_close')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

function KeyDialog({ created, close }: { created: (key: string) => void; close: () => void }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const [name, setName] = useState('')
  const [owner_id, setOwner] = useState('')
  const [staff, setStaff] = useState(false)
  const [scopes, setScopes] = useState<readonly Scope[]>(['payments:write'])
  const creating = useAct({
    act: async () =>
      await client.staff.keys.create({
        name: name.trim(),
        scopes: [...scopes],
        ...(staff ? { staff } : { owner_id: owner_id.trim() }),
      }),
    done: () => say('key_created'),
    changes: ['keys'],
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    creating.mutate(undefined, {
      onSuccess: ({ key }) => {
        // The mutation would keep the key for as long as the page is open.
        creating.reset()
        created(key)
      },
    })
  }
  return (
    <Dialog title={say('key_create_title')} close={close}>
      <form onSubmit={submit}>
        <label>
          {say('key_name')}
          <input value={name} maxLength={255} required onChange={(e) => setName(e.target.value)} />
        </label>
        <label className="check">
          <input type="checkbox" checked={staff} onChange={(e) => setStaff(e.target.checked)} />
          {say('key_staff')}
        </label>
        {!staff && (
          <div>
            <label>
              {say('key_owner')}
              <input
                value={owner_id}
                maxLength={255}
                required
                aria-describedby="key-owner-hint"
                onChange={(e) => setOwner(e.target.value)}
              />
            </label>
            <p className="quiet small" id="key-owner-hint">
              {say('key_owner_hint')}
            </p>
          </div>
        )}
        <ScopeChoice chosen={scopes} choose={setScopes} />
        {creating.isError && <Trouble error={creating.error} />}
        <div className="buttons">
          <button type="button" onClick={close}>
            {say('confirm_no')}
          </button>
          <button type="submit" className="primary" disabled={creating.isPending}>
            {say('key_create_do')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
