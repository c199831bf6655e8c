import { useId, type ReactNode } from 'react'
import { useSpeech } from '../language.ts'

interface ActButtonProps {
  act: () => void
  /** Why the action is not possible, in the reader's language. */
  why: string | null
  busy?: boolean
  children: ReactNode
}

/** A disabled action stays reachable by keyboard, so that its reason can be read. */
export function ActButton({ act, why, busy = false, children }: ActButtonProps) {
  const { say } = useSpeech()
  const id = useId()
  const off = why !== null
  return (
    <span className="act">
      <button
        type="button"
        aria-disabled={off || busy}
        aria-describedby={off ? id : undefined}
        onClick={() => {
          if (!off && !busy) act()
        }}
      >
        {children}
      </button>
      {off && (
        <span className="tip" role="tooltip" id={id}>
          {say('action_why_not', { why })}
        </span>
      )}
    </span>
  )
}
