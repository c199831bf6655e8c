import {
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FormEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { useSpeech } from '../language.ts'
import { Dialog } from './dialog.tsx'
import { Facts, type Fact } from './facts.tsx'
import { Trouble } from './states.tsx'

interface ConfirmProps {
  title: string
  /** Text of the button: the action itself, never "OK". */
  confirm: string
  /** Text of the other button. Where the action is itself a cancellation, "Cancel" is ambiguous. */
  dismiss?: string
  error: unknown
  busy: boolean
  close: () => void
  children?: ReactNode
}

interface ConfirmDialogProps extends ConfirmProps {
  act: () => void
}

/** One question, for what can be undone or repeated. */
export function ConfirmDialog({ title, confirm, error, busy, act, ...rest }: ConfirmDialogProps) {
  const { say } = useSpeech()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    act()
  }
  return (
    <Dialog title={title} close={rest.close}>
      <form onSubmit={submit}>
        {rest.children}
        {error !== null && <Trouble error={error} />}
        <div className="buttons">
          <button type="button" onClick={rest.close}>
            {rest.dismiss ?? say('confirm_no')}
          </button>
          <button type="submit" className="danger" disabled={busy}>
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface ReasonDialogProps extends ConfirmProps {
  /** Label of the reason, if it is not "Reason, kept in the audit". */
  ask?: string
  /** What the second step names: amount, payee, what remains. Only a note does without the step. */
  review?: readonly Fact[]
  /** What the action leads to, in one sentence. */
  effect?: string
  /** Whether the other fields are valid. */
  ready?: boolean
  act: (reason: string) => void
}

const REASON_LENGTH_MIN = 3

/**
 * For every action that moves money or ends something. The first step asks for the reason and sends
 * nothing; the second names what will happen and has the focus on no button, so that Enter, pressed
 * twice by habit, does nothing.
 */
export function ReasonDialog({ review, effect, act, ...props }: ReasonDialogProps) {
  const { title, confirm, error, busy, close } = props
  const { say } = useSpeech()
  const [reason, setReason] = useState('')
  const [reviewing, setReviewing] = useState(false)
  const why = reason.trim()
  if (!reviewing) {
    return (
      <Dialog title={title} close={close}>
        <Ask
          {...props}
          reason={reason}
          change={setReason}
          next={() => (review === undefined ? act(why) : setReviewing(true))}
          confirm={review === undefined ? confirm : say('confirm_next')}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={title} close={close}>
      <Review effect={effect} facts={[...(review ?? []), [say('reason'), why]]} error={error}>
        <button type="button" onClick={() => setReviewing(false)}>
          {say('confirm_back')}
        </button>
        <button type="button" className="danger" disabled={busy} onClick={() => act(why)}>
          {confirm}
        </button>
      </Review>
    </Dialog>
  )
}

interface AskProps extends Omit<ReasonDialogProps, 'review' | 'effect' | 'act'> {
  reason: string
  change: (reason: string) => void
  next: () => void
}

function Ask({ ask, ready = true, reason, change, next, ...props }: AskProps) {
  const { confirm, dismiss, error, busy, close, children } = props
  const { say } = useSpeech()
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const short = reason.trim().length < REASON_LENGTH_MIN
    setMissing(short)
    if (short) field.current?.focus()
    else if (ready) next()
  }
  return (
    <form onSubmit={submit}>
      <ReasonField
        label={ask ?? say('confirm_reason')}
        value={reason}
        missing={missing}
        field={field}
        change={change}
      />
      {children}
      {error !== null && <Trouble error={error} />}
      <div className="buttons">
        <button type="button" onClick={close}>
          {dismiss ?? say('confirm_no')}
        </button>
        <button type="submit" className="primary" disabled={busy}>
          {confirm}
        </button>
      </div>
    </form>
  )
}

interface ReasonFieldProps {
  label: string
  value: string
  missing: boolean
  field: RefObject<HTMLInputElement | null>
  change: (value: string) => void
}

/** The page says itself what is missing: the browser would say it in its own language. */
function ReasonField({ label, value, missing, field, change }: ReasonFieldProps) {
  const { say } = useSpeech()
  const id = useId()
  return (
    <div>
      <label>
        {label}
        <input
          ref={field}
          data-first
          value={value}
          maxLength={255}
          aria-required="true"
          aria-invalid={missing}
          aria-describedby={missing ? id : undefined}
          onChange={({ target }) => change(target.value)}
        />
      </label>
      <p className="notice bad" role="alert" id={id} hidden={!missing}>
        {missing ? say('reason_missing', { count: REASON_LENGTH_MIN }) : ''}
      </p>
    </div>
  )
}

interface ReviewProps extends Pick<ConfirmProps, 'error'> {
  effect: string | undefined
  facts: readonly Fact[]
  children: ReactNode
}

/** The focus is on the text: a screen reader reads it, and Enter does nothing. */
function Review({ effect, facts, error, children }: ReviewProps) {
  const text = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => text.current?.focus(), [])
  return (
    <div className="review">
      <div ref={text} tabIndex={-1} data-first className="review-text">
        <Facts facts={facts} />
        {effect !== undefined && <p>{effect}</p>}
      </div>
      {error !== null && <Trouble error={error} />}
      <div className="buttons">{children}</div>
    </div>
  )
}
