import type { StatementImportInput } from '@gapura/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { numberText } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useMay } from '../../parts/may.ts'
import { Select } from '../../parts/select.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { contentOf, FILE_BYTES_MAX, FileField } from './file_field.tsx'

type Format = StatementImportInput['format']

const FORMATS: readonly Format[] = [
  'bca_csv',
  'mandiri_csv',
  'mt940',
  'camt053',
  'portal_csv',
  'portal_xlsx',
]

/** A large file takes some seconds to be stored. */
const TIME = { timeoutMs: 120_000, deadlineMs: 120_000 }

/** The button and its form; the import opens. */
export function ImportStatement() {
  const { say, language } = useSpeech()
  const { client } = useSession()
  const may = useMay()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const importing = useAct({
    act: async ({ file, ...input }: Chosen) =>
      await client.staff.statements.upload(
        { ...input, file_name: file.name.slice(0, 200), content_base64: await contentOf(file) },
        TIME,
      ),
    done: ({ repeated, lines_new, lines_refused }) =>
      repeated
        ? say('statement_repeated')
        : say('statement_imported', {
            count: numberText(language, lines_new),
            refused: numberText(language, lines_refused),
          }),
    changes: ['statements'],
  })
  if (!may.has('staff:act')) return null
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {say('statement_import')}
      </button>
      {open && (
        <ImportDialog
          error={importing.error}
          busy={importing.isPending}
          send={(input) =>
            importing.mutate(input, {
              onSuccess: ({ id, repeated }) =>
                void navigate({
                  to: '/finance/statements/$id',
                  params: { id },
                  search: repeated ? { repeated: 'yes' } : {},
                }),
            })
          }
          close={() => setOpen(false)}
        />
      )}
    </>
  )
}

interface Chosen {
  file: File
  format: Format
  mapping?: string
}

interface ImportDialogProps {
  error: unknown
  busy: boolean
  send: (chosen: Chosen) => void
  close: () => void
}

function ImportDialog({ error, busy, send, close }: ImportDialogProps) {
  const { say, word } = useSpeech()
  const [file, setFile] = useState<File>()
  const [format, setFormat] = useState<Format>('bca_csv')
  const [mapping, setMapping] = useState<string>()
  const is_portal = format === 'portal_csv' || format === 'portal_xlsx'
  const too_large = file !== undefined && file.size > FILE_BYTES_MAX
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (file === undefined || too_large) return
    send({ file, format, ...(is_portal && mapping !== undefined && { mapping }) })
  }
  return (
    <Dialog title={say('statement_import_title')} close={close}>
      <form onSubmit={submit}>
        <FileField accept=".csv,.txt,.xlsx,.sta,.mt940,.940,.xml" choose={setFile} />
        {too_large && (
          <p className="notice bad" role="alert">
            {say('file_too_large')}
          </p>
        )}
        <Select
          label={say('statement_format')}
          value={format}
          options={FORMATS.map((one) => [one, word('format', one)] as const)}
          choose={(next) => setFormat(FORMATS.find((one) => one === next) ?? 'bca_csv')}
        />
        {is_portal && <MappingSelect format={format} chosen={mapping} choose={setMapping} />}
        {error !== null && <Trouble error={error} />}
        <div className="buttons">
          <button type="button" onClick={close}>
            {say('confirm_no')}
          </button>
          <button type="submit" className="primary" disabled={busy}>
            {say(busy ? 'statement_importing' : 'statement_import_do')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface MappingSelectProps {
  format: Format
  chosen: string | undefined
  choose: (name: string | undefined) => void
}

/** Which columns a portal's export has: by a stored mapping, or by their usual names. */
function MappingSelect({ format, chosen, choose }: MappingSelectProps) {
  const { say, word } = useSpeech()
  const { client } = useSession()
  const asked = useQuery({
    queryKey: ['statement_mappings'],
    queryFn: async ({ signal }) => await client.staff.statements.listMappings({ signal }),
  })
  const names = (asked.data?.mappings ?? []).map(({ name }) => name)
  const named = (name: string): string => (name === format ? word('format', format) : name)
  return (
    <>
      <Select
        label={say('mapping')}
        value={chosen}
        options={[['', say('mapping_usual')], ...names.map((name) => [name, named(name)] as const)]}
        choose={choose}
      />
      <p className="small">
        <Link to="/finance/mappings" search={{ format }}>
          {say('mapping_edit')}
        </Link>
      </p>
    </>
  )
}
