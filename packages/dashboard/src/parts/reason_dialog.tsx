import { useState, type FormEvent, type ReactNode } from 'react'
import { useSpeech } from '../language.ts'
import { Dialog } from './dialog.tsx'
import { Trouble } from './states.tsx'

interface ReasonDialogProps {
  title: string
  /** Text of the button: the action itself, never "OK". */
  confirm: string
  /** Text of the other button. Where the action is itself a cancellation, "Cancel" is ambiguous. */
  dismiss?: string
  /** Label of the reason field; without it no reason is asked for. */
  ask?: string
  required?: boolean
  error: unknown
  busy: boolean
  act: (reason: string) => void
  close: () => void
  children?: ReactNode
}

/** Asks for confirmation and, if `ask` is given, for a reason. */
export function ReasonDialog(props: ReasonDialogProps) {
  const {
    title,
    confirm,
    dismiss,
    ask,
    required = false,
    error,
    busy,
    act,
    close,
    children,
  } = props
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
            {dismiss ?? say('confirm_no')}
          </button>
          <button type="submit" className="danger" disabled={busy}>
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
