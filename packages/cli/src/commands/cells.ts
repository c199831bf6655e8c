// Several cells behind one proxy (docs/cells.md).
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bucketOf, bucketsOf, readCellsFile, sha256 } from '../cells/cells_file.ts'
import { renderCells } from '../cells/render.ts'
import type { Command } from '../command.ts'

const FILE = { name: 'file', summary: 'the file of the cells, in JSON' }

const render: Command = {
  name: 'cells render',
  summary: 'Write the configuration of HAProxy for a file of cells.',
  details:
    'Writes haproxy.cfg and its maps into the folder: check them with haproxy -c -f haproxy.cfg, then reload. Needs no database and no gateway.',
  arguments: [FILE],
  flags: {
    out: { value: 'folder', summary: 'where the files are written', required: true },
  },
  examples: ['gapura cells render cells.json --out /etc/haproxy'],
  run: async (call) => {
    const folder = path.resolve(call.required('out'))
    const files = renderCells(readCellsFile(call.argument('file')), folder)
    mkdirSync(folder, { recursive: true })
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(folder, name)
      // A proxy that starts meanwhile reads a whole file.
      writeFileSync(`${file}.new`, content)
      renameSync(`${file}.new`, file)
    }
    const written = Object.keys(files)
    call.output.result({ folder, written }, () => `Wrote ${written.join(', ')} into ${folder}`)
    await Promise.resolve()
  },
}

const owner: Command = {
  name: 'cells owner',
  summary: 'Show the cell of an owner.',
  details: 'By its bucket, unless the owner was moved. Keys and tokens are created in this cell.',
  arguments: [FILE, { name: 'owner', summary: 'the owner' }],
  flags: {},
  examples: ['gapura cells owner cells.json shop'],
  run: async (call) => {
    const file = readCellsFile(call.argument('file'))
    const owner_id = call.argument('owner')
    const bucket = bucketOf(owner_id)
    const moved = file.moved?.owners?.[sha256(owner_id)]
    const cell = moved ?? bucketsOf(file).get(bucket)?.[0] ?? null
    const found = { owner_id, bucket, cell, moved: moved !== undefined }
    call.output.result(found, () => `${owner_id} is in cell ${cell ?? '-'} (bucket ${bucket})`)
    await Promise.resolve()
  },
}

export const CELL_COMMANDS: readonly Command[] = [render, owner]
