import { useSpeech } from '../language.ts'

export const NothingHere = () => {
  const { say } = useSpeech()
  return <p className="empty">{say('not_found')}</p>
}
