import type { SearchMatch } from '@gapura/sdk'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { useKeys } from '../keyboard.ts'
import { useSpeech } from '../language.ts'
import { useAnnounce } from './announcer.tsx'
import { FoundGroups, useFound } from './found.tsx'

/** A request for each letter would be many; after this pause the term is searched. */
const PAUSE_MS = 120
const LENGTH_MIN = 3

/**
 * Finds a payment by anything that a customer gives: while it is typed below the box, and with Enter
 * on a page of its own. The term is gone from the box on every other page, so that it is never taken
 * for a filter of that page.
 */
export function SearchBox() {
  const { say } = useSpeech()
  const navigate = useNavigate()
  const { href, searched } = useRouterState({
    select: ({ location: { pathname, search, href: address } }) => ({
      href: address,
      searched: pathname === '/search' && 'q' in search ? (search.q ?? '') : '',
    }),
  })
  const [typed, setTyped] = useState({ at: href, term: searched, open: false })
  // A new address, also by Back: what was typed at the former one is gone.
  if (typed.at !== href) setTyped({ at: href, term: searched, open: false })
  const { term, open } = typed
  const form = useRef<HTMLFormElement>(null)
  const box = useRef<HTMLInputElement>(null)
  useKeys({
    '/': (event) => {
      event.preventDefault()
      box.current?.focus()
    },
  })
  const close = (): void => setTyped({ ...typed, open: false })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const q = term.trim()
    close()
    if (q !== '') void navigate({ to: '/search', search: { q } })
  }
  return (
    <form
      ref={form}
      className="search"
      role="search"
      onSubmit={submit}
      onKeyDown={(event) => moveIn(form.current, event, close)}
      onBlur={({ relatedTarget }) => {
        if (!form.current?.contains(relatedTarget)) close()
      }}
    >
      <input
        ref={box}
        type="search"
        value={term}
        onChange={({ target }) => setTyped({ at: href, term: target.value, open: true })}
        placeholder={say('search_hint')}
        aria-label={say('search')}
        aria-keyshortcuts="/"
        autoComplete="off"
        maxLength={255}
      />
      <button type="submit">{say('search_do')}</button>
      {open && term.trim().length >= LENGTH_MIN && <FoundNow term={term.trim()} />}
    </form>
  )
}

/** What the term finds so far. */
function FoundNow({ term }: { term: string }) {
  const { say } = useSpeech()
  const announce = useAnnounce()
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(term), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [term])
  const { data: found } = useFound(q)
  const count = found && countOf(found.matches)
  useEffect(() => {
    if (count !== undefined) announce(say('search_now_count', { count }))
  }, [count, announce, say])
  if (found === undefined) return null
  return (
    <div className="found-now">
      {found.matches.length === 0 && <p>{say('search_none', { term: q })}</p>}
      <FoundGroups found={found} />
    </div>
  )
}

/** One payment may be found by several kinds of value; of each kind only the first are listed. */
function countOf(matches: readonly SearchMatch[]): string {
  const ids = new Set(matches.flatMap(({ results }) => results.map(({ id }) => id)))
  return matches.some(({ more }) => more) ? `${ids.size}+` : String(ids.size)
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Up and down move between the box and what was found; Escape closes it. */
function moveIn(
  form: HTMLFormElement | null,
  event: KeyboardEvent<HTMLFormElement>,
  close: () => void,
): void {
  const stops = [...(form?.querySelectorAll<HTMLElement>('input, .found-now a') ?? [])]
  if (event.key === 'Escape' && stops.length > 1) {
    // The browser would clear the term.
    event.preventDefault()
    close()
    stops[0]?.focus()
    return
  }
  const step = STEPS[event.key]
  if (step === undefined || stops.length < 2) return
  event.preventDefault()
  event.stopPropagation()
  const at = stops.findIndex((stop) => stop === document.activeElement)
  stops[Math.max(0, Math.min(stops.length - 1, at + step))]?.focus()
}
