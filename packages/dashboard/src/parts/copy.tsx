import { useSpeech } from '../language.ts'
import { useAnnounce } from './announcer.tsx'

/** Puts a text into the clipboard and announces it, or `named` in its place. */
export function useCopy(): (text: string, named?: string) => void {
  const { say } = useSpeech()
  const announce = useAnnounce()
  return (text, named = text) => {
    navigator.clipboard.writeText(text).then(
      () => announce(say('copied', { text: named })),
      () => announce(named),
    )
  }
}

/** A value to be read out or passed on, with the button for it. */
export function Copyable({ what, text, shown = text, quiet = false }: CopyableProps) {
  const { say } = useSpeech()
  const copy = useCopy()
  return (
    <span className="copyable">
      <code>{shown}</code>
      <button
        type="button"
        className="copy"
        onClick={() => copy(text, quiet ? what : text)}
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
  /** A secret: its name is announced, not its text. */
  quiet?: boolean
}
