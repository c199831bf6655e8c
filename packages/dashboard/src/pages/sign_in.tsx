import { useState, type FormEvent } from 'react'
import { Corner } from '../parts/corner.tsx'
import { Logo } from '../parts/logo.tsx'
import { useSpeech } from '../language.ts'

interface SignInProps {
  /** Whether the key just tried was wrong. */
  refused: boolean
  enter: (key: string) => void
}

export function SignIn({ refused, enter }: SignInProps) {
  const { say } = useSpeech()
  const [key, setKey] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const typed = key.trim()
    if (/^[!-~]+$/.test(typed)) enter(typed)
  }
  return (
    <main className="sign-in">
      <form className="sheet" onSubmit={submit}>
        <h1>
          <Logo /> Gapura
        </h1>
        <p className="quiet">{say('sign_in_lead')}</p>
        <label>
          {say('sign_in_key')}
          <input
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={key}
            onChange={(event) => setKey(event.target.value)}
            aria-describedby="sign-in-hint"
            aria-invalid={refused}
            required
          />
        </label>
        <p className="notice bad" role="alert" hidden={!refused}>
          {refused ? say('sign_in_wrong') : ''}
        </p>
        <button className="primary" type="submit">
          {say('sign_in')}
        </button>
        <p className="quiet small" id="sign-in-hint">
          {say('sign_in_hint')} <code>gapura keys create --staff</code>
        </p>
      </form>
      <Corner />
    </main>
  )
}
