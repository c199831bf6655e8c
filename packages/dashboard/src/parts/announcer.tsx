import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react'

type Announce = (text: string) => void

const AnnouncerContext = createContext<Announce>(() => undefined)

/** Shows the last success for a short time, also to a screen reader. */
export const useAnnounce = (): Announce => use(AnnouncerContext)

const SHOWN_MS = 6_000

export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', at: 0 })
  const announce = useCallback((text: string) => {
    const at = Date.now()
    setSaid({ text, at })
    setTimeout(() => setSaid((now) => (now.at === at ? { text: '', at: 0 } : now)), SHOWN_MS)
  }, [])
  const value = useMemo(() => announce, [announce])
  return (
    <AnnouncerContext value={value}>
      {children}
      <div className="announcer" role="status" aria-live="polite" data-said={said.text !== ''}>
        {said.text}
      </div>
    </AnnouncerContext>
  )
}
