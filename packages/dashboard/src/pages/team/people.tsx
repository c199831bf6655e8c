import type { PersonChange, StaffPerson } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { Moment } from '../../parts/moment.tsx'
import { ConfirmDialog, ReasonDialog } from '../../parts/reason_dialog.tsx'
import { Select } from '../../parts/select.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { Invite, LinkDialog, type Linked } from './invite.tsx'
import { useRoles } from './roles.tsx'

/** Staff accounts: who they are, their role and how they sign in. */
export function People() {
  const { say } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['people'],
    queryFn: async ({ signal }) =>
      await client.staff.people.list({ page_size: 100 }, { signal }).page(),
  })
  const people = asked.data?.results ?? []
  return (
    <section className="sheet block">
      <div className="block-head">
        <h2>{say('people')}</h2>
        <Invite />
      </div>
      {asked.isError && <Trouble error={asked.error} />}
      {people.length > 0 && (
        <table className="plain stacked" aria-label={say('people')}>
          <thead>
            <tr>
              <th scope="col">{say('person_name')}</th>
              <th scope="col">{say('person_role')}</th>
              <th scope="col">{say('person_state')}</th>
              <th scope="col" className="wide">
                {say('person_last')}
              </th>
              <th scope="col">
                <span className="sr">{say('audit_action')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <PersonRow key={person.id} person={person} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function PersonRow({ person }: { person: StaffPerson }) {
  const { say } = useSpeech()
  const { me } = useSession()
  const mine = person.staff_id === me.owner_id
  return (
    <tr>
      <td>
        {person.name} {mine && <span className="pill open">{say('person_you')}</span>}
        <div className="quiet small">
          {person.email} · {person.staff_id}
        </div>
      </td>
      <td data-label={say('person_role')}>{person.role}</td>
      <td>
        <State person={person} />
      </td>
      <td className="wide" data-label={say('person_last')}>
        {person.signed_in_at === null ? say('person_never') : <Moment at={person.signed_in_at} />}
      </td>
      <td>{!mine && <PersonActions person={person} />}</td>
    </tr>
  )
}

function State({ person }: { person: StaffPerson }) {
  const { say } = useSpeech()
  if (person.disabled_at !== null)
    return <span className="pill gone">{say('person_disabled')}</span>
  const locked =
    person.locked_until !== null && new Date(person.locked_until).getTime() > Date.now()
  if (locked) return <span className="pill warn">{say('person_locked')}</span>
  const joined = person.has_password || person.has_passkey || person.has_oidc
  if (!joined) return <span className="pill open">{say('person_invited_state')}</span>
  return <span className="pill good">{say('person_active')}</span>
}

type Asking = 'role' | 'disable' | 'link' | undefined

function PersonActions({ person }: { person: StaffPerson }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const [asking, setAsking] = useState<Asking>()
  const { people } = client.staff
  const { id, name, disabled_at } = person
  const update = useAct({
    act: async (change: PersonChange) => await people.update(id, change),
    done: () => say('person_changed'),
    changes: CHANGES,
  })
  const signOut = useAct({
    act: async () => await people.signOut(id),
    done: () => say('person_signed_out', { name }),
    changes: CHANGES,
  })
  const close = (): void => setAsking(undefined)
  const change = (input: PersonChange): void => update.mutate(input, { onSuccess: close })
  const disable = (): void =>
    disabled_at === null ? setAsking('disable') : change({ disabled: false })
  const buttons = [
    [say('person_change'), () => setAsking('role')],
    [say('person_link'), () => setAsking('link')],
    [say('person_sign_out'), () => signOut.mutate(undefined)],
    [say(disabled_at === null ? 'person_disable' : 'person_enable'), disable],
  ] as const
  const asked = { person, error: update.error, busy: update.isPending, change, close }
  return (
    <>
      <div className="actions end">
        {buttons.map(([text, act]) => (
          <button key={text} type="button" className="small" onClick={act}>
            {text}
          </button>
        ))}
      </div>
      {signOut.isError && <Trouble error={signOut.error} />}
      {asking === undefined && update.isError && <Trouble error={update.error} />}
      {asking === 'role' && <RoleChange {...asked} />}
      {asking === 'disable' && <Disable {...asked} />}
      <NewLink person={person} asking={asking === 'link'} close={close} />
    </>
  )
}

const CHANGES = ['people', 'roles', 'sessions'] as const

interface ChangeProps {
  person: StaffPerson
  error: unknown
  busy: boolean
  change: (input: PersonChange) => void
  close: () => void
}

function Disable({ person: { name }, error, busy, change, close }: ChangeProps) {
  const { say } = useSpeech()
  return (
    <ReasonDialog
      title={say('person_disable_ask', { name })}
      confirm={say('person_disable_do')}
      review={[[say('person_name'), name]]}
      effect={say('person_disable_effect')}
      error={error}
      busy={busy}
      act={(reason) => change({ disabled: true, reason })}
      close={close}
    />
  )
}

interface NewLinkProps {
  person: StaffPerson
  asking: boolean
  close: () => void
}

/** The question, and the link after it. */
function NewLink({ person: { id, name }, asking, close }: NewLinkProps) {
  const { say } = useSpeech()
  const { client } = useSession()
  const [linked, setLinked] = useState<Linked | undefined>()
  const link = useAct({
    act: async () => await client.staff.people.link(id),
    done: () => say('person_invited', { name }),
    changes: CHANGES,
  })
  const made = (result: Linked): void => {
    close()
    setLinked(result)
    // The mutation would keep the token for as long as the page is open.
    link.reset()
  }
  return (
    <>
      {asking && (
        <ConfirmDialog
          title={say('person_link_ask', { name })}
          confirm={say('person_link_do')}
          error={link.error}
          busy={link.isPending}
          act={() => link.mutate(undefined, { onSuccess: made })}
          close={close}
        >
          <p>{say('person_link_effect')}</p>
        </ConfirmDialog>
      )}
      {linked && <LinkDialog linked={linked} close={() => setLinked(undefined)} />}
    </>
  )
}

function RoleChange({ person, error, busy, change, close }: ChangeProps) {
  const { say } = useSpeech()
  const roles = useRoles()
  const [role, setRole] = useState(person.role)
  return (
    <ReasonDialog
      title={say('person_change_ask', { name: person.name })}
      confirm={say('person_change_do')}
      review={[
        [say('person_name'), person.name],
        [say('person_role'), `${person.role} → ${role}`],
      ]}
      effect={say('person_change_effect')}
      ready={role !== person.role}
      error={error}
      busy={busy}
      act={(reason) => change({ role, reason })}
      close={close}
    >
      <Select
        label={say('person_role')}
        value={role}
        options={roles.map(({ name }) => [name, name] as const)}
        choose={(next) => setRole(next ?? person.role)}
      />
    </ReasonDialog>
  )
}
