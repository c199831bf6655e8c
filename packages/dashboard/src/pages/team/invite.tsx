import { useState, type FormEvent } from 'react'
import { timeText } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Select } from '../../parts/select.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { useRoles } from './roles.tsx'

export interface Linked {
  name: string
  link_token: string
  link_expires_at: string | null
}

/** The button, the form, and the link after it. */
export function Invite() {
  const { say } = useSpeech()
  const { client } = useSession()
  const [open, setOpen] = useState(false)
  const [linked, setLinked] = useState<Linked | undefined>()
  const inviting = useAct({
    act: async (input: Invited) => await client.staff.people.invite(input),
    done: ({ name }) => say('person_invited', { name }),
    changes: ['people', 'roles'],
  })
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {say('person_invite')}
      </button>
      {open && (
        <InviteDialog
          error={inviting.error}
          busy={inviting.isPending}
          invite={(input) =>
            inviting.mutate(input, {
              onSuccess: (made) => {
                setOpen(false)
                setLinked(made)
                // The mutation would keep the token for as long as the page is open.
                inviting.reset()
              },
            })
          }
          close={() => setOpen(false)}
        />
      )}
      {linked && <LinkDialog linked={linked} close={() => setLinked(undefined)} />}
    </>
  )
}

interface Invited {
  name: string
  email: string
  role: string
  staff_id?: string
}

interface InviteDialogProps {
  error: unknown
  busy: boolean
  invite: (input: Invited) => void
  close: () => void
}

function InviteDialog({ error, busy, invite, close }: InviteDialogProps) {
  const { say } = useSpeech()
  const roles = useRoles()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [staff_id, setStaffId] = useState('')
  const [role, setRole] = useState('viewer')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const given = staff_id.trim()
    const input = { name: name.trim(), email: email.trim(), role }
    invite({ ...input, ...(given !== '' && { staff_id: given }) })
  }
  return (
    <Dialog title={say('person_invite_title')} close={close}>
      <form onSubmit={submit}>
        <label>
          {say('person_name')}
          <input value={name} maxLength={255} required onChange={(e) => setName(e.target.value)} />
        </label>
        <label>
          {say('person_email')}
          <input
            type="email"
            value={email}
            maxLength={240}
            required
            onChange={(e) => setEmail(e.target.value)}
          />
        </label>
        <Select
          label={say('person_role')}
          value={role}
          options={roles.map((one) => [one.name, one.name] as const)}
          choose={(next) => setRole(next ?? 'viewer')}
        />
        <div>
          <label>
            {say('person_staff_id')}
            <input
              value={staff_id}
              maxLength={100}
              aria-describedby="staff-id-hint"
              onChange={(e) => setStaffId(e.target.value)}
            />
          </label>
          <p className="quiet small" id="staff-id-hint">
            {say('person_staff_id_hint')}
          </p>
        </div>
        {error !== null && <Trouble error={error} />}
        <div className="buttons">
          <button type="button" onClick={close}>
            {say('confirm_no')}
          </button>
          <button type="submit" className="primary" disabled={busy}>
            {say('person_invite_do')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The only time a link is shown. */
export function LinkDialog({ linked, close }: { linked: Linked; close: () => void }) {
  const { say, language } = useSpeech()
  const { name, link_token, link_expires_at } = linked
  const url = `${location.origin}${location.pathname}#/join?token=${link_token}`
  const time = link_expires_at === null ? '' : timeText(language, link_expires_at)
  return (
    <Dialog title={say('person_link_title', { name })} close={close}>
      <p>{say('person_link_lead', { time })}</p>
      <p className="secret">
        <Copyable what={say('person_link_name')} text={url} quiet />
      </p>
      <div className="buttons">
        <button type="button" className="primary" onClick={close}>
          {say('webhook_secret_close')}
        </button>
      </div>
    </Dialog>
  )
}
