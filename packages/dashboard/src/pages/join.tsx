import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { hasPasskeys, joinWithPasskey, post, SignInError, type Invitation } from '../client.ts'
import { useSpeech } from '../language.ts'
import { Copyable } from '../parts/copy.tsx'
import { QrCode } from '../parts/qr_code.tsx'
import { Loading } from '../parts/states.tsx'
import { Field, SignInFrame, SignInTrouble } from './sign_in.tsx'

const JOIN = /^#\/join\?token=(gpl_[0-9a-f]{64})$/

/** The token of a one-time link: after the #, so that no server and no log gets it. */
export const joinToken = (): string | undefined => JOIN.exec(location.hash)?.[1]

/** Sets up how to sign in, from a one-time link. */
export function JoinPage({ done }: { done: () => void }) {
  const { say } = useSpeech()
  const [token] = useState(joinToken)
  const asked = useQuery({
    queryKey: ['join'],
    queryFn: async () => await post<Invitation>('sign_in/invitation', { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const leave = (): void => {
    // The link is used up and must not stay in the history.
    history.replaceState(null, '', location.pathname)
    done()
  }
  if (asked.isPending) return <Loading />
  if (asked.isError || token === undefined) {
    return (
      <SignInFrame>
        <div className="sheet">
          <h2>{say('join_title')}</h2>
          <SignInTrouble error={asked.error} refused={say('join_ended')} />
          <button type="button" onClick={leave}>
            {say('join_to_sign_in')}
          </button>
        </div>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame>
      <JoinForm invitation={asked.data} token={token} done={leave} />
    </SignInFrame>
  )
}

interface JoinFormProps {
  invitation: Invitation
  token: string
  done: () => void
}

function JoinForm(props: JoinFormProps) {
  const { say } = useSpeech()
  const { name, email } = props.invitation
  return (
    <>
      <div className="sheet stack">
        <h2>{say('join_title')}</h2>
        <p>{say('join_lead', { name, email })}</p>
        {hasPasskeys() && <PasskeyJoin {...props} />}
      </div>
      {props.invitation.totp === null ? (
        <p className="sheet">{say('advice_passwords_not_configured')}</p>
      ) : (
        <PasswordJoin {...props} totp={props.invitation.totp} />
      )}
    </>
  )
}

function PasskeyJoin({ token, done }: JoinFormProps) {
  const { say } = useSpeech()
  const joining = useMutation({
    mutationFn: async () => await joinWithPasskey(token),
    onSuccess: done,
  })
  return (
    <>
      <p className="quiet">{say('join_passkey_lead')}</p>
      <SignInTrouble error={joining.error} refused={say('join_ended')} />
      <button
        type="button"
        className="primary"
        disabled={joining.isPending}
        onClick={() => joining.mutate()}
      >
        {say('join_passkey')}
      </button>
    </>
  )
}

interface PasswordJoinProps extends JoinFormProps {
  totp: NonNullable<Invitation['totp']>
}

function PasswordJoin({ invitation: { email }, totp, token, done }: PasswordJoinProps) {
  const { say } = useSpeech()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const joining = useMutation({
    mutationFn: async () => await post('sign_in/join', { token, password, code }),
    onSuccess: done,
    onError: () => setCode(''),
  })
  const weak = joining.error instanceof SignInError && joining.error.fields.includes('password')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    joining.mutate()
  }
  return (
    <form className="sheet" onSubmit={submit}>
      <h2>{say('join_with_password')}</h2>
      {/* For password managers: the account that the password belongs to. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field
        label={say('join_password')}
        type="password"
        autoComplete="new-password"
        value={password}
        change={setPassword}
        invalid={weak}
        describedBy="join-password-hint"
      />
      <p className={weak ? 'notice bad' : 'quiet small'} id="join-password-hint">
        {say('join_password_hint')}
      </p>
      <p>{say('join_scan')}</p>
      <QrCode text={totp.uri} label={say('join_qr')} />
      <p className="small">
        {say('join_secret')} <Copyable what={say('join_secret')} text={totp.secret} quiet />
      </p>
      <Field
        label={say('sign_in_code')}
        autoComplete="one-time-code"
        value={code}
        change={setCode}
        invalid={joining.isError && !weak}
        digits
      />
      {!weak && <SignInTrouble error={joining.error} refused={say('join_code_wrong')} />}
      <button className="primary" type="submit" disabled={joining.isPending}>
        {say('join_do')}
      </button>
    </form>
  )
}
