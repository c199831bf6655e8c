import type { StaffSession } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { Moment } from '../../parts/moment.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

const isOpen = ({ ended_at, expires_at }: StaffSession): boolean =>
  ended_at === null && new Date(expires_at).getTime() > Date.now()

/** The browsers that are signed in. */
export function Sessions() {
  const { say, word } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) =>
      await client.staff.sessions.list({ page_size: 100 }, { signal }).page(),
  })
  const ending = useAct({
    act: async (id: string) => await client.staff.sessions.end(id),
    done: () => say('session_ended'),
    changes: ['sessions'],
  })
  const open = (asked.data?.results ?? []).filter(isOpen)
  return (
    <section className="sheet block">
      <h2>{say('sessions')}</h2>
      {asked.isError && <Trouble error={asked.error} />}
      {ending.isError && <Trouble error={ending.error} />}
      {asked.isSuccess && open.length === 0 && <p className="quiet">{say('session_none')}</p>}
      {open.length > 0 && (
        <table className="plain stacked" aria-label={say('sessions')}>
          <thead>
            <tr>
              <th scope="col">{say('session_of')}</th>
              <th scope="col">{say('session_method')}</th>
              <th scope="col" className="middle">
                {say('session_since')}
              </th>
              <th scope="col" className="wide">
                {say('session_used')}
              </th>
              <th scope="col">
                <span className="sr">{say('audit_action')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {open.map(({ id, owner_id, method, created_at, used_at }) => (
              <tr key={id}>
                <td>{owner_id}</td>
                <td data-label={say('session_method')}>{word('method', method)}</td>
                <td className="middle" data-label={say('session_since')}>
                  <Moment at={created_at} />
                </td>
                <td className="wide" data-label={say('session_used')}>
                  <Moment at={used_at} />
                </td>
                <td>
                  <div className="actions end">
                    <button type="button" className="small" onClick={() => ending.mutate(id)}>
                      {say('session_end')}
                    </button>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
