import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSpeech, type TextName } from '../../language.ts'

const PAGES = [
  { to: '/finance/ledger', name: 'finance_ledger' },
  { to: '/finance/statements', name: 'finance_statements' },
  { to: '/finance/rates', name: 'finance_rates' },
  { to: '/finance/month', name: 'finance_month' },
] as const satisfies readonly { to: string; name: TextName }[]

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
              <Link to={to} search={{}} aria-current={path.startsWith(to) ? 'page' : undefined}>
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
