// The rendered configuration in a real HAProxy, before cells that answer with their names.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSocket, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bucketOf,
  bucketsOf,
  faultsOfCells,
  sha256,
  type CellsFile,
} from '../src/cells/cells_file.ts'
import { requireProxy, switchMap } from '../src/cells/switch_map.ts'
import { inProcess } from './cli_bench.ts'

const HAPROXY = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((file) => {
  try {
    return readFileSync(file).length > 0
  } catch {
    return false
  }
})

const folder = mkdtempSync(path.join(tmpdir(), 'gapura-cells-'))
const KEY = 'K'.repeat(32)
const MOVED_KEY = `gpk_a_${'M'.repeat(32)}`
const NAMES = ['a', 'b', 'c']

type Answer = (request: IncomingMessage, response: ServerResponse) => void
/** What each cell does besides its readiness. */
const answers = new Map<string, Answer>()
const ready = new Map(NAMES.map((name) => [name, true]))
const servers: Server[] = []
let proxy: ChildProcess | undefined
let url = ''
let file: CellsFile

const opened = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const socket = createSocket()
  socket.listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  socket.close()
  await once(socket, 'close')
  return port
}

const cli = async (...argv: string[]) => await inProcess(argv, {})

beforeAll(async () => {
  const cells: Record<string, CellsFile['cells'][string]> = {}
  const buckets = ['00-54', '55-a9', 'aa-ff']
  for (const [index, name] of NAMES.entries()) {
    const named: Answer = (request, response) => {
      response.setHeader('x-path', request.url ?? '')
      response.end(name)
    }
    const port = await opened(
      createServer((request, response) => (answers.get(name) ?? named)(request, response)),
    )
    const admin_port = await opened(
      createServer((_request, response) => {
        response.writeHead(ready.get(name) === true ? 200 : 503).end()
      }),
    )
    const server = { address: `127.0.0.1:${port}`, admin_port }
    cells[name] = {
      servers: [server],
      buckets: [buckets[index] ?? ''],
      host: `${name}.pay.example`,
    }
  }
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  file = {
    listen: `127.0.0.1:${port}`,
    admin_socket: path.join(folder, 'admin.sock'),
    cells,
    moved: { owners: { [sha256('mover')]: 'c' }, keys: { [sha256(MOVED_KEY)]: 'b' } },
  }
  writeFileSync(path.join(folder, 'cells.json'), JSON.stringify(file))
  await cli('cells', 'render', path.join(folder, 'cells.json'), '--out', folder)
  if (HAPROXY === undefined) throw new Error('HAProxy is not installed: apt install haproxy')
  const configuration = path.join(folder, 'haproxy.cfg')
  execFileSync(HAPROXY, ['-c', '-f', configuration])
  proxy = spawn(HAPROXY, ['-db', '-f', configuration], { stdio: 'ignore' })
  await until(async () => (await asked('/', {})) === 'a')
})

