const HALF = 'M4 28V24H6V19H8V14H10V9H12V5H14V28Z'

/** A split gate, as at the entrance of a Balinese temple: that is what a gapura is. */
export const Logo = () => (
  <svg className="logo" viewBox="0 0 32 32" aria-hidden="true">
    <path d={HALF} />
    <path d={HALF} transform="matrix(-1 0 0 1 32 0)" />
  </svg>
)
