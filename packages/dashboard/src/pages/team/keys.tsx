import type { StaffKey } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { timeText } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { CreateKey } from './create_key.tsx'
import { scopeText } from './roles.tsx'

/** Every owner's keys, without secrets. */
export function Keys() {
  const speech = useSpeech()
  const { say } = speech
  const { client } = useSession()
  const manages = useMay().has('staff:manage')
  const asked = useQuery({
    queryKey: ['keys'],
    queryFn: async ({ signal }) =>
      await client.staff.keys.list({ page_size: 100 }, { signal }).page(),
    staleTime: 60_000,
  })
  const keys = asked.data?.results ?? []
  return (
    <section className="sheet block">
      <div className="block-head">
        <h2>{say('keys')}</h2>
        {manages && <CreateKey />}
      </div>
      {asked.isError && <Trouble error={asked.error} />}
      {keys.length > 0 && (
        <table className="plain stacked" aria-label={say('keys')}>
          <thead>
            <tr>
              <th scope="col">{say('key_name')}</th>
              <th scope="col">{say('owner')}</th>
              <th scope="col">{say('key_state')}</th>
              <th scope="col" className="middle">
                {say('key_used')}
              </th>
              <th scope="col" className="wide">
                {say('role_scopes')}
              </th>
              {manages && (
                <th scope="col">
                  <span className="sr">{say('audit_action')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.id}>
                <td>{key.name}</td>
                <td data-label={say('owner')}>
                  {key.owner_id} {key.staff && <span className="pill open">{say('staff')}</span>}
                </td>
                <td data-label={say('key_state')}>{stateOf(speech, key)}</td>
                <td className="middle" data-label={say('key_used')}>
                  {key.used_at === null ? say('key_unused') : <Moment at={key.used_at} />}
                </td>
                <td className="wide small" data-label={say('role_scopes')}>
                  {key.scopes.map((scope) => scopeText(speech, scope)).join('; ')}
                </td>
                {manages && <td>{key.revoked_at === null && <Revoke stored={key} />}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function stateOf({ say, language }: Speech, { revoked_at, expires_at }: StaffKey): string {
  if (revoked_at !== null) return say('key_revoked')
  if (expires_at === null) return say('key_good')
  if (new Date(expires_at).getTime() < Date.now()) return say('key_expired')
  return `${say('key_good')} ${say('key_until', { time: timeText(language, expires_at) })}`
}

function Revoke({ stored: { id, name, owner_id } }: { stored: StaffKey }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const [asking, setAsking] = useState(false)
  const revoking = useAct({
    act: async (reason: string) => await client.staff.keys.revoke(id, { reason }),
    done: () => say('key_revoked_done'),
    changes: ['keys', 'sessions'],
  })
  return (
    <>
      <button type="button" className="small" onClick={() => setAsking(true)}>
        {say('key_revoke')}
      </button>
      {asking && (
        <ReasonDialog
          title={say('key_revoke_ask', { name })}
          confirm={say('key_revoke_do')}
          review={[
            [say('key_name'), name],
            [say('owner'), owner_id],
          ]}
          effect={say('key_revoke_effect')}
          error={revoking.error}
          busy={revoking.isPending}
          act={(reason) => revoking.mutate(reason, { onSuccess: () => setAsking(false) })}
          close={() => setAsking(false)}
        />
      )}
    </>
  )
}
