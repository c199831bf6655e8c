import { useId, type ReactNode } from 'react'
import { useSpeech } from '../language.ts'

interface ActButtonProps {
  act: () => void
  /** Why it cannot be done, in the service's words. */
  why: string | null
  busy?: boolean
  children: ReactNode
}

/** One that cannot be used stays in reach of the keyboard, or nobody could read why. */
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
