import type { ExportScheduleInput } from '@gapura/sdk'
import { useState, type FormEvent } from 'react'
import { useSpeech } from '../../language.ts'
import { useAct } from '../../parts/act_hook.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Select } from '../../parts/select.tsx'
import { Trouble } from '../../parts/states.tsx'
import { useSession } from '../../session.tsx'
import { PAYMENT_METHODS } from '../../parts/payment_methods.ts'
import { BANKS, STATUSES } from '../payments/filter_bar.tsx'

const FILTER_NAMES = ['status', 'payment_type', 'bank', 'owner_id'] as const
type Filters = Partial<Record<(typeof FILTER_NAMES)[number], string>>

/** The button and its form. The filters are those that the list of payments had. */
export function CreateSchedule({ filters }: { filters: Filters }) {
  const { say } = useSpeech()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {say('export_create')}
      </button>
      {open && <ScheduleDialog filters={filters} close={() => setOpen(false)} />}
    </>
  )
}

interface Typed extends Filters {
  name: string
  every: string
  format: string
  day_of: string
  language: string
  recipients: string
}

const given = (filters: Filters): Filters =>
  Object.fromEntries(
    FILTER_NAMES.flatMap((name) => {
      const value = filters[name]?.trim()
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )

/** The service checks each value and names those it does not know. */
const inputOf = ({ name, recipients, ...typed }: Typed): ExportScheduleInput =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Choices of the form are texts.
  ({
    name: name.trim(),
    every: typed.every,
    format: typed.format,
    day_of: typed.day_of,
    language: typed.language,
    recipients: [...new Set(recipients.split(/[\s,;]+/).filter((one) => one !== ''))],
    ...given(typed),
  }) as ExportScheduleInput

function ScheduleDialog({ filters, close }: { filters: Filters; close: () => void }) {
  const { say, language } = useSpeech()
  const { client } = useSession()
  const [typed, setTyped] = useState<Typed>({
    name: '',
    every: 'day',
    format: 'xlsx',
    day_of: 'paid',
    language,
    recipients: '',
    ...filters,
  })
  const set = (change: Partial<Typed>): void => setTyped({ ...typed, ...change })
  const creating = useAct({
    act: async () => await client.staff.exports.create(inputOf(typed)),
    done: () => say('export_created'),
    changes: ['exports'],
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    creating.mutate(undefined, { onSuccess: close })
  }
  return (
    <Dialog title={say('export_create_title')} close={close}>
      <form onSubmit={submit}>
        <label>
          {say('export_name')}
          <input
            data-first
            value={typed.name}
            maxLength={80}
            required
            onChange={({ target }) => set({ name: target.value })}
          />
        </label>
        <FormChoices typed={typed} set={set} />
        <FilterChoices typed={typed} set={set} />
        <Recipients text={typed.recipients} change={(recipients) => set({ recipients })} />
        {creating.isError && <Trouble error={creating.error} />}
        <div className="buttons">
          <button type="button" onClick={close}>
            {say('confirm_no')}
          </button>
          <button type="submit" className="primary" disabled={creating.isPending}>
            {say('export_create_do')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface ChoicesProps {
  typed: Typed
  set: (change: Partial<Typed>) => void
}

function FormChoices({ typed, set }: ChoicesProps) {
  const { say, word } = useSpeech()
  const worded = (group: string, ...words: string[]) =>
    words.map((one) => [one, word(group, one)] as const)
  return (
    <div className="pair">
      <Select
        label={say('export_every')}
        value={typed.every}
        options={worded('every', 'day', 'week', 'month')}
        choose={(every = 'day') => set({ every })}
      />
      <Select
        label={say('export_format')}
        value={typed.format}
        options={worded('format', 'xlsx', 'csv')}
        choose={(format = 'xlsx') => set({ format })}
      />
      <Select
        label={say('export_day_of')}
        value={typed.day_of}
        options={worded('day_of', 'paid', 'created')}
        choose={(day_of = 'paid') => set({ day_of })}
      />
      <Select
        label={say('export_language')}
        value={typed.language}
        options={worded('mail_language', 'id', 'en')}
        choose={(language = 'id') => set({ language })}
      />
    </div>
  )
}

function FilterChoices({ typed, set }: ChoicesProps) {
  const { say, word } = useSpeech()
  const any = ['', say('filter_any')] as const
  return (
    <div className="pair">
      <Select
        label={say('filter_status')}
        value={typed.status}
        options={[any, ...STATUSES.map((one) => [one, word('status', one)] as const)]}
        choose={(status = '') => set({ status })}
      />
      <Select
        label={say('filter_type')}
        value={typed.payment_type}
        options={[any, ...PAYMENT_METHODS.map((one) => [one, word('type', one)] as const)]}
        choose={(payment_type = '') => set({ payment_type })}
      />
      <Select
        label={say('bank')}
        value={typed.bank}
        options={[any, ...BANKS.map((one) => [one, one.toUpperCase()] as const)]}
        choose={(bank = '') => set({ bank })}
      />
      <label>
        {say('owner')}
        <input
          value={typed.owner_id ?? ''}
          maxLength={255}
          onChange={({ target }) => set({ owner_id: target.value })}
        />
      </label>
    </div>
  )
}

function Recipients({ text, change }: { text: string; change: (text: string) => void }) {
  const { say } = useSpeech()
  return (
    <div>
      <label>
        {say('export_recipients')}
        <textarea
          rows={3}
          required
          value={text}
          maxLength={4_000}
          aria-describedby="export-recipients"
          onChange={({ target }) => change(target.value)}
        />
      </label>
      <p className="quiet small" id="export-recipients">
        {say('export_recipients_hint')}
      </p>
    </div>
  )
}
