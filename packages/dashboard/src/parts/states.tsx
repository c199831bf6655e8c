import { GapuraError, GapuraNetworkError } from '@gapura/sdk'
import { rupiah } from '../format.ts'
import { useSpeech, type Speech, type TextName } from '../language.ts'
import { INDONESIAN_REASONS } from '../texts/indonesian_reasons.ts'

export const Loading = () => {
  const { say } = useSpeech()
  return (
    <p className="loading" role="status">
      {say('loading')}
    </p>
  )
}

/** What went wrong, in the reader's language by its code, with the id that names the log entry. */
export function Trouble({ error, again }: { error: unknown; again?: () => void }) {
  const speech = useSpeech()
  const { say } = speech
  const known = error instanceof GapuraError ? error : undefined
  return (
    <div className="notice bad" role="alert">
      {known === undefined ? <Unreachable error={error} /> : <Refused error={known} />}
      {known?.errors.map(({ field, message }) => (
        <p key={field}>
          <code>{field}</code>: {faultText(speech, message)}
        </p>
      ))}
      {known?.requestId !== undefined && (
        <p className="small">
          {say('request_id')}: <code>{known.requestId}</code>
        </p>
      )}
      {known && <Original error={known} />}
      {again && (
        <button type="button" onClick={again}>
          {say('try_again')}
        </button>
      )}
    </div>
  )
}

function Refused({ error: { code, gateway } }: { error: GapuraError }) {
  const { say, named } = useSpeech()
  return (
    <>
      <p>
        <strong>{named(`error_${code}`) ?? say('trouble')}</strong>
      </p>
      <p>{named(`advice_${code}`)}</p>
      {gateway?.status_message && (
        <p>
          {say('gateway_message')}: <q lang="en">{gateway.status_message}</q>
        </p>
      )}
    </>
  )
}

/** Without a reply; a write may have been done all the same. */
function Unreachable({ error }: { error: unknown }) {
  const { say } = useSpeech()
  const unclear = error instanceof GapuraNetworkError && !error.definite
  return (
    <>
      <p>
        <strong>{say('trouble')}</strong>
      </p>
      <p>{say(unclear ? 'trouble_unclear' : 'trouble_offline')}</p>
    </>
  )
}

/** The service's own text, for who has to look into it. */
function Original({ error }: { error: GapuraError }) {
  const { say } = useSpeech()
  return (
    <details>
      <summary>{say('trouble_original')}</summary>
      <p lang="en" className="small">
        <code>{error.message}</code>
      </p>
    </details>
  )
}

/** Field faults have no code; these are the ones that the forms of these pages can lead to. */
const FAULTS: readonly (readonly [RegExp, TextName])[] = [
  [/^must not contain /, 'fault_secret'],
  [/^must be at most ([\d.]+) until a day has passed$/, 'fault_day_limit'],
  [/whole rupiah/, 'fault_rupiah'],
  [/^another schedule has it$/, 'fault_name_taken'],
  [/characters|^is required|^must match/, 'fault_length'],
]

function faultText({ say, language }: Speech, message: string): string {
  if (language === 'en') return message
  const reason = INDONESIAN_REASONS[message]
  if (reason !== undefined) return reason
  for (const [pattern, name] of FAULTS) {
    const found = pattern.exec(message)
    if (found) return say(name, { amount: found[1] === undefined ? '' : rupiah(found[1]) })
  }
  return say('fault_other')
}
