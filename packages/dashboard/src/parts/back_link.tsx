import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, type MouseEvent, type ReactNode } from 'react'

type ListPath =
  | '/payments'
  | '/refunds'
  | '/notifications'
  | '/invoices'
  | '/links'
  | '/subscriptions'
  | '/webhooks'

/** The filters that each list had last, in this tab. */
const filters = new Map<ListPath, object>()
/** From which page each entry of the history was opened, by the entry's key. */
const origins = new Map<string, string>()

/** Keeps the filters of a list for the way back to it. */
export function useFiltersKept(list: ListPath, search: object): void {
  useEffect(() => void filters.set(list, search), [list, search])
}

/** The place of an entry in the history; the router keeps it in the entry's state. */
const keyOf = (state: object): string => {
  const { ['__TSR_key']: key }: Readonly<Record<string, unknown>> = { ...state }
  return typeof key === 'string' ? key : ''
}

/** Notes where each page was opened from. Back and forward lead to entries that are known. */
export function useOrigins(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onResolved', ({ fromLocation, toLocation }) => {
        const key = keyOf(toLocation.state)
        if (fromLocation !== undefined && !origins.has(key)) origins.set(key, fromLocation.pathname)
      }),
    [router],
  )
}

/**
 * To the list as it was left: Back itself where the list is the page before, which keeps filters and
 * scroll position; else the list with its last filters.
 */
export function BackLink({ to, children }: { to: ListPath; children: ReactNode }) {
  const router = useRouter()
  const key = useRouterState({ select: ({ location }) => keyOf(location.state) })
  const back = (event: MouseEvent): void => {
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0
    if (!plain || origins.get(key) !== to) return
    event.preventDefault()
    router.history.back()
  }
  return (
    <p className="crumbs">
      <Link to={to} search={filters.get(to) ?? {}} onClick={back}>
        {children}
      </Link>
    </p>
  )
}