afterAll(async () => {
  if (proxy !== undefined && proxy.exitCode === null) {
    proxy.kill('SIGKILL')
    await once(proxy, 'exit')
  }
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

async function until(good: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000
  while (!(await good().catch(() => false))) {
    if (Date.now() > end) throw new Error('it did not happen')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const asked = async (where: string, headers: Record<string, string>): Promise<string> =>
  await (await fetch(`${url}${where}`, { headers })).text()

const asKey = async (key: string) => await asked('/payments/', { authorization: `Bearer ${key}` })

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const asOwner = async (claims: object) =>
  await asKey(`${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}.c2lnbmF0dXJl`)

const notified = async (body: object, where = '/notification/') =>
  await fetch(`${url}${where}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('routing', () => {
  test.each(NAMES)('a key, a path, a host name and a claim that name cell %s', async (name) => {
    expect(await asKey(`gpk_${name}_${KEY}`)).toBe(name)
    const reply = await notified({ order_id: 'chosen' }, `/cells/${name}/notification/`)
    expect([await reply.text(), reply.headers.get('x-path')]).toEqual([name, '/notification/'])
    expect(await asOwner({ sub: 'shop', cell: name })).toBe(name)
    // Node's own client, because fetch does not let a host name be set.
    const sent = send(url, { headers: { host: `${name}.pay.example` } }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    expect(await text(answer)).toBe(name)
  })

  test('a key without a name and a request without a credential reach the first cell', async () => {
    expect(await asKey(`gpk_${KEY}`)).toBe('a')
    expect(await asked('/dashboard/', {})).toBe('a')
  })

  test('a moved key and a moved owner reach their new cell', async () => {
    expect(await asKey(MOVED_KEY)).toBe('b')
    expect(await asOwner({ sub: 'mover', cell: 'a' })).toBe('c')
  })

  test('an owner without a claim reaches the cell of its bucket', async () => {
    const cells = bucketsOf(file)
    for (const owner of ['shop', 'warung 12', 'toko "kopi"', 'é', 'x'.repeat(255)]) {
      const [cell] = cells.get(bucketOf(owner)) ?? []
      expect(await asOwner({ sub: owner })).toBe(cell)
      const { stdout } = await cli(
        'cells',
        'owner',
        path.join(folder, 'cells.json'),
        owner,
        '--json',
      )
      expect(JSON.parse(stdout)).toMatchObject({ cell, moved: false })
    }
  })

  test.each([
    ['ord-0123456789ABCDEF-b', 'b'],
    ['inv-0123456789ABCDEF-c-1700000000000', 'c'],
    ['ord-0123456789ABCDEF-zz', 'a'],
    ['chosen-by-a-shop-b', 'a'],
  ])('a notification to the common address of order %s reaches cell %s', async (order_id, cell) => {
    // Anywhere in the body, and in a large one.
    const body = { filler: 'x'.repeat(50_000), order_id }
    expect(await (await notified(body)).text()).toBe(cell)
  })
})

describe('moving an owner', () => {
  const place = { file: path.join(folder, 'cells.json'), folder }
  const key = `gpk_a_${'W'.repeat(32)}`
  const moved = { owner_id: 'warung', key_hashes: [sha256(key)] }

  test('the running proxy follows the switch at once, and again', async () => {
    await requireProxy(place)
    expect(await asKey(key)).toBe('a')
    for (const cell of ['b', 'c', 'a', 'b']) {
      await switchMap(place, moved, cell)
      expect([await asKey(key), await asOwner({ sub: 'warung', cell: 'a' })]).toEqual([cell, cell])
    }
    // And a proxy that starts later.
    const written = JSON.parse(readFileSync(place.file, 'utf8')) as CellsFile
    expect(written.moved).toMatchObject({
      owners: { [sha256('warung')]: 'b', [sha256('mover')]: 'c' },
      keys: { [sha256(key)]: 'b', [sha256(MOVED_KEY)]: 'b' },
    })
    expect(readFileSync(path.join(folder, 'owners.map'), 'utf8')).toContain(`${sha256('warung')} b`)
  })

  const flags = (from: string, to: string) => {
    const target = path.join(folder, 'target.env')
    const cells = ['--from', from, '--to', to, '--target-env-file', target, '--out', folder]
    return ['cells', 'move', place.file, 'warung', ...cells]
  }

  test.each([
    ['c', 'a', 'warung is in cell b, so it is not moved from c to a'],
    ['b', 'b', 'warung is in cell b, so it is not moved from b to b'],
    ['b', 'x', 'has no cell x'],
  ])('a move from %s to %s is refused', async (from, to, message) => {
    const { code, stderr } = await cli(...flags(from, to))
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  test('without a proxy that would follow, nothing begins', async () => {
    const elsewhere = { ...place, folder: path.join(folder, 'elsewhere') }
    await expect(requireProxy(elsewhere)).rejects.toThrow('run the command where HAProxy runs')
  })
})

describe('faults', () => {
  test('a read and a notification are repeated after a lost reply, a charge is not', async () => {
    let tries = 0
    answers.set('b', (request, response) => {
      tries += 1
      if (tries % 2 === 1) request.socket.destroy()
      else response.end('b')
    })
    const headers = { authorization: `Bearer gpk_b_${KEY}` }
    expect(await asKey(`gpk_b_${KEY}`)).toBe('b')
    expect(tries).toBe(2)
    expect((await notified({ order_id: 'x' }, '/cells/b/notification/')).status).toBe(200)
    expect(tries).toBe(4)
    // On a kept connection HAProxy closes it instead of answering 502: the caller decides.
    const charge = await fetch(`${url}/charge/`, { method: 'POST', headers, body: '{}' }).then(
      ({ status }) => status,
      () => 502,
    )
    expect([charge, tries]).toEqual([502, 5])
    answers.delete('b')
  })

  test('without cell a, others answer; its notifications get 429 and unnamed ones go on', async () => {
    ready.set('a', false)
    await until(async () => (await fetch(`${url}/`)).status === 503)
    expect((await notified({ order_id: 'ord-0123456789ABCDEF-a' })).status).toBe(429)
    expect(await (await notified({ order_id: 'chosen' })).text()).toBe('b')
    expect(await asKey(`gpk_c_${KEY}`)).toBe('c')
    ready.set('a', true)
    await until(async () => (await asked('/', {})) === 'a')
  })
})

describe('the file of the cells', () => {
  const faults = (more: object) => faultsOfCells({ ...file, ...more })
  const with_a = (more: object) =>
    faults({ cells: { ...file.cells, a: { ...file.cells['a'], ...more } } })

  test('a good one has no fault', () => expect(faults({})).toEqual([]))

  test.each([
    ['a bucket of two cells', () => with_a({ buckets: ['00-ff'] })],
    ['a bucket of none', () => with_a({ buckets: ['00-10'] })],
    [
      'a server with another line',
      () => with_a({ servers: [{ address: 'x:1\n  bind', admin_port: 1 }] }),
    ],
    ['a host with a space', () => with_a({ host: 'a b' })],
    ['a listener with a space', () => faults({ listen: '*:80 ssl' })],
    ['an owner by its name', () => faults({ moved: { owners: { shop: 'a' } } })],
    ['a move to no cell', () => faults({ moved: { owners: { [sha256('shop')]: 'z' } } })],
    ['no cells', () => faults({ cells: {}, moved: {} })],
  ])('%s is found', (_what, found) => expect(found()).toHaveLength(1))

  test('a file that cannot be read ends the command as wrong usage', async () => {
    const { code, stderr } = await cli(
      'cells',
      'render',
      path.join(folder, 'none'),
      '--out',
      folder,
    )
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be read')])
  })
})
