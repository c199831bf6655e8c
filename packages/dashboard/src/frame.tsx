import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useSpeech, type TextName } from './language.ts'
import { usePulse } from './live.ts'
import { useOrigins } from './parts/back_link.tsx'
import { Corner } from './parts/corner.tsx'
import { Logo } from './parts/logo.tsx'
import { SearchBox } from './parts/search_box.tsx'
import { useSession } from './session.tsx'

const PAGES = [
  { to: '/payments', name: 'page_payments' },
  { to: '/refunds', name: 'page_refunds' },
  { to: '/finance', name: 'page_finance' },
  { to: '/overview', name: 'page_overview' },
  { to: '/notifications', name: 'page_notifications' },
  { to: '/invoices', name: 'page_invoices' },
  { to: '/links', name: 'page_links' },
  { to: '/subscriptions', name: 'page_subscriptions' },
  { to: '/webhooks', name: 'page_webhooks' },
  { to: '/health', name: 'page_health' },
  { to: '/team', name: 'page_team' },
  { to: '/audit', name: 'page_audit' },
] as const satisfies readonly {
  to: string
  name: TextName
}[]

/** Reached from another page, not from the menu. */
const OTHER_PAGES = [{ to: '/exports', name: 'page_exports' }] as const

/** The frame of every page: navigation, search box and signed-in user. */
export function Frame() {
  const { say } = useSpeech()
  const { me, signed_in, signOut } = useSession()
  useOrigins()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const page = [...PAGES, ...OTHER_PAGES].find(({ to }) => path.startsWith(to))
  const title = page?.name ?? 'search_title'
  useEffect(() => {
    document.title = `${say(title)} · Gapura`
  }, [title, say])
  const { open, button, toggle, leave } = useMenu(path)
  return (
    <>
      <a className="skip" href="#main" onClick={skip}>
        {say('skip')}
      </a>
      <header className="top" data-open={open} onKeyDown={leave}>
        <span className="brand">
          <Logo /> Gapura
          {me.environment === 'sandbox' && (
            <span className="pill warn" title={say('sandbox_what')}>
              {say('sandbox')}
            </span>
          )}
        </span>
        <button
          ref={button}
          type="button"
          className="menu"
          aria-expanded={open}
          aria-controls="menu"
          onClick={toggle}
        >
          {say('menu_open')}
          {!open && <Waiting />}
        </button>
        <nav id="menu" aria-label={say('menu')}>
          <ul>
            {PAGES.map(({ to, name }) => (
              <li key={to}>
                <Link to={to} search={{}} aria-current={page?.to === to ? 'page' : undefined}>
                  {say(name)}
                  {to === '/health' && <Waiting />}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <SearchBox />
        <Corner />
        <div className="who">
          <span title={say('signed_in_as', { name: me.owner_id })}>
            {signed_in?.role ? signed_in.name : me.owner_id}
          </span>
          {signOut && (
            <button type="button" className="small" onClick={() => signOut()}>
              {say('sign_out')}
            </button>
          )}
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}

/** On a phone the menu is folded; Escape and another page fold it again. */
function useMenu(path: string) {
  const [menu, setMenu] = useState({ at: path, open: false })
  const open = menu.open && menu.at === path
  const button = useRef<HTMLButtonElement>(null)
  const toggle = (): void => setMenu({ at: path, open: !open })
  const leave = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || !open) return
    toggle()
    button.current?.focus()
  }
  return { open, button, toggle, leave }
}

/** The number of open alarms and refunds that need approval. */
function Waiting() {
  const { say } = useSpeech()
  const pulse = usePulse()
  const count = pulse === undefined ? 0 : pulse.open_alarms + pulse.held_refunds
  if (count === 0) return null
  return (
    <span className="count" title={say('waiting_here', { count })}>
      <span aria-hidden="true">{count}</span>
      <span className="sr">{say('waiting_here', { count })}</span>
    </span>
  )
}

/** Moves the focus without the address, because the part after # is the page. */
function skip(event: { preventDefault: () => void }): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main')?.focus()
}
