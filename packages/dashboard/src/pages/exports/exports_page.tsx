import type { ExportSchedule } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { BackLink } from '../../parts/back_link.tsx'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { ReasonDialog } from '../../parts/reason_dialog.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { CreateSchedule } from './create_schedule.tsx'
import { filterText } from './schedule.ts'

const route = getRouteApi('/exports')

/** The schedules, and whether their mail is set up. */
export function useSchedules() {
  const { client } = useSession()
  return useQuery({
    queryKey: ['exports'],
    queryFn: async ({ signal }) => await client.staff.exports.list({ signal }),
    staleTime: 30_000,
  })
}

/** Which exports are announced by mail, how often, and to whom. */
export function ExportsPage() {
  const { say } = useSpeech()
  const may = useMay()
  const asked = useSchedules()
  const filters = route.useSearch()
  const schedules = asked.data?.results ?? []
  return (
    <>
      <BackLink to="/payments">{say('back_to_payments')}</BackLink>
      <h1>{say('page_exports')}</h1>
      <p className="quiet">{say('exports_lead')}</p>
      {asked.data?.by_mail === false && <p className="notice">{say('exports_no_mail')}</p>}
      {may.has('staff:act') && (
        <div className="filters">
          <CreateSchedule filters={filters} />
        </div>
      )}
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.isSuccess && schedules.length === 0 && <p className="empty">{say('exports_empty')}</p>}
      {schedules.length > 0 && <Schedules schedules={schedules} />}
    </>
  )
}

function Schedules({ schedules }: { schedules: readonly ExportSchedule[] }) {
  const speech = useSpeech()
  const { say, word } = speech
  const acts = useMay().has('staff:act')
  return (
    <div className="sheet block">
      <table className="plain" aria-label={say('page_exports')}>
        <thead>
          <tr>
            <th scope="col">{say('export_name')}</th>
            <th scope="col" className="middle">
              {say('export_filter')}
            </th>
            <th scope="col" className="wide">
              {say('export_recipients')}
            </th>
            <th scope="col">{say('export_next')}</th>
            <th scope="col" className="middle">
              {say('export_last')}
            </th>
            {acts && (
              <th scope="col">
                <span className="sr">{say('audit_action')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {schedules.map((schedule) => (
            <tr key={schedule.id}>
              <td>
                <Link to="/exports/$id" params={{ id: schedule.id }} search={{}}>
                  {schedule.name}
                </Link>
                <div className="quiet small">
                  {word('every', schedule.every)}, {word('format', schedule.format)}
                </div>
              </td>
              <td className="middle">
                {filterText(speech, schedule)}
                <div className="quiet small">
                  {say('export_day_of')} {word('day_of', schedule.day_of)}
                </div>
              </td>
              <td className="wide small">{schedule.recipients.join(', ')}</td>
              <td>
                <Moment at={schedule.due_at} />
                {schedule.failed && <p className="notice bad">{say('export_failed')}</p>}
              </td>
              <td className="middle">
                {schedule.sent_at === null ? say('export_never') : <Moment at={schedule.sent_at} />}
              </td>
              {acts && (
                <td>
                  <EndSchedule schedule={schedule} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function EndSchedule({ schedule }: { schedule: ExportSchedule }) {
  const speech = useSpeech()
  const { say, word } = speech
  const { client } = useSession()
  const [asking, setAsking] = useState(false)
  const { id, name } = schedule
  const ending = useAct({
    act: async (reason: string) => await client.staff.exports.delete(id, { reason }),
    done: () => say('export_deleted'),
    changes: ['exports'],
  })
  return (
    <>
      <button type="button" className="small" onClick={() => setAsking(true)}>
        {say('export_delete')}
      </button>
      {asking && (
        <ReasonDialog
          title={say('export_delete_ask', { name })}
          confirm={say('export_delete_do')}
          review={[
            [say('export_name'), name],
            [say('export_every'), word('every', schedule.every)],
            [say('export_filter'), filterText(speech, schedule)],
            [say('export_recipients'), schedule.recipients.join(', ')],
          ]}
          effect={say('export_delete_effect')}
          dismiss={say('export_keep')}
          error={ending.error}
          busy={ending.isPending}
          act={(reason) => ending.mutate(reason, { onSuccess: () => setAsking(false) })}
          close={() => setAsking(false)}
        />
      )}
    </>
  )
}
