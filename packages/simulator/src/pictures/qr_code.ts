import { encode } from 'uqr'

/** Rows of a code; true is dark. */
export type Modules = readonly (readonly boolean[])[]

/** 666 bytes, several times what a payment needs. */
const VERSION_MAX = 20
const BYTES_MAX = 666

/**
 * The QR code of a text in byte mode, or nothing if the text is too long. Payers scan it from a
 * screen, so error correction stays at level M and the modules stay large.
 */
export function qrCode(text: string): Modules | undefined {
  const bytes = [...Buffer.from(text, 'utf8')]
  if (bytes.length > BYTES_MAX) return undefined
  return encode(bytes, { ecc: 'M', boostEcc: false, border: 0, maxVersion: VERSION_MAX }).data
}
