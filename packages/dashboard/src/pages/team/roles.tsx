import type { StaffIdentity, StaffRole } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useSpeech, type Speech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

export type Scope = StaffIdentity['scopes'][number]

function useRoleQuery() {
  const { client } = useSession()
  return useQuery({
    queryKey: ['roles'],
    queryFn: async ({ signal }) => await client.staff.roles.list({ signal }),
  })
}

/** All roles, or none until they are read. */
export const useRoles = (): readonly StaffRole[] => useRoleQuery().data?.results ?? []

/** What a scope allows, in the reader's language. */
export const scopeText = ({ named }: Speech, scope: Scope): string =>
  named(`scope_${scope.replace(':', '_')}`) ?? scope

export function Roles() {
  const speech = useSpeech()
  const { say } = speech
  const asked = useRoleQuery()
  const [edited, setEdited] = useState<Partial<StaffRole> | undefined>()
  const roles = asked.data?.results ?? []
  return (
    <section className="sheet block">
      <div className="block-head">
        <h2>{say('roles')}</h2>
        <button type="button" onClick={() => setEdited({})}>
          {say('role_new')}
        </button>
      </div>
      {asked.isError && <Trouble error={asked.error} />}
      {roles.length > 0 && (
        <table className="plain stacked" aria-label={say('roles')}>
          <thead>
            <tr>
              <th scope="col">{say('role')}</th>
              <th scope="col">{say('role_scopes')}</th>
              <th scope="col" className="amount">
                {say('role_people')}
              </th>
              <th scope="col">
                <span className="sr">{say('audit_action')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {roles.map((role) => (
              <tr key={role.name}>
                <td>{role.name}</td>
                <td className="small">
                  {role.scopes.map((scope) => scopeText(speech, scope)).join('; ') ||
                    say('role_nothing')}
                </td>
                <td className="amount" data-label={say('role_people')}>
                  {role.people}
                </td>
                <td>
                  <button type="button" className="small" onClick={() => setEdited(role)}>
                    {say('role_edit')}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {edited && <RoleDialog role={edited} close={() => setEdited(undefined)} />}
    </section>
  )
}

function RoleDialog({ role, close }: { role: Partial<StaffRole>; close: () => void }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const [name, setName] = useState(role.name ?? '')
  const [scopes, setScopes] = useState<readonly Scope[]>(role.scopes ?? ['staff:read'])
  const saving = useAct({
    act: async () => await client.staff.roles.set({ name, scopes: [...scopes] }),
    done: () => say('role_saved', { name }),
    changes: ['roles', 'people'],
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    saving.mutate(undefined, { onSuccess: close })
  }
  const title =
    role.name === undefined ? say('role_new_title') : say('role_edit_title', { name: role.name })
  return (
    <Dialog title={title} close={close}>
      <form onSubmit={submit}>
        {role.name === undefined && (
          <div>
            <label>
              {say('role_name')}
              <input
                value={name}
                maxLength={40}
                pattern="[a-z][a-z0-9_\-]*"
                required
                aria-describedby="role-name-hint"
                onChange={({ target }) => setName(target.value)}
              />
            </label>
            <p className="quiet small" id="role-name-hint">
              {say('role_name_hint')}
            </p>
          </div>
        )}
        <ScopeChoice chosen={scopes} choose={setScopes} />
        {saving.isError && <Trouble error={saving.error} />}
        <div className="buttons">
          <button type="button" onClick={close}>
            {say('confirm_no')}
          </button>
          <button type="submit" className="primary" disabled={saving.isPending}>
            {say('role_save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface ScopeChoiceProps {
  chosen: readonly Scope[]
  choose: (scopes: readonly Scope[]) => void
}

/** The scopes of the reader, who can give no other. */
export function ScopeChoice({ chosen, choose }: ScopeChoiceProps) {
  const speech = useSpeech()
  const { me } = useSession()
  return (
    <fieldset className="types">
      <legend>{speech.say('role_scopes')}</legend>
      {me.scopes.map((scope) => (
        <label key={scope} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={({ target }) =>
              choose(target.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
            }
          />
          {scopeText(speech, scope)}
        </label>
      ))}
    </fieldset>
  )
}
