import { Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useSpeech } from '../../language.ts'
import { useAnnounce } from '../../parts/announcer.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useSession } from '../../session.tsx'
import { keepable, paymentSearch, type PaymentSearch } from './payment_search.ts'

interface SavedFilter {
  name: string
  search: PaymentSearch
}

const SAVED_MAX = 20

/** Kept in the browser under the staff member's name; what names a customer is never in one. */
function useSaved() {
  const { me } = useSession()
  const place = `gapura.filters.${me.owner_id}`
  const [saved, setSaved] = useState(() => readSaved(localStorage.getItem(place)))
  const keep = (next: readonly SavedFilter[]): void => {
    localStorage.setItem(place, JSON.stringify(next))
    setSaved(next)
  }
  return [saved, keep] as const
}

function readSaved(text: string | null): readonly SavedFilter[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(found) ? found.flatMap(savedFilter) : []
  } catch {
    return []
  }
}

/** An entry as an older page may have written it. */
function savedFilter(found: unknown): SavedFilter[] {
  if (typeof found !== 'object' || found === null) return []
  if (!('name' in found) || !('search' in found) || typeof found.name !== 'string') return []
  const { name, search } = found
  if (typeof search !== 'object') return []
  return [{ name, search: keepable(paymentSearch({ ...search })) }]
}

export function SavedFilters({ search }: { search: PaymentSearch }) {
  const { say } = useSpeech()
  const announce = useAnnounce()
  const [saved, keep] = useSaved()
  const [asking, setAsking] = useState(false)
  const kept = keepable(search)
  const save = (name: string): void => {
    keep([...saved.filter((one) => one.name !== name), { name, search: kept }].slice(-SAVED_MAX))
    announce(say('filter_saved', { name }))
    setAsking(false)
  }
  const mayNew = Object.keys(kept).length > 0
  if (saved.length === 0 && !mayNew) return null
  return (
    <section className="saved" aria-label={say('filters_saved')}>
      {saved.map(({ name, search: filters }) => (
        <span key={name} className="saved-filter">
          <Link to="/payments" search={filters}>
            {name}
          </Link>
          <button
            type="button"
            aria-label={say('filter_forget', { name })}
            onClick={() => keep(saved.filter((one) => one.name !== name))}
          >
            ✕
          </button>
        </span>
      ))}
      {mayNew && (
        <button type="button" className="small" onClick={() => setAsking(true)}>
          {say('filter_save')}
        </button>
      )}
      {asking && <NameDialog save={save} close={() => setAsking(false)} />}
    </section>
  )
}

function NameDialog({ save, close }: { save: (name: string) => void; close: () => void }) {
  const { say } = useSpeech()
  const [name, setName] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() !== '') save(name.trim())
  }
  return (
    <Dialog title={say('filter_save_title')} close={close}>
      <form onSubmit={submit}>
        <label>
          {say('name')}
          <input
            data-first
            value={name}
            maxLength={40}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <p className="quiet small">{say('filter_save_lead')}</p>
        <div className="buttons">
          <button type="button" onClick={close}>
            {say('confirm_no')}
          </button>
          <button type="submit" className="primary" disabled={name.trim() === ''}>
            {say('filter_save_do')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
