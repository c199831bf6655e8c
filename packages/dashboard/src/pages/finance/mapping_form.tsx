import type { StatementColumns, StatementFileColumns, StatementMapping } from '@gapura/sdk'
import { useState, type FormEvent } from 'react'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { Select } from '../../parts/select.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'

const FIELDS = [
  'time',
  'amount',
  'fee',
  'type',
  'status',
  'channel',
  'order_id',
  'transaction_id',
  'reference',
  'description',
] as const
type Field = (typeof FIELDS)[number]

const DATE_ORDERS = ['dmy', 'mdy'] as const

interface MappingFormProps {
  format: string
  found: StatementFileColumns
  mappings: readonly StatementMapping[]
}

/** What was stored for the format, where the file has the columns; else what is known by name. */
function firstColumns({ format, found, mappings }: MappingFormProps): StatementColumns {
  const stored = mappings.find(({ name }) => name === format)?.columns ?? {}
  const kept = FIELDS.flatMap((field) => {
    const column = stored[field]
    const given = column !== undefined && found.columns.includes(column) ? column : undefined
    const chosen = given ?? found.known[field]
    return chosen === undefined ? [] : [[field, chosen] as const]
  })
  const { date_order } = stored
  return { ...Object.fromEntries(kept), ...(date_order && { date_order }) }
}

/** Each field with the column that gives it, and what the first line has there. */
export function MappingForm(props: MappingFormProps) {
  const { format, found } = props
  const { say, word } = useSpeech()
  const { client } = useSession()
  const [name, setName] = useState(format)
  const [columns, setColumns] = useState(() => firstColumns(props))
  const saving = useAct({
    act: async () => await client.staff.statements.setMapping({ name: name.trim(), columns }),
    done: (saved) => say('mapping_saved', { name: saved.name }),
    changes: ['statement_mappings'],
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    saving.mutate()
  }
  const choose = (field: Field) => (column: string | undefined) => {
    const { [field]: _former, ...others } = columns
    setColumns(column === undefined ? others : { ...others, [field]: column })
  }
  const chooseOrder = (next: string | undefined): void => {
    const { date_order: _former, ...others } = columns
    const date_order = DATE_ORDERS.find((one) => one === next)
    setColumns(date_order === undefined ? others : { ...others, date_order })
  }
  const missing = columns.time === undefined || columns.amount === undefined
  return (
    <form className="stack" onSubmit={submit}>
      <fieldset className="types columns-of">
        <legend>{say('mapping_fields')}</legend>
        {FIELDS.map((field) => (
          <FieldColumn
            key={field}
            field={field}
            found={found}
            chosen={columns[field]}
            choose={choose(field)}
          />
        ))}
        <Select
          label={say('field_date_order')}
          value={columns.date_order}
          options={[
            ['', say('date_order_any')],
            ...DATE_ORDERS.map((one) => [one, word('date_order', one)] as const),
          ]}
          choose={chooseOrder}
        />
      </fieldset>
      <label>
        {say('mapping_name')}
        <input
          value={name}
          maxLength={100}
          required
          onChange={({ target }) => setName(target.value)}
        />
        <span className="small">{say('mapping_name_hint')}</span>
      </label>
      {missing && <p className="notice">{say('mapping_missing')}</p>}
      {saving.isError && <Trouble error={saving.error} />}
      <div className="buttons">
        <button type="submit" className="primary" disabled={missing || saving.isPending}>
          {say('mapping_save')}
        </button>
      </div>
    </form>
  )
}

interface FieldColumnProps {
  field: Field
  found: StatementFileColumns
  chosen: string | undefined
  choose: (column: string | undefined) => void
}

function FieldColumn({ field, found: { columns, samples }, chosen, choose }: FieldColumnProps) {
  const { say, word } = useSpeech()
  const sample = samples[0]?.[columns.indexOf(chosen ?? '')]
  return (
    <div>
      <Select
        label={word('field', field)}
        value={chosen}
        options={[['', say('mapping_not_there')], ...columns.map((one) => [one, one] as const)]}
        choose={choose}
      />
      <p className="small quiet">{sample === undefined || sample === '' ? '–' : sample}</p>
    </div>
  )
}
