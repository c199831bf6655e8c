import { createHash } from 'node:crypto'
import { crc32, inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { barcode } from '../src/pictures/barcode.ts'
import { pngOf } from '../src/pictures/png.ts'
import { qrCode } from '../src/pictures/qr_code.ts'

const rowsOf = (text: string): string[] =>
  (qrCode(text) ?? []).map((row) => row.map((dark) => (dark ? '1' : '0')).join(''))

const HELLO = `
111111101100101111111
100000100001001000001
101110100101001011101
101110101001001011101
101110101110101011101
100000101001001000001
111111101010101111111
000000001001100000000
100010111111011111001
000100001011100001111
001111110011011010010
111110001100010000000
111110101010101100110
000000001010111101011
111111101110101011010
100000100101110110011
101110101101011000110
101110100100100011011
101110100111000111000
100000100001010000000
111111101111111110101`

const QRIS =
  '00020101021226300014COM.GO-JEK.WWW01G0000000015303360540835500.005802ID5916GAPURA SIMULATOR62405036b87bd205-a9e1-4286-9e25-37e809e0105763040000'

describe('a QR code', () => {
  test('is module for module the one other encoders draw', () => {
    expect(rowsOf('HELLO WORLD')).toEqual(HELLO.trim().split('\n'))
  })

  // SHA-256 of the rows as drawn by Project Nayuki's reference encoder (byte mode, level M).
  test.each([
    ['', 21, 'c30ac51df3031a0d4219aac58b58f0b82efbdb32354c067967ff9db149b16f61'],
    [
      'Gapura, gerbang pembayaran: Rp 44.000 ✓',
      29,
      '162b0d7f3aaf04cdb460d6898e4bd5bc883d4eb69be0a359145b8c177353a6fc',
    ],
    [QRIS, 49, '7664f842f9b4cb7e8aabaf243330a3c7d2a88d4188577d9e3aaee70bab31d201'],
    [
      `https://example.id/pay?${'0123456789'.repeat(30)}`,
      69,
      '3251e9dd22a5e7535d4b6e2ee73f6af990abcb9947d373e820b1d8669398daf3',
    ],
  ])('of %j has %i modules a side and its known digest', (text, size, digest) => {
    const rows = rowsOf(text)
    expect(rows).toHaveLength(size)
    expect(createHash('sha256').update(rows.join('\n')).digest('hex')).toBe(digest)
  })

  test('holds 666 bytes and refuses the next', () => {
    expect(rowsOf('x'.repeat(666))).toHaveLength(97)
    expect(qrCode('x'.repeat(667))).toBeUndefined()
  })

  test('takes the smallest size that holds the text', () => {
    expect(rowsOf('x'.repeat(14))).toHaveLength(21)
    expect(rowsOf('x'.repeat(15))).toHaveLength(25)
  })
})

describe('a PNG', () => {
  const png = pngOf([[true, false]].concat([[false, true]]), { scale: 2, quiet: 1 })

  test('has right checksums and the pixels of its modules', () => {
    const chunks: Record<string, Buffer> = {}
    for (let at = 8; at < png.length;) {
      const length = png.readUInt32BE(at)
      const typed = png.subarray(at + 4, at + 8 + length)
      expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(typed))
      chunks[typed.subarray(0, 4).toString('latin1')] = typed.subarray(4)
      at += 12 + length
    }
    expect(chunks['IHDR']?.readUInt32BE(0)).toBe(8)
    const pixels = inflateSync(chunks['IDAT'] ?? Buffer.alloc(0))
    const row = (y: number): string => pixels.subarray(y * 9 + 1, y * 9 + 9).toString('hex')
    expect(row(0)).toBe('ff'.repeat(8))
    expect(row(2)).toBe('ffff0000ffffffff')
    expect(row(5)).toBe('ffffffff0000ffff')
  })
})

describe('a barcode', () => {
  test('of two digits is start, pair, check and stop', () => {
    // Check: (105 + 1 × 12) mod 103 = 14.
    const drawn = barcode('12')
    expect(drawn?.width).toBe(11 + 11 + 11 + 13)
    const modules = Array.from({ length: drawn?.width ?? 0 }, () => '0')
    for (const { x, width } of drawn?.bars ?? []) modules.fill('1', x, x + width)
    // Eleven modules each, the stop thirteen.
    expect(modules.join('')).toBe('1101001110010110011100100110011101100011101011')
  })

  test.each(['', '123', '12a4'])('of %j is none', (digits) => {
    expect(barcode(digits)).toBeUndefined()
  })
})
