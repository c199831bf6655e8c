import { barcode } from '../pictures/barcode.ts'
import { qrCode } from '../pictures/qr_code.ts'
import { html, type Html } from './html.ts'

const QUIET = 4
const BARS_HEIGHT = 40

/** A QR code that a phone can read off the screen; always dark on light, whatever the theme. */
export function qrDrawing(text: string, label: string): Html | undefined {
  const modules = qrCode(text)
  if (!modules) return undefined
  const size = modules.length + 2 * QUIET
  const path = modules
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')))
    .join('')
  return html`<svg
    class="qr"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${path}" fill="#000" />
  </svg>`
}

/** A barcode with the white margins that a scanner needs. */
export function barcodeDrawing(digits: string, label: string): Html | undefined {
  const drawn = barcode(digits)
  if (!drawn) return undefined
  const quiet = 10
  const path = drawn.bars
    .map(({ x, width }) => `M${x + quiet} 4h${width}v${BARS_HEIGHT}h-${width}z`)
    .join('')
  const width = drawn.width + 2 * quiet
  const height = BARS_HEIGHT + 8
  return html`<svg
    class="barcode"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${width}" height="${height}" fill="#fff" />
    <path d="${path}" fill="#000" />
  </svg>`
}
