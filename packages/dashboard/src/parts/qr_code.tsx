import { encode } from 'uqr'
import { useMemo } from 'react'

/** Drawn here, as one path: an image from another server would reveal the payment to it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size: modules } = encode(text, { border: 2 })
    const squares = data.flatMap((row, y) =>
      row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
    )
    return { size: modules, path: squares.join('') }
  }, [text])
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} />
      <path d={path} />
    </svg>
  )
}
