// A QR code of ISO/IEC 18004: byte mode, error correction level M, versions 1 to 20 (666 bytes),
// which is several times what a payment needs. The smallest version that holds the text is taken,
// and of its eight masks the one with the least penalty.
import { Grid, type Modules } from './qr_grid.ts'
import { chooseMask } from './qr_mask.ts'
import { errorCodewords } from './reed_solomon.ts'

const VERSION_MAX = 20

/** Per version: error correction codewords of a block, and how many blocks there are. */
const BLOCKS: readonly (readonly [codewords: number, blocks: number])[] = [
  [10, 1],
  [16, 1],
  [26, 1],
  [18, 2],
  [24, 2],
  [16, 4],
  [18, 4],
  [22, 4],
  [22, 5],
  [26, 5],
  [30, 5],
  [22, 8],
  [22, 9],
  [24, 9],
  [24, 10],
  [28, 10],
  [28, 11],
  [26, 13],
  [26, 14],
  [26, 16],
]

/** The code of a text, or nothing when it is too long for one. */
export function qrCode(text: string): Modules | undefined {
  const bytes = Buffer.from(text, 'utf8')
  const version = versionFor(bytes.length)
  if (version === undefined) return undefined
  const grid = new Grid(version)
  grid.drawFunctionModules()
  grid.drawCodewords(interleaved(version, dataCodewords(version, bytes)))
  return chooseMask(grid)
}

/** Modules that carry bits: the square without finders, timing, alignment and format areas. */
function bitCapacity(version: number): number {
  const alignments = Math.floor(version / 7) + 2
  const square = (16 * version + 128) * version + 64
  if (version === 1) return square
  return square - (25 * alignments - 10) * alignments + 55 - (version >= 7 ? 36 : 0)
}

const blocksOf = (version: number): readonly [number, number] => BLOCKS[version - 1] ?? [0, 0]

function dataCapacity(version: number): number {
  const [codewords, blocks] = blocksOf(version)
  return Math.floor(bitCapacity(version) / 8) - codewords * blocks
}

const lengthBits = (version: number): number => (version < 10 ? 8 : 16)

function versionFor(length: number): number | undefined {
  for (let version = 1; version <= VERSION_MAX; version += 1) {
    if (4 + lengthBits(version) + 8 * length <= 8 * dataCapacity(version)) return version
  }
  return undefined
}

function dataCodewords(version: number, bytes: Buffer): number[] {
  const capacity = dataCapacity(version)
  const bits = [
    '0100',
    bytes.length.toString(2).padStart(lengthBits(version), '0'),
    ...[...bytes].map((byte) => byte.toString(2).padStart(8, '0')),
  ].join('')
  const ended = bits + '0'.repeat(Math.min(4, 8 * capacity - bits.length))
  const whole = ended.padEnd(Math.ceil(ended.length / 8) * 8, '0')
  const codewords = (whole.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  for (let pad = 0xec; codewords.length < capacity; pad ^= 0xec ^ 0x11) codewords.push(pad)
  return codewords
}

/** Blocks side by side, so that a stain hurts each of them a little and none of them badly. */
function interleaved(version: number, data: number[]): number[] {
  const [codewords, count] = blocksOf(version)
  const short = Math.floor(data.length / count)
  const shortBlocks = count - (data.length % count)
  const blocks: { data: number[]; errors: number[] }[] = []
  let from = 0
  for (let index = 0; index < count; index += 1) {
    const to = from + short + (index < shortBlocks ? 0 : 1)
    const part = data.slice(from, to)
    blocks.push({ data: part, errors: errorCodewords(part, codewords) })
    from = to
  }
  const column = (parts: number[][], at: number): number[] =>
    parts.flatMap((part) => part[at] ?? [])
  const all: number[] = []
  for (let at = 0; at <= short; at += 1)
    all.push(
      ...column(
        blocks.map((one) => one.data),
        at,
      ),
    )
  for (let at = 0; at < codewords; at += 1)
    all.push(
      ...column(
        blocks.map((one) => one.errors),
        at,
      ),
    )
  return all
}
