// Sends the requests of a moved owner to its new cell: in the file of the cells, in the maps on disk, and
// in the running proxy over its socket, so that no reload is needed.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { UsageError } from '../command.ts'
import { readCellsFile, sha256, type CellsFile } from './cells_file.ts'
import { renderCells } from './render.ts'

/** A process that starts meanwhile reads a whole file. */
export function writeWhole(file: string, content: string): void {
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}

/** Writes all files of the proxy; their names. */
export function writeProxyFiles(file: CellsFile, folder: string): string[] {
  const files = renderCells(file, folder)
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeWhole(path.join(folder, name), content)
  return Object.keys(files)
}

export interface ProxyPlace {
  /** The file of the cells. */
  file: string
  /** Where the files of the proxy are. */
  folder: string
}

async function command({ admin_socket }: CellsFile, line: string): Promise<string> {
  const socket = createConnection(admin_socket)
  socket.end(`${line}\n`)
  return (await text(socket)).trim()
}

/** Refuses a proxy that would not follow the switch: the owner would wait for it. */
export async function requireProxy({ file, folder }: ProxyPlace): Promise<void> {
  const cells = readCellsFile(file)
  const maps = await command(cells, 'show map').catch(() => '')
  if (!maps.includes(path.join(folder, 'owners.map'))) {
    throw new UsageError(
      `no proxy with the maps in ${folder} answers at ${cells.admin_socket}: run the command where HAProxy runs`,
    )
  }
}

/** May be repeated: the entries are set, whatever they were. */
export async function switchMap(
  { file, folder }: ProxyPlace,
  { owner_id, key_hashes }: { owner_id: string; key_hashes: readonly string[] },
  to: string,
): Promise<void> {
  const before = readCellsFile(file)
  const owners = { [sha256(owner_id)]: to }
  const keys = Object.fromEntries(key_hashes.map((hash) => [hash, to]))
  const cells: CellsFile = {
    ...before,
    moved: {
      owners: { ...before.moved?.owners, ...owners },
      keys: { ...before.moved?.keys, ...keys },
    },
  }
  writeWhole(file, `${JSON.stringify(cells, null, 2)}\n`)
  writeProxyFiles(cells, folder)
  for (const [map, entries] of Object.entries({ owners, keys })) {
    const name = path.join(folder, `${map}.map`)
    for (const [key, cell] of Object.entries(entries)) {
      const answer = await command(cells, `set map ${name} ${key} ${cell}`)
      if (answer !== '') await command(cells, `add map ${name} ${key} ${cell}`)
    }
  }
}
