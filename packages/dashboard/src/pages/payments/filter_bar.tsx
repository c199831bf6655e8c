import { Link, useNavigate } from '@tanstack/react-router'
import { rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { DayField } from '../../parts/day_field.tsx'
import { PAYMENT_METHODS } from '../../parts/payment_methods.ts'
import { Select } from '../../parts/select.tsx'
import { TextField } from '../../parts/text_field.tsx'
import { useSession } from '../../session.tsx'
import { showsAll } from './cells.tsx'
import { ExportButton } from './export_button.tsx'
import { CHIPS, type PaymentSearch } from './payment_search.ts'
import { SavedFilters } from './saved_filters.tsx'

export const STATUSES = [
  'pending',
  'settlement',
  'capture',
  'authorize',
  'expire',
  'deny',
  'cancel',
  'failure',
  'partial_refund',
  'refund',
  'partial_chargeback',
  'chargeback',
  'initiated',
]

const SORTS = ['newest', 'oldest', 'highest', 'lowest']

export const BANKS = ['bca', 'bni', 'bri', 'cimb', 'permata', 'mandiri']

interface FilterProps {
  search: PaymentSearch
  set: (change: PaymentSearch) => void
}

/** Every filter is in the address: a list can be sent to a colleague, and Back undoes one. */
export function FilterBar({ search }: { search: PaymentSearch }) {
  const { say } = useSpeech()
  const { me } = useSession()
  const navigate = useNavigate()
  const set = (change: PaymentSearch): void =>
    void navigate({ to: '/payments', search: { ...search, ...change } })
  const used = Object.keys(search).filter((name) => name !== 'sort').length
  return (
    <>
      <SavedFilters search={search} />
      {/* On a phone the list comes first: the filters open by a touch. */}
      <details className="filter-box" open={isWide()}>
        <summary>{used === 0 ? say('filters') : say('filters_used', { count: used })}</summary>
        <div className="filters">
          <CellFilter search={search} set={set} />
          <KindFilters search={search} set={set} />
          <DayFilters search={search} set={set} />
          <Chips search={search} remove={(name) => set({ [name]: undefined })} />
          {/* Files are those of one cell. */}
          {!showsAll(me, search) && (
            <>
              <ExportButton search={search} />
              <ScheduleLink search={search} />
            </>
          )}
        </div>
      </details>
    </>
  )
}

/** Only where the service can list all cells. */
function CellFilter({ search, set }: FilterProps) {
  const { say } = useSpeech()
  const { cells } = useSession().me
  if (cells === undefined) return null
  return (
    <Select
      label={say('filter_cells')}
      value={search.cells}
      options={[
        ['', say('cells_this', { cell: cells.here })],
        ['all', say('cells_all')],
      ]}
      choose={(chosen) => set({ cells: chosen })}
    />
  )
}

/** The same filters, without days, by mail. */
function ScheduleLink({ search }: { search: PaymentSearch }) {
  const { say } = useSpeech()
  const { status, payment_type, bank, owner_id } = search
  const kept = Object.entries({ status, payment_type, bank, owner_id })
  return (
    <Link
      to="/exports"
      search={Object.fromEntries(kept.filter(([, value]) => value !== undefined))}
    >
      {say('exports_link')}
    </Link>
  )
}

const isWide = (): boolean => matchMedia('(width >= 720px)').matches

function KindFilters({ search, set }: FilterProps) {
  const { say, word } = useSpeech()
  const any = ['', say('filter_any')] as const
  const worded = (group: string, words: readonly string[]) =>
    words.map((one) => [one, word(group, one)] as const)
  return (
    <>
      <Select
        label={say('filter_status')}
        value={search.status}
        options={[any, ...worded('status', STATUSES)]}
        choose={(status) => set({ status })}
      />
      <Select
        label={say('filter_type')}
        value={search.payment_type}
        options={[any, ...worded('type', PAYMENT_METHODS)]}
        choose={(payment_type) => set({ payment_type })}
      />
      <Select
        label={say('bank')}
        value={search.bank}
        options={[any, ...BANKS.map((one) => [one, one.toUpperCase()] as const)]}
        choose={(bank) => set({ bank })}
      />
      <TextField
        label={say('owner')}
        text={search.owner_id}
        choose={(owner_id) => set({ owner_id })}
      />
      <Select
        label={say('filter_sort')}
        value={search.sort ?? 'newest'}
        options={worded('sort', SORTS)}
        choose={(sort) => set({ sort: sort === 'newest' ? undefined : sort })}
      />
    </>
  )
}

function DayFilters({ search, set }: FilterProps) {
  const { say } = useSpeech()
  return (
    <>
      <div className="days">
        <DayField
          label={say('filter_created_from')}
          day={search.from}
          choose={(from) => set({ from })}
        />
        <DayField
          label={say('filter_created_until')}
          day={search.until}
          choose={(until) => set({ until })}
        />
      </div>
      <div className="days">
        <DayField
          label={say('filter_paid_from')}
          day={search.paid_from}
          choose={(paid_from) => set({ paid_from })}
        />
        <DayField
          label={say('filter_paid_until')}
          day={search.paid_until}
          choose={(paid_until) => set({ paid_until })}
        />
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={search.overdue === 'true'}
          onChange={({ target }) => set({ overdue: target.checked ? 'true' : undefined })}
        />
        {say('filter_overdue')}
      </label>
    </>
  )
}

interface ChipsProps {
  search: PaymentSearch
  remove: (name: string) => void
}

function Chips({ search, remove }: ChipsProps) {
  const { say, word } = useSpeech()
  const navigate = useNavigate()
  const set = CHIPS.filter((name) => search[name] !== undefined)
  return (
    <>
      {set.map((name) => (
        <button key={name} type="button" className="chip" onClick={() => remove(name)}>
          <span className="sr">{say('filter_remove', { name: word('kind', name) })}</span>
          <span aria-hidden="true">
            {word('kind', name)}:{' '}
            {name === 'gross_amount' ? rupiah(search[name] ?? '0') : search[name]} ✕
          </span>
        </button>
      ))}
      {Object.keys(search).length > 0 && (
        <button
          type="button"
          className="small"
          onClick={() => void navigate({ to: '/payments', search: {} })}
        >
          {say('filter_clear')}
        </button>
      )}
    </>
  )
}
