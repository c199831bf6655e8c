// The few parts of a zip archive that a workbook needs, with bounds on what it may unpack to. By
// hand over the platform's own inflate: it is small, and the bound is in the one place that unpacks.
import { crc32, inflateRawSync } from 'node:zlib'
import { FileProblem } from './parsed_file.ts'

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const ENTRIES_MAX = 200
/** Of one file in the archive, and of all that are unpacked: a bomb of a thousandfold ends here. */
const UNPACKED_MAX = 64 * 1_024 * 1_024

interface Entry {
  method: number
  crc: number
  packed: number
  size: number
  offset: number
}

export class ZipArchive {
  readonly #bytes: Buffer
  readonly #entries: ReadonlyMap<string, Entry>
  #left = UNPACKED_MAX

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#entries = entriesOf(this.#bytes)
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** The text of one file in the archive; undefined if there is none. */
  text(name: string): string | undefined {
    const entry = this.#entries.get(name)
    if (entry === undefined) return undefined
    const content = this.#unpack(entry)
    if (content.length !== entry.size || crc32(content) !== entry.crc) throw damaged()
    this.#left -= content.length
    return content.toString('utf8')
  }

  #unpack({ method, packed, size, offset }: Entry): Buffer {
    if (size > this.#left) throw new FileProblem('unpacks to more than 64 MiB')
    const header = read(this.#bytes, offset, 30)
    if (header.readUInt32LE(0) !== LOCAL) throw damaged()
    const begin = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
    const content = read(this.#bytes, begin, packed)
    if (method === 0) return content
    if (method !== 8) throw new FileProblem('is packed in a way that cannot be read')
    try {
      return inflateRawSync(content, { maxOutputLength: Math.max(1, size) })
    } catch {
      throw damaged()
    }
  }
}

const damaged = (): FileProblem => new FileProblem('is damaged, or no workbook')

function read(bytes: Buffer, at: number, length: number): Buffer {
  if (at < 0 || at + length > bytes.length) throw damaged()
  return bytes.subarray(at, at + length)
}

const COMMENT_MAX = 65_535

function entriesOf(bytes: Buffer): Map<string, Entry> {
  const from = Math.max(0, bytes.length - 22 - COMMENT_MAX)
  const end = bytes.subarray(from).lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0) throw damaged()
  const tail = read(bytes, from + end, 22)
  if (tail.readUInt32LE(0) !== END) throw damaged()
  const count = tail.readUInt16LE(10)
  if (count > ENTRIES_MAX) throw new FileProblem(`has more than ${ENTRIES_MAX} files inside`)
  const entries = new Map<string, Entry>()
  let at = tail.readUInt32LE(16)
  for (let index = 0; index < count; index += 1) {
    const head = read(bytes, at, 46)
    if (head.readUInt32LE(0) !== ENTRY) throw damaged()
    const name_length = head.readUInt16LE(28)
    const name = read(bytes, at + 46, name_length).toString('utf8')
    if ((head.readUInt16LE(8) & 1) === 1) throw new FileProblem('is protected by a password')
    entries.set(name, {
      method: head.readUInt16LE(10),
      crc: head.readUInt32LE(16),
      packed: head.readUInt32LE(20),
      size: head.readUInt32LE(24),
      offset: head.readUInt32LE(42),
    })
    at += 46 + name_length + head.readUInt16LE(30) + head.readUInt16LE(32)
  }
  return entries
}
