import { useSpeech } from '../language.ts'
import { useAnnounce } from './announcer.tsx'

/** Puts a text into the clipboard and says so. */
export function useCopy(): (text: string) => void {
  const { say } = useSpeech()
  const announce = useAnnounce()
  return (text) => {
    navigator.clipboard.writeText(text).then(
      () => announce(say('copied', { text })),
      () => announce(text),
    )
  }
}

/** A value to be read out or passed on, with the button for it. */
export function Copyable({ what, text, shown = text }: CopyableProps) {
  const { say } = useSpeech()
  const copy = useCopy()
  return (
    <span className="copyable">
      <code>{shown}</code>
      <button
        type="button"
        className="copy"
        onClick={() => copy(text)}
        aria-label={say('copy_what', { what })}
      >
        {say('copy')}
      </button>
    </span>
  )
}

interface CopyableProps {
  what: string
  text: string
  /** Where it is shown otherwise than it is copied. */
  shown?: string
}
