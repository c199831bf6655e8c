import type { ExportSchedule } from '@gapura/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { dayText } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { Facts } from '../../parts/facts.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useExport } from '../payments/export_button.tsx'
import { useSchedules } from './exports_page.tsx'
import { filterText, periodOf, searchOf } from './schedule.ts'

const route = getRouteApi('/exports/$id')

/** Where the link of the mail leads: the file of one period. */
export function ExportPage() {
  const { id } = route.useParams()
  const { say } = useSpeech()
  const asked = useSchedules()
  const schedule = asked.data?.results.find((one) => one.id === id)
  return (
    <>
      <p className="crumbs">
        <Link to="/exports" search={{}}>
          {say('back_to_exports')}
        </Link>
      </p>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.isSuccess && schedule === undefined && (
        <>
          <h1>{say('page_exports')}</h1>
          <p className="empty">{say('export_gone')}</p>
        </>
      )}
      {schedule && <Shown schedule={schedule} />}
    </>
  )
}

function Shown({ schedule }: { schedule: ExportSchedule }) {
  const speech = useSpeech()
  const { say, word, language } = speech
  const { from: given } = route.useSearch()
  const { from, until } = periodOf(schedule, given)
  const exporting = useExport(searchOf(schedule, given))
  const { format } = schedule
  return (
    <article>
      <h1>{schedule.name}</h1>
      <section className="sheet">
        <Facts
          facts={[
            [
              say('export_period'),
              from === until
                ? dayText(language, from)
                : `${dayText(language, from)} – ${dayText(language, until)}`,
            ],
            [say('export_day_of'), word('day_of', schedule.day_of)],
            [say('export_filter'), filterText(speech, schedule)],
            [say('export_every'), word('every', schedule.every)],
          ]}
        />
        {exporting.isError && <Trouble error={exporting.error} />}
        <p>
          <button
            type="button"
            className="primary"
            disabled={exporting.isPending}
            onClick={() => exporting.mutate(format)}
          >
            {exporting.isPending
              ? say('exporting')
              : say('export_download', { format: word('format', format) })}
          </button>
        </p>
      </section>
    </article>
  )
}
