import { useId } from 'react'

/** A term with its definition, shown on hover and on keyboard focus. */
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
