import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useRef, useState, type FormEvent } from 'react'
import { useKeys } from '../keyboard.ts'
import { useSpeech } from '../language.ts'

/**
 * Finds a payment by any id, number or address that a customer gives, on a page of its own. The term
 * is gone from the box on every other page, so that it is never taken for a filter of that page.
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
  const [typed, setTyped] = useState({ at: href, term: searched })
  // A new address, also by Back: what was typed at the former one is gone.
  if (typed.at !== href) setTyped({ at: href, term: searched })
  const { term } = typed
  const box = useRef<HTMLInputElement>(null)
  useKeys({
    '/': (event) => {
      event.preventDefault()
      box.current?.focus()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const q = term.trim()
    if (q !== '') void navigate({ to: '/search', search: { q } })
  }
  return (
    <form className="search" role="search" onSubmit={submit}>
      <input
        ref={box}
        type="search"
        value={term}
        onChange={({ target }) => setTyped({ at: href, term: target.value })}
        placeholder={say('search_hint')}
        aria-label={say('search')}
        aria-keyshortcuts="/"
        maxLength={255}
      />
      <button type="submit">{say('search_do')}</button>
    </form>
  )
}
