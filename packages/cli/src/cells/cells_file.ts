// The file that says which cells there are and which owners each has (docs/cells.md).
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { UsageError } from '../command.ts'

export interface CellServer {
  /** Host and port of the API. */
  address: string
  /** Where it answers `/readyz`: its GAPURA_ADMIN_PORT. */
  admin_port: number
  /** Finishes what it has and gets nothing new. */
  drain?: boolean
}

export interface CellEntry {
  servers: readonly CellServer[]
  /** Ranges of the first byte of an owner's SHA-256 in hexadecimal, as `00-7f`. */
  buckets: readonly string[]
  /** Staff reach the dashboard of the cell by this name. */
  host?: string
}

export interface CellsFile {
  /** Where the proxy listens, as `*:8080`. */
  listen: string
  /** The proxy's own socket, over which maps are changed while it runs. */
  admin_socket: string
  cells: Readonly<Record<string, CellEntry>>
  /** Owners and API keys that are elsewhere than their bucket or name says, by SHA-256. */
  moved?: { owners?: Readonly<Record<string, string>>; keys?: Readonly<Record<string, string>> }
}

const NAME = /^[a-z]{1,8}$/
const ADDRESS = /^[\w.*:[\]-]+:\d{1,5}$/
const HOST = /^[a-z0-9.-]{1,253}$/
const RANGE = /^([0-9a-f]{2})-([0-9a-f]{2})$/
const SHA_256 = /^[0-9a-f]{64}$/
const SOCKET = /^\/[\w./-]+$/
const BUCKETS = 256
const BUCKETS_SHOWN = 5

/** The bucket of an owner, and the name of an owner or a key in the maps. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
export const bucketOf = (owner_id: string): string => sha256(owner_id).slice(0, 2)

export function readCellsFile(file: string): CellsFile {
  let given: unknown
  try {
    given = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new UsageError(`${file} cannot be read as JSON`)
  }
  const faults = faultsOfCells(given)
  if (!isCellsFile(given, faults)) throw new UsageError(`${file}: ${faults.join('; ')}`)
  return given
}

const isCellsFile = (_given: unknown, faults: readonly string[]): _given is CellsFile =>
  faults.length === 0

/** The cells in the order of their names: the first has all that names no cell. */
export const cellsOf = (file: CellsFile): (readonly [string, CellEntry])[] =>
  Object.entries(file.cells).toSorted(([one], [other]) => (one < other ? -1 : 1))

/** Each bucket and the cells that claim it. */
export function bucketsOf(file: CellsFile): Map<string, string[]> {
  const claimed = new Map<string, string[]>()
  for (let bucket = 0; bucket < BUCKETS; bucket++)
    claimed.set(bucket.toString(16).padStart(2, '0'), [])
  for (const [name, { buckets }] of cellsOf(file)) {
    for (const range of buckets) {
      const [, from = '', to = ''] = RANGE.exec(range) ?? []
      for (const [bucket, cells] of claimed) if (bucket >= from && bucket <= to) cells.push(name)
    }
  }
  return claimed
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const matches = (pattern: RegExp, value: unknown): boolean =>
  typeof value === 'string' && pattern.test(value)

/** Everything wrong with it. Nothing of it may reach the proxy's configuration unchecked. */
export function faultsOfCells(given: unknown): string[] {
  const { listen, admin_socket, cells: named, moved } = fieldsOf(given)
  const cells = Object.entries(fieldsOf(named))
  const { owners, keys } = fieldsOf(moved)
  const elsewhere = Object.entries({ ...fieldsOf(owners), ...fieldsOf(keys) })
  const isCell = (name: unknown): boolean => cells.some(([cell]) => cell === name)
  const checks: readonly (readonly [good: boolean, fault: string])[] = [
    [cells.length > 0, 'cells must name at least one cell'],
    [matches(ADDRESS, listen), 'listen must be an address and a port'],
    [matches(SOCKET, admin_socket), 'admin_socket must be an absolute path'],
    [
      cells.every(([name]) => NAME.test(name)),
      'a cell must be named by one to eight letters, a to z',
    ],
    [
      elsewhere.every(([what]) => SHA_256.test(what)),
      'moved owners and keys must be named by their SHA-256',
    ],
    [elsewhere.every(([, cell]) => isCell(cell)), 'moved must name cells that exist'],
  ]
  const faults = [
    ...checks.flatMap(([good, fault]) => (good ? [] : [fault])),
    ...cells.flatMap(([name, cell]) => faultsOfCell(name, fieldsOf(cell))),
  ]
  return isCellsFile(given, faults) ? bucketFaults(given) : faults
}

function faultsOfCell(name: string, { servers, buckets, host }: Fields): string[] {
  const good_servers = listOf(servers)
    .map(fieldsOf)
    .every((one) => matches(ADDRESS, one['address']) && Number.isInteger(one['admin_port']))
  const checks: readonly (readonly [good: boolean, fault: string])[] = [
    [
      listOf(servers).length > 0 && good_servers,
      `the servers of ${name} must have address and admin_port`,
    ],
    [
      Array.isArray(buckets) && buckets.every((range) => matches(RANGE, range)),
      `the buckets of ${name} must be ranges as 00-7f`,
    ],
    [host === undefined || matches(HOST, host), `the host of ${name} must be a host name`],
  ]
  return checks.flatMap(([good, fault]) => (good ? [] : [fault]))
}

function bucketFaults(file: CellsFile): string[] {
  const wrong = [...bucketsOf(file)].filter(([, cells]) => cells.length !== 1)
  const shown = wrong.map(([bucket]) => bucket).slice(0, BUCKETS_SHOWN)
  return wrong.length === 0 ? [] : [`each bucket must have one cell; not so: ${shown.join(', ')}`]
}
