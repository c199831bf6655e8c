import type { StaffKey } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { timeText } from '../../format.ts'
import { useSpeech, type Speech } from '../../language.ts'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

/** Every owner's keys, without secrets. The command line creates and revokes them. */
export function Keys() {
  const speech = useSpeech()
  const { say } = speech
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['keys'],
    queryFn: async ({ signal }) =>
      await client.staff.keys.list({ page_size: 50 }, { signal }).page(),
    staleTime: 60_000,
  })
  const keys = asked.data?.results ?? []
  return (
    <section className="sheet block">
      <h2>{say('keys')}</h2>
      {asked.isError && <Trouble error={asked.error} />}
      {keys.length > 0 && (
        <table className="plain" aria-label={say('keys')}>
          <thead>
            <tr>
              <th scope="col">{say('key_name')}</th>
              <th scope="col">{say('owner')}</th>
              <th scope="col">{say('key_state')}</th>
              <th scope="col" className="wide">
                {say('key_scopes')}
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.id}>
                <td>{key.name}</td>
                <td>
                  {key.owner_id} {key.staff && <span className="pill open">{say('staff')}</span>}
                </td>
                <td>{stateOf(speech, key)}</td>
                <td className="wide small">{key.scopes.join(', ')}</td>
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
