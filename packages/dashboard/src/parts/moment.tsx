import { awayText, timeText } from '../format.ts'
import { useSpeech } from '../language.ts'

/** A moment in Jakarta, with how long ago beside it on wish. */
export function Moment({ at, away = false }: { at: string | null; away?: boolean }) {
  const { language } = useSpeech()
  if (at === null) return <span className="quiet">–</span>
  return (
    <>
      <time dateTime={at}>{timeText(language, at)}</time>
      {away && <span className="quiet away"> · {awayText(language, at)}</span>}
    </>
  )
}
