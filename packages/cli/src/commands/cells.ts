// Several cells behind one proxy (docs/cells.md).
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import {
  moveBack,
  MoveFailure,
  moveOwner,
  readDatabaseAddress,
  verifyDatabase,
  type MoveOrder,
} from 'gapura'
import { bucketOf, bucketsOf, readCellsFile, sha256, type CellsFile } from '../cells/cells_file.ts'
import { requireProxy, switchMap, writeProxyFiles } from '../cells/switch_map.ts'
import { UsageError, type Call, type Command, type Environment } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { CommandFailure } from '../failure.ts'

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
    const written = writeProxyFiles(readCellsFile(call.argument('file')), folder)
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
    const cell = cellOf(file, owner_id)
    const found = { owner_id, bucket, cell, moved: moved !== undefined }
    call.output.result(found, () => `${owner_id} is in cell ${cell ?? '-'} (bucket ${bucket})`)
    await Promise.resolve()
  },
}

const cellOf = (file: CellsFile, owner_id: string): string | null =>
  file.moved?.owners?.[sha256(owner_id)] ?? bucketsOf(file).get(bucketOf(owner_id))?.[0] ?? null

const addressOf = (environment: Environment): { databaseUrl: string; schema?: string } => {
  const { databaseUrl, schema } = readDatabaseAddress(environment)
  return { databaseUrl, ...(schema !== undefined && { schema }) }
}

function orderOf(call: Call): MoveOrder {
  const place = { file: call.argument('file'), folder: path.resolve(call.required('out')) }
  const cells = readCellsFile(place.file)
  const owner_id = call.argument('owner')
  const [from, to] = [call.required('from'), call.required('to')]
  for (const name of [from, to]) {
    if (!(name in cells.cells)) throw new UsageError(`${place.file} has no cell ${name}`)
  }
  const here = cellOf(cells, owner_id)
  // After the switch the file has the new cell: a move that was interrupted there goes on.
  if (from === to || (here !== from && here !== to)) {
    throw new UsageError(
      `${owner_id} is in cell ${here ?? '-'}, so it is not moved from ${from} to ${to}`,
    )
  }
  const target = parseEnv(readFileSync(call.required('target-env-file'), 'utf8'))
  return {
    owner_id,
    from: { name: from, ...addressOf(call.environment) },
    to: { name: to, ...addressOf(target) },
    switchMap: async (moved) => await switchMap(place, moved, to),
    verify: async ({ databaseUrl, schema }) => {
      const { broken } = await verifyDatabase(databaseUrl, schema === undefined ? {} : { schema })
      return broken.map(({ id }) => id)
    },
    progressed: (what) => call.output.progress(what),
  }
}

async function runMove(call: Call): Promise<void> {
  const order = orderOf(call)
  const { owner_id, from } = order
  if (call.on('back')) {
    await moveBack(order)
    call.output.result(
      { owner_id, cell: from.name },
      () => `${owner_id} stays in cell ${from.name}.`,
    )
    return
  }
  await requireProxy({ file: call.argument('file'), folder: path.resolve(call.required('out')) })
  const moved = await moveOwner(order)
  call.output.result(moved, () =>
    [
      `${owner_id} is in cell ${moved.to}.`,
      `Its writes were refused for ${moved.pause_ms ?? '-'} ms.`,
    ].join(' '),
  )
}

const move: Command = {
  name: 'cells move',
  summary: 'Move an owner to another cell while it works.',
  details:
    'Copies the rows of the owner, refuses its writes for at most two seconds, copies the rest, compares, switches the maps of the proxy, and then removes the rows from the old cell. Run it where HAProxy runs, with the settings of the old cell. DATABASE_URL is that of the role that owns the schema, in both cells, and not of the role that the service runs as. If it is interrupted, repeat it: it goes on. With --back, before the switch, the owner stays where it is and the copy is removed.',
  arguments: [FILE, { name: 'owner', summary: 'the owner' }],
  flags: {
    from: { value: 'cell', summary: 'the cell where the owner is', required: true },
    to: { value: 'cell', summary: 'the cell where it is moved to', required: true },
    'target-env-file': {
      value: 'file',
      summary: 'the settings of the new cell: DATABASE_URL and GAPURA_SCHEMA are read',
      required: true,
    },
    out: { value: 'folder', summary: 'where the files of HAProxy are', required: true },
    back: { summary: 'give the move up; only before the switch' },
  },
  examples: [
    'gapura cells move cells.json shop --from a --to b --target-env-file b.env --out /etc/haproxy',
    'gapura cells move cells.json shop --from a --to b --target-env-file b.env --out /etc/haproxy --back',
  ],
  run: async (call) => {
    try {
      await runMove(call)
    } catch (error) {
      if (!(error instanceof MoveFailure)) throw error
      throw new CommandFailure({
        exit_code: EXIT.refused,
        code: 'move_stopped',
        message: error.message,
        advice: [],
      })
    }
  },
}

export const CELL_COMMANDS: readonly Command[] = [render, owner, move]
