import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import {
  enterWithPasskey,
  hasPasskeys,
  OIDC_URL,
  post,
  SignInError,
  type SignInState,
} from '../client.ts'
import { useSpeech } from '../language.ts'
import { Corner } from '../parts/corner.tsx'
import { Logo } from '../parts/logo.tsx'

interface SignInProps {
  methods: SignInState['methods']
  done: () => void
}

export function SignIn({ methods, done }: SignInProps) {
  const { say } = useSpeech()
  if (methods === null) {
    return (
      <SignInFrame>
        <div className="sheet">
          <p>{say('sign_in_host')}</p>
        </div>
      </SignInFrame>
    )
  }
  const { password, passkey, oidc } = methods
  const refused = location.hash === '#/sign_in_refused'
  return (
    <SignInFrame>
      {passkey && hasPasskeys() && <PasskeyForm done={done} />}
      {oidc !== null && (
        <div className="sheet">
          <p className="notice bad" role="alert" hidden={!refused}>
            {refused ? say('sign_in_oidc_refused') : ''}
          </p>
          <a className="button primary" href={OIDC_URL}>
            {say('sign_in_oidc', { provider: oidc })}
          </a>
        </div>
      )}
      {password && <PasswordForm done={done} />}
      {password || passkey || oidc !== null ? (
        <details className="sheet">
          <summary>{say('sign_in_with_key')}</summary>
          <KeyForm done={done} folded />
        </details>
      ) : (
        <KeyForm done={done} />
      )}
    </SignInFrame>
  )
}

/** The page around a form of signing in. */
export function SignInFrame({ children }: { children: ReactNode }) {
  return (
    <main className="sign-in">
      <h1>
        <Logo /> Gapura
      </h1>
      {children}
      <Corner />
    </main>
  )
}

interface FieldProps {
  label: string
  value: string
  change: (value: string) => void
  type?: 'text' | 'email' | 'password'
  autoComplete: string
  invalid?: boolean
  describedBy?: string | undefined
  digits?: boolean
}

export const Field = ({ label, change, invalid = false, digits = false, ...rest }: FieldProps) => (
  <label>
    {label}
    <input
      type={rest.type ?? 'text'}
      value={rest.value}
      autoComplete={rest.autoComplete}
      spellCheck={false}
      autoCapitalize="none"
      {...(digits && { inputMode: 'numeric', pattern: '[0-9]{6}', maxLength: 6 })}
      aria-invalid={invalid}
      aria-describedby={rest.describedBy}
      onChange={({ target }) => change(target.value)}
      required
    />
  </label>
)

/** Why a sign-in was refused, in the reader's language. */
export function SignInTrouble({ error, refused }: { error: unknown; refused: string }) {
  const { say, named } = useSpeech()
  const code = error instanceof SignInError ? error.code : undefined
  const text =
    error instanceof DOMException
      ? say('passkey_cancelled')
      : code === undefined
        ? say('trouble_offline')
        : code === 'sign_in_refused'
          ? refused
          : (named(`advice_${code}`) ?? say('trouble'))
  return (
    <p className="notice bad" role="alert" hidden={error === null}>
      {error === null ? '' : text}
    </p>
  )
}

function PasskeyForm({ done }: { done: () => void }) {
  const { say } = useSpeech()
  const entering = useMutation({ mutationFn: enterWithPasskey, onSuccess: done })
  return (
    <div className="sheet stack">
      <SignInTrouble error={entering.error} refused={say('passkey_refused')} />
      <button
        type="button"
        className="primary"
        disabled={entering.isPending}
        onClick={() => entering.mutate()}
      >
        {say('sign_in_passkey')}
      </button>
    </div>
  )
}

function PasswordForm({ done }: { done: () => void }) {
  const { say } = useSpeech()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const entering = useMutation({
    mutationFn: async () => await post('sign_in/password', { email: email.trim(), password, code }),
    onSuccess: done,
    // A code is good once, so the next attempt needs another one.
    onError: () => setCode(''),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    entering.mutate()
  }
  const invalid = entering.isError
  return (
    <form className="sheet" onSubmit={submit}>
      <Field
        label={say('sign_in_email')}
        type="email"
        autoComplete="username"
        value={email}
        change={setEmail}
        invalid={invalid}
      />
      <Field
        label={say('sign_in_password')}
        type="password"
        autoComplete="current-password"
        value={password}
        change={setPassword}
        invalid={invalid}
      />
      <Field
        label={say('sign_in_code')}
        autoComplete="one-time-code"
        value={code}
        change={setCode}
        invalid={invalid}
        digits
      />
      <SignInTrouble error={entering.error} refused={say('sign_in_refused')} />
      <button className="primary" type="submit" disabled={entering.isPending}>
        {say('sign_in')}
      </button>
    </form>
  )
}

/** Folded below another form, it has no sheet of its own. */
function KeyForm({ done, folded = false }: { done: () => void; folded?: boolean }) {
  const { say } = useSpeech()
  const [key, setKey] = useState('')
  const entering = useMutation({
    mutationFn: async () => await post('sign_in/key', { key: key.trim() }),
    onSuccess: done,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    entering.mutate()
  }
  return (
    <form className={folded ? undefined : 'sheet'} onSubmit={submit}>
      <p className="quiet">{say('sign_in_lead')}</p>
      <Field
        label={say('sign_in_key')}
        type="password"
        autoComplete="off"
        value={key}
        change={setKey}
        invalid={entering.isError}
        describedBy="sign-in-hint"
      />
      <SignInTrouble error={entering.error} refused={say('sign_in_wrong')} />
      <button className="primary" type="submit" disabled={entering.isPending}>
        {say('sign_in')}
      </button>
      <p className="quiet small" id="sign-in-hint">
        {say('sign_in_hint')} <code>gapura keys create --staff</code>. {say('sign_in_invite')}{' '}
        <code>gapura staff invite</code>.
      </p>
    </form>
  )
}
