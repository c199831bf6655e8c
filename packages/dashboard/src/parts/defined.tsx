import { useId } from 'react'

/** A term with what it means: shown under the mouse, and to whoever comes by the keyboard. */
export function Defined({ term, meaning }: { term: string; meaning: string }) {
  const id = useId()
  return (
    <span className="act">
      <button type="button" className="defined" aria-describedby={id}>
        {term}
      </button>
      <span className="tip" role="tooltip" id={id}>
        {meaning}
      </span>
    </span>
  )
}
