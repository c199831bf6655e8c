import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSpeech, type TextName } from '../../language.ts'

const PAGES = [
  { to: '/finance/ledger', name: 'finance_ledger' },
  { to: '/finance/payouts', name: 'finance_payouts' },
  { to: '/finance/exceptions', name: 'finance_exceptions' },
  { to: '/finance/proof', name: 'finance_proof' },
  { to: '/finance/statements', name: 'finance_statements' },
  { to: '/finance/rates', name: 'finance_rates' },
  { to: '/finance/month', name: 'finance_month' },
] as const satisfies readonly { to: string; name: TextName }[]

/** Pages that belong to another one of the menu. */
const BELOW: Readonly<Record<string, string>> = {
  '/finance/account': '/finance/ledger',
  '/finance/journal': '/finance/ledger',
  '/finance/mappings': '/finance/statements',
}

/** The pages of finance have a menu of their own. */
export function FinanceFrame({ title, children }: { title: string; children: ReactNode }) {
  const { say } = useSpeech()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <>
      <nav className="tabs" aria-label={say('page_finance')}>
        <ul>
          {PAGES.map(({ to, name }) => (
            <li key={to}>
              <Link
                to={to}
                search={{}}
                aria-current={(BELOW[path] ?? path).startsWith(to) ? 'page' : undefined}
              >
                {say(name)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <h1>{title}</h1>
      {children}
    </>
  )
}
