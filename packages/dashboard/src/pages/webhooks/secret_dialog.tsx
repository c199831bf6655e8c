import { useSpeech } from '../../language.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'

interface SecretDialogProps {
  secret: string
  /** Whether another secret signs beside it. */
  rotated?: boolean
  close: () => void
}

/** The only time a secret is shown; it is in no cache of the page. */
export function SecretDialog({ secret, rotated = false, close }: SecretDialogProps) {
  const { say } = useSpeech()
  return (
    <Dialog title={say('webhook_secret_title')} close={close}>
      <p>{say('webhook_secret_lead')}</p>
      {rotated && <p>{say('webhook_secret_former')}</p>}
      <p className="secret">
        <Copyable what={say('webhook_secret')} text={secret} quiet />
      </p>
      <div className="buttons">
        <button type="button" className="primary" onClick={close}>
          {say('webhook_secret_close')}
        </button>
      </div>
    </Dialog>
  )
}
