import type { StaffPerson } from '@gapura/sdk'
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
        <table className="plain" aria-label={say('people')}>
          <thead>
            <tr>
              <th scope="col">{say('person_name')}</th>
              <th scope="col">{say('person_role')}</th>
              <th scope="col" className="middle">
                {say('person_state')}
              </th>
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
      <td>{person.role}</td>
      <td className="middle">
        <State person={person} />
      </td>
      <td className="wide">
        {person.signed_in_at === null ? say('person_never') : <Moment at={person.signed_in_at} />}
      </td>
      <td>{!mine && <PersonActions person={person} />}</td>
    </tr>
  )
}

function State({ person }: { person: StaffPerson }) {
  const { say } = useSpeech()
  if (person.disabled_at !== null) return <span className="pill gone">{say('person_disabled')}</span>
  const locked = person.locked_until !== null && new Date(person.locked_until).getTime() > Date.now()
  if (locked) return <span className="pill warn">{say('person_locked')}</span>
  const joined = person.has_password || person.has_oidc || person.signed_in_at !== null
  if (!joined) return <span className="pill open">{say('person_invited_state')}</span>
  return <span className="pill good">{say('person_active')}</span>
}

type Asking = 'role' | 'disable' | 'link' | undefined

function PersonActions({ person }: { person: StaffPerson }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const [asking, setAsking] = useState<Asking>()
  const [linked, setLinked] = useState<Linked | undefined>()
  const { people } = client.staff
  const { id, name, disabled_at } = person
  const changes = ['people', 'roles', 'sessions'] as const
  const update = useAct({
    act: async (change: { role?: string; disabled?: boolean; reason?: string }) =>
      await people.update(id, change),
    done: () => say('person_changed'),
    changes,
  })
  const link = useAct({
    act: async () => await people.link(id),
    done: () => say('person_invited', { name }),
    changes,
  })
  const signOut = useAct({
    act: async () => await people.signOut(id),
    done: () => say('person_signed_out', { name }),
    changes,
  })
  const close = (): void => setAsking(undefined)
  return (
    <>
      <div className="actions end">
        <button type="button" className="small" onClick={() => setAsking('role')}>
          {say('person_change')}
        </button>
        <button type="button" className="small" onClick={() => setAsking('link')}>
          {say('person_link')}
        </button>
        <button type="button" className="small" onClick={() => signOut.mutate(undefined)}>
          {say('person_sign_out')}
        </button>
        {disabled_at === null ? (
          <button type="button" className="small" onClick={() => setAsking('disable')}>
            {say('person_disable')}
          </button>
        ) : (
          <button
            type="button"
            className="small"
            onClick={() => update.mutate({ disabled: false })}
          >
            {say('person_enable')}
          </button>
        )}
      </div>
      {signOut.isError && <Trouble error={signOut.error} />}
      {asking === undefined && update.isError && <Trouble error={update.error} />}
      {asking === 'role' && (
        <RoleChange
          person={person}
          error={update.error}
          busy={update.isPending}
          act={(role, reason) => update.mutate({ role, reason }, { onSuccess: close })}
          close={close}
        />
      )}
      {asking === 'disable' && (
        <ReasonDialog
          title={say('person_disable_ask', { name })}
          confirm={say('person_disable_do')}
          review={[[say('person_name'), name]]}
          effect={say('person_disable_effect')}
          error={update.error}
          busy={update.isPending}
          act={(reason) => update.mutate({ disabled: true, reason }, { onSuccess: close })}
          close={close}
        />
      )}
      {asking === 'link' && (
        <ConfirmDialog
          title={say('person_link_ask', { name })}
          confirm={say('person_link_do')}
          error={link.error}
          busy={link.isPending}
          act={() =>
            link.mutate(undefined, {
              onSuccess: (made) => {
                close()
                setLinked(made)
                link.reset()
              },
            })
          }
          close={close}
        >
          <p>{say('person_link_effect')}</p>
        </ConfirmDialog>
      )}
      {linked && <LinkDialog linked={linked} close={() => setLinked(undefined)} />}
    </>
  )
}

interface RoleChangeProps {
  person: StaffPerson
  error: unknown
  busy: boolean
  act: (role: string, reason: string) => void
  close: () => void
}

function RoleChange({ person, error, busy, act, close }: RoleChangeProps) {
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
      act={(reason) => act(role, reason)}
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
