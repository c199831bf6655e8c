import { useNavigate } from '@tanstack/react-router'
import { rupiah } from '../../format.ts'
import { useSpeech } from '../../language.ts'
import { DayField } from '../../parts/day_field.tsx'
import { Select } from '../../parts/select.tsx'
import { ExportButton } from './export_button.tsx'
import { CHIPS, type PaymentSearch } from './payment_search.ts'

const STATUSES = [
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

const TYPES = [
  'bank_transfer',
  'qris',
  'gopay',
  'credit_card',
  'shopeepay',
  'dana',
  'ovo',
  'echannel',
  'cstore',
  'kredivo',
  'akulaku',
]

const SORTS = ['newest', 'oldest', 'highest', 'lowest']

/** Every filter is in the address: a list can be sent to a colleague, and Back undoes one. */
export function FilterBar({ search }: { search: PaymentSearch }) {
  const { say, word } = useSpeech()
  const navigate = useNavigate()
  const set = (change: PaymentSearch): void =>
    void navigate({ to: '/payments', search: { ...search, ...change } })
  const any = ['', say('filter_any')] as const
  const worded = (group: string, words: readonly string[]) =>
    words.map((one) => [one, word(group, one)] as const)
  return (
    <div className="filters">
      <Select
        label={say('filter_status')}
        value={search.status}
        options={[any, ...worded('status', STATUSES)]}
        choose={(status) => set({ status })}
      />
      <Select
        label={say('filter_type')}
        value={search.payment_type}
        options={[any, ...worded('type', TYPES)]}
        choose={(payment_type) => set({ payment_type })}
      />
      <DayField label={say('filter_from')} day={search.from} choose={(from) => set({ from })} />
      <DayField label={say('filter_until')} day={search.until} choose={(until) => set({ until })} />
      <Select
        label={say('filter_sort')}
        value={search.sort ?? 'newest'}
        options={worded('sort', SORTS)}
        choose={(sort) => set({ sort: sort === 'newest' ? undefined : sort })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={search.overdue === 'true'}
          onChange={({ target }) => set({ overdue: target.checked ? 'true' : undefined })}
        />
        {say('filter_overdue')}
      </label>
      <Chips search={search} remove={(name) => set({ [name]: undefined })} />
      <ExportButton search={search} />
    </div>
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
