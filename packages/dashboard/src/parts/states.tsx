import { GapuraError } from '@gapura/sdk'
import { useSpeech } from '../language.ts'

export const Loading = () => {
  const { say } = useSpeech()
  return (
    <p className="loading" role="status">
      {say('loading')}
    </p>
  )
}

/** What went wrong, in the service's own words, with the id that names the log entry. */
export function Trouble({ error, again }: { error: unknown; again?: () => void }) {
  const { say } = useSpeech()
  const known = error instanceof GapuraError ? error : undefined
  return (
    <div className="notice bad" role="alert">
      <p>
        <strong>{known?.title ?? say('trouble')}</strong>
      </p>
      <p>{known === undefined ? say('trouble_offline') : known.detail}</p>
      {known?.errors.map(({ field, message }) => (
        <p key={field}>
          <code>{field}</code>: {message}
        </p>
      ))}
      {known?.requestId !== undefined && (
        <p className="small">
          {say('request_id')}: <code>{known.requestId}</code>
        </p>
      )}
      {again && (
        <button type="button" onClick={again}>
          {say('try_again')}
        </button>
      )}
    </div>
  )
}
