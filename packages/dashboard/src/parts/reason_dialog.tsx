import { useState, type FormEvent, type ReactNode } from 'react'
import { useSpeech } from '../language.ts'
import { Dialog } from './dialog.tsx'
import { Trouble } from './states.tsx'

interface ReasonDialogProps {
  title: string
  /** What the button says: the deed itself, never "OK". */
  deed: string
  /** What is asked for; nothing is where no reason is kept. */
  ask?: string
  required?: boolean
  error: unknown
  busy: boolean
  act: (reason: string) => void
  close: () => void
  children?: ReactNode
}

/** Asks once more before something is done, and why. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, deed, ask, required = false, error, busy, act, close, children } = props
  const { say } = useSpeech()
  const [reason, setReason] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    act(reason.trim())
  }
  return (
    <Dialog title={title} close={close}>
      <form onSubmit={submit}>
        {children}
        {ask !== undefined && (
          <label>
            {ask}
            <input
              value={reason}
              maxLength={255}
              minLength={required ? 3 : undefined}
              required={required}
              onChange={({ target }) => setReason(target.value)}
            />
          </label>
        )}
        {error !== null && <Trouble error={error} />}
        <div className="buttons">
          <button type="button" onClick={close}>
            {say('confirm_no')}
          </button>
          <button type="submit" className="danger" disabled={busy}>
            {deed}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
