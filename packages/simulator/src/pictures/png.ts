import { crc32, deflateSync } from 'node:zlib'
import type { Modules } from './qr_code.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}

/** Modules as a grey PNG with the quiet zone readers need round a code. */
export function pngOf(
  modules: Modules,
  { scale, quiet }: { scale: number; quiet: number },
): Buffer {
  const size = (modules.length + 2 * quiet) * scale
  const light = Array.from({ length: size }, () => 0xff)
  const rows: number[][] = []
  for (let y = 0; y < size; y += 1) {
    const row = modules[Math.floor(y / scale) - quiet]
    // Each line starts with its filter, which is none.
    const pixels = row
      ? light.map((_, x) => (row[Math.floor(x / scale) - quiet] === true ? 0 : 0xff))
      : light
    rows.push([0, ...pixels])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.writeUInt8(8, 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
