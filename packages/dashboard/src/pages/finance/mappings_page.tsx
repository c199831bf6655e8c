import type { StatementColumns, StatementFileColumns, StatementMapping } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { useMay } from '../../parts/may.ts'
import { Moment } from '../../parts/moment.tsx'
import { PlainTable } from '../../parts/plain_table.tsx'
import { Select } from '../../parts/select.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { contentOf, FILE_BYTES_MAX, FileField } from './file_field.tsx'
import { FinanceFrame } from './finance_frame.tsx'
import { MappingForm } from './mapping_form.tsx'

const route = getRouteApi('/finance/mappings')

const FORMATS = ['portal_csv', 'portal_xlsx'] as const
type Format = (typeof FORMATS)[number]

/** Which column of a portal's export is which field, stored for each format. */
export function MappingsPage() {
  const { say } = useSpeech()
  const { client } = useSession()
  const may = useMay()
  const asked = useQuery({
    queryKey: ['statement_mappings'],
    queryFn: async ({ signal }) => await client.staff.statements.listMappings({ signal }),
  })
  return (
    <FinanceFrame title={say('mappings')}>
      <p className="quiet">{say('mappings_lead')}</p>
      {asked.isPending && <Loading />}
      {asked.isError && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data && <Stored mappings={asked.data.mappings} />}
      {asked.data && may.has('staff:act') && <FromFile mappings={asked.data.mappings} />}
    </FinanceFrame>
  )
}

const columnsText = (columns: StatementColumns, word: (one: string) => string): string =>
  Object.entries(columns)
    .map(([field, column]) => `${word(field)}: ${column}`)
    .join(' · ')

function Stored({ mappings }: { mappings: readonly StatementMapping[] }) {
  const { say, word, named } = useSpeech()
  return (
    <section className="sheet block">
      <h2>{say('mappings_stored')}</h2>
      {mappings.length === 0 ? (
        <p className="quiet">{say('mappings_none')}</p>
      ) : (
        <PlainTable
          label={say('mappings_stored')}
          rows={mappings}
          idOf={({ name }) => name}
          columns={[
            { name: say('mapping_name'), cell: ({ name }) => named(`format_${name}`) ?? name },
            {
              name: say('mapping_columns'),
              cell: ({ columns }) => columnsText(columns, (one) => word('field', one)),
            },
            { name: say('mapping_by'), only: 'middle', cell: ({ updated_by }) => updated_by },
            {
              name: say('mapping_at'),
              only: 'wide',
              cell: ({ updated_at }) => <Moment at={updated_at} />,
            },
          ]}
        />
      )}
    </section>
  )
}

/** First a sample of the export, then the columns that it has. */
function FromFile({ mappings }: { mappings: readonly StatementMapping[] }) {
  const { say, word } = useSpeech()
  const { client } = useSession()
  const navigate = useNavigate()
  const search = route.useSearch()
  const format = FORMATS.find((one) => one === search.format) ?? 'portal_csv'
  const [found, setFound] = useState<StatementFileColumns>()
  const [too_large, setTooLarge] = useState(false)
  const reading = useAct({
    act: async (file: File) =>
      await client.staff.statements.readColumns({
        format,
        content_base64: await contentOf(file),
      }),
    done: ({ columns }) => say('mapping_read', { count: columns.length }),
    changes: [],
  })
  const choose = (file: File | undefined): void => {
    setFound(undefined)
    setTooLarge(file !== undefined && file.size > FILE_BYTES_MAX)
    if (file !== undefined && file.size <= FILE_BYTES_MAX) {
      reading.mutate(file, { onSuccess: setFound })
    }
  }
  const show = (next: Format): void => {
    setFound(undefined)
    void navigate({ to: '/finance/mappings', search: { format: next } })
  }
  return (
    <section className="sheet block">
      <h2>{say('mapping_new')}</h2>
      <div className="stack">
        <Select
          label={say('statement_format')}
          value={format}
          options={FORMATS.map((one) => [one, word('format', one)] as const)}
          choose={(next) => show(FORMATS.find((one) => one === next) ?? 'portal_csv')}
        />
        {/* Another format needs another file. */}
        <FileField
          key={format}
          accept={format === 'portal_csv' ? '.csv,.txt' : '.xlsx'}
          choose={choose}
        />
        {too_large && (
          <p className="notice bad" role="alert">
            {say('file_too_large')}
          </p>
        )}
        {reading.isPending && <Loading />}
        {reading.isError && <Trouble error={reading.error} />}
        {found && <MappingForm key={format} format={format} found={found} mappings={mappings} />}
      </div>
    </section>
  )
}
