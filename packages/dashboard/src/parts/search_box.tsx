import type { SearchMatch } from '@gapura/sdk'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState, type FormEvent } from 'react'
import { useKeys } from '../keyboard.ts'
import { useSpeech } from '../language.ts'
import type { PaymentSearch } from '../pages/payments/payment_search.ts'
import { useSession } from '../session.tsx'
import { useAnnounce } from './announcer.tsx'

/** Finds a payment by any id, number or address that a customer gives. */
export function SearchBox() {
  const { say, word } = useSpeech()
  const { client } = useSession()
  const announce = useAnnounce()
  const navigate = useNavigate()
  const [term, setTerm] = useState('')
  const box = useRef<HTMLInputElement>(null)
  useKeys({
    '/': (event) => {
      event.preventDefault()
      box.current?.focus()
    },
  })
  const search = useMutation({
    mutationFn: async (q: string) => await client.staff.search.payments({ q }),
    onSuccess: ({ matches: [first] }, q) => {
      if (first === undefined) {
        announce(say('search_none', { term: q }))
        return
      }
      const [only] = first.results
      const kind = word('kind', first.kind)
      const count = first.more ? `${first.results.length}+` : first.results.length
      announce(say('search_found', { count, kind }))
      if (first.results.length === 1 && only !== undefined) {
        void navigate({ to: '/payments/$id', params: { id: only.id } })
      } else void navigate({ to: '/payments', search: filterOf(first) })
    },
    onError: () => announce(say('trouble')),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (term.trim() !== '') search.mutate(term.trim())
  }
  return (
    <form className="search" role="search" onSubmit={submit}>
      <input
        ref={box}
        type="search"
        value={term}
        onChange={({ target }) => setTerm(target.value)}
        placeholder={say('search_hint')}
        aria-label={say('search')}
        aria-keyshortcuts="/"
        maxLength={255}
      />
    </form>
  )
}

/** The list's filter that shows all of a match. */
function filterOf({ kind, value }: SearchMatch): PaymentSearch {
  if (kind === 'created_on') return { from: value, until: value }
  if (kind === 'id') return {}
  return { [kind]: value }
}
