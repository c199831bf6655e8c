import type { AuditRow } from '@gapura/sdk'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { jakartaDay, secondText, startOfDay } from '../format.ts'
import { useSpeech } from '../language.ts'
import { useAnnounce } from '../parts/announcer.tsx'
import { DayField } from '../parts/day_field.tsx'
import { Select } from '../parts/select.tsx'
import { Loading, Trouble } from '../parts/states.tsx'
import { TextField } from '../parts/text_field.tsx'
import { useSession } from '../session.tsx'
import { AUDIT_ACTIONS } from '../texts/english_audit.ts'
import { save } from './payments/export_button.tsx'

const route = getRouteApi('/audit')

interface AuditSearch {
  actor?: string
  action?: string
  subject?: string
  from?: string
  until?: string
}

const queryOf = ({ actor, action, subject, from, until }: AuditSearch) => ({
  ...(actor !== undefined && { actor }),
  ...(action !== undefined && { action }),
  ...(subject !== undefined && { subject_id: subject }),
  ...(from !== undefined && { since: startOfDay(from) }),
  ...(until !== undefined && { until: startOfDay(until, 1) }),
})

const PAGE = 50

/** Who did what and who looked at what. */
export function AuditPage() {
  const { say } = useSpeech()
  const { client } = useSession()
  const search: AuditSearch = route.useSearch()
  const asked = useInfiniteQuery({
    queryKey: ['audit', search],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const place = pageParam === 0 ? {} : { before_seq: pageParam }
      return await client.staff.audit.list(
        { ...queryOf(search), ...place, limit: PAGE },
        { signal },
      )
    },
    getNextPageParam: (page) => (page.length < PAGE ? undefined : (page.at(-1)?.seq ?? undefined)),
  })
  const rows = asked.data?.pages.flat() ?? []
  return (
    <>
      <h1>{say('page_audit')}</h1>
      <p className="quiet">{say('audit_lead')}</p>
      <Filters search={search} />
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.isSuccess && rows.length === 0 && <p className="empty">{say('audit_empty')}</p>}
      {rows.length > 0 && <AuditTable rows={rows} />}
      {asked.hasNextPage && (
        <button
          type="button"
          disabled={asked.isFetchingNextPage}
          onClick={() => void asked.fetchNextPage()}
        >
          {say('audit_more')}
        </button>
      )}
    </>
  )
}

function Filters({ search }: { search: AuditSearch }) {
  const { say } = useSpeech()
  const navigate = useNavigate()
  const choose =
    (name: keyof AuditSearch) =>
    (value: string | undefined): void => {
      const { [name]: _before, ...rest } = search
      void navigate({
        to: '/audit',
        search: value === undefined ? rest : { ...rest, [name]: value },
      })
    }
  return (
    <div className="filters">
      <TextField label={say('audit_actor')} text={search.actor} choose={choose('actor')} />
      <ActionField chosen={search.action} choose={choose('action')} />
      <TextField label={say('audit_subject')} text={search.subject} choose={choose('subject')} />
      <DayField label={say('audit_from')} day={search.from} choose={choose('from')} />
      <DayField label={say('audit_until')} day={search.until} choose={choose('until')} />
      <ExportAudit search={search} />
    </div>
  )
}

interface ActionFieldProps {
  chosen: string | undefined
  choose: (action: string | undefined) => void
}

/** The known actions by their texts; one that only the address names stays chosen. */
function ActionField({ chosen, choose }: ActionFieldProps) {
  const { say, language, named } = useSpeech()
  const known = new Map(
    AUDIT_ACTIONS.map((action) => [action, named(`did_${action}`) ?? action] as const),
  )
  if (chosen !== undefined && !known.has(chosen)) known.set(chosen, chosen)
  const options = [...known].toSorted(([, a], [, b]) => a.localeCompare(b, language))
  return (
    <Select
      label={say('audit_action')}
      value={chosen}
      options={[['', say('filter_any')], ...options]}
      choose={choose}
    />
  )
}

function ExportAudit({ search }: { search: AuditSearch }) {
  const { say } = useSpeech()
  const { client } = useSession()
  const announce = useAnnounce()
  const exporting = useMutation({
    mutationFn: async () =>
      await new Response(await client.staff.audit.export(queryOf(search))).blob(),
    onSuccess: (blob) => {
      const name = `audit-${jakartaDay()}.csv`
      save(blob, name)
      announce(say('exported', { name }))
    },
  })
  return (
    <>
      <button type="button" disabled={exporting.isPending} onClick={() => exporting.mutate()}>
        {say('audit_export')}
      </button>
      {exporting.isError && <Trouble error={exporting.error} />}
    </>
  )
}

function AuditTable({ rows }: { rows: readonly AuditRow[] }) {
  const { say, language, word, named } = useSpeech()
  return (
    <div className="sheet block">
      <table className="plain stacked audit" aria-label={say('page_audit')}>
        <thead>
          <tr>
            <th scope="col">{say('audit_when')}</th>
            <th scope="col">{say('audit_actor')}</th>
            <th scope="col">{say('audit_action')}</th>
            <th scope="col" className="wide">
              {say('audit_what')}
            </th>
            <th scope="col" className="wide">
              {say('audit_reason')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <time dateTime={row.occurred_at}>{secondText(language, row.occurred_at)}</time>
              </td>
              <td data-label={say('audit_actor')}>
                {row.actor} <span className="quiet small">{word('actor', row.actor_kind)}</span>
              </td>
              <td>
                {named(`did_${row.action}`)}
                <code className="action">{row.action}</code>
                {row.detail !== '{}' && (
                  <details>
                    <summary>{say('audit_detail')}</summary>
                    <code className="small">{row.detail}</code>
                  </details>
                )}
              </td>
              <td className="wide" data-label={say('audit_what')}>
                {word('object', row.subject_kind)}{' '}
                {row.subject_id !== '-' && <code className="small">{row.subject_id}</code>}
              </td>
              <td className="wide" data-label={say('audit_reason')}>
                {row.reason}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
