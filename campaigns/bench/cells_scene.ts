// Cells on this machine: a PostgreSQL server, an API and a worker each, before them a real HAProxy
// with the configuration of `gapura cells render`, and one simulator as the gateway of all.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { processorsOf } from '../../bench/proc.ts'
import { SERVER_KEY } from '../../bench/orders.ts'
import type { CellsFile } from '../../packages/cli/src/cells/cells_file.ts'
import { renderCells } from '../../packages/cli/src/cells/render.ts'
import { createGapura } from '../../packages/service/src/main/create_gapura.ts'
import { CLIENT_KEY, SECOND_PERSON_ABOVE } from './deployment.ts'
import { childrenOf, PostgresCluster } from './postgres_cluster.ts'
import { freePort, Supervised } from './supervised.ts'

const HAPROXY = '/usr/sbin/haproxy'
const READY_WITHIN_MS = 300_000
const BUCKETS: Readonly<Record<string, string>> = { a: '00-54', b: '55-a9', c: 'aa-ff' }
const WEBHOOK_KEY = Buffer.alloc(32, 'webhooks').toString('base64')
const SERVICE = '../packages/service/src/main/run.ts'

export interface Cell {
  name: string
  cluster: PostgresCluster
  pool: Pool
  /** The owner of the cell, and its key. */
  owner_id: string
  key: string
  /** The key of a staff member. */
  staff_key: string
  /** Processor seconds of API, worker and PostgreSQL. */
  processor: () => Promise<number>
}

export interface CellsScene {
  url: string
  simulator_url: string
  cells: readonly Cell[]
  /** Where cells.json and the files of the proxy are. */
  folder: string
  /** Processor seconds of the proxy. */
  proxyProcessor: () => Promise<number>
  close: () => Promise<void>
}

interface Place {
  name: string
  port: number
  admin_port: number
}

export async function openCells(seed: number): Promise<CellsScene> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gapura-cells-'))
  chmodSync(folder, 0o755)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const simulator_port = await freePort()
  const simulator_url = `http://127.0.0.1:${simulator_port}`
  const simulator = new Supervised({
    name: 'simulator',
    script: '../packages/simulator/src/main.ts',
    environment: {
      SIMULATOR_PORT: String(simulator_port),
      SIMULATOR_SEED: String(seed),
      SIMULATOR_SERVER_KEY: SERVER_KEY,
      SIMULATOR_CLIENT_KEY: CLIENT_KEY,
    },
  })
  const places: Place[] = []
  for (const name of Object.keys(BUCKETS)) {
    places.push({ name, port: await freePort(), admin_port: await freePort() })
  }
  const { url, proxy } = await startProxy(folder, places)
  await simulator.untilReady()
  const started = await Promise.all(
    places.map(async (place) => await startCell(place, { places, url, simulator_url })),
  )
  return {
    url,
    simulator_url,
    folder,
    cells: started.map(({ cell }) => cell),
    proxyProcessor: async () => await processorsOf([proxy.pid ?? 0]),
    close: async () => {
      proxy.kill('SIGKILL')
      await simulator.stop()
      for (const { cell, processes } of started) {
        await Promise.all(processes.map(async (one) => await one.stop()))
        await cell.pool.end()
        await cell.cluster.remove()
      }
    },
  }
}

async function startProxy(folder: string, places: readonly Place[]) {
  const port = await freePort()
  const file: CellsFile = {
    listen: `127.0.0.1:${port}`,
    admin_socket: path.join(folder, 'admin.sock'),
    cells: Object.fromEntries(
      places.map(({ name, port: api, admin_port }) => [
        name,
        {
          servers: [{ address: `127.0.0.1:${api}`, admin_port }],
          buckets: [BUCKETS[name] ?? ''],
        },
      ]),
    ),
  }
  writeFileSync(path.join(folder, 'cells.json'), JSON.stringify(file))
  for (const [name, content] of Object.entries(renderCells(file, folder))) {
    writeFileSync(path.join(folder, name), content)
  }
  const configuration = path.join(folder, 'haproxy.cfg')
  execFileSync(HAPROXY, ['-c', '-f', configuration], { stdio: 'ignore' })
  const proxy: ChildProcess = spawn(HAPROXY, ['-db', '-f', configuration], { stdio: 'ignore' })
  process.on('exit', () => proxy.kill('SIGKILL'))
  return { url: `http://127.0.0.1:${port}`, proxy }
}

interface Wiring {
  places: readonly Place[]
  url: string
  simulator_url: string
}

async function startCell({ name, port, admin_port }: Place, wiring: Wiring) {
  const { places, url, simulator_url } = wiring
  const cluster = await PostgresCluster.create({ in_memory: true })
  const pool = new Pool({ connectionString: cluster.url, max: 4 })
  // The campaign kills the server; the next query opens a new connection.
  pool.on('error', () => undefined)
  const owner_id = `owner-of-${name}`
  const { key, staff_key } = await prepare(cluster.url, { name, owner_id, simulator_url })
  const peers = places.filter((other) => other.name !== name)
  const environment = {
    DATABASE_URL: cluster.url,
    GATEWAY_SERVER_KEY: SERVER_KEY,
    GATEWAY_BASE_URL: simulator_url,
    GATEWAY_NOTIFICATION_URL: `${url}/cells/${name}/notification/`,
    GAPURA_CELL: name,
    GAPURA_CELL_PEERS: peers.map((peer) => `${peer.name}=http://127.0.0.1:${peer.port}`).join(','),
    GAPURA_CALLER_REQUESTS_AT_ONCE: '0',
    GAPURA_REFUND_SECOND_PERSON_ABOVE: String(SECOND_PERSON_ABOVE),
    // The same in all cells: the secrets of a moved endpoint are encrypted with it.
    GAPURA_WEBHOOK_KEY: WEBHOOK_KEY,
    GAPURA_WEBHOOK_PRIVATE: 'true',
    GAPURA_TRUSTED_PROXIES: '1',
    GAPURA_LOG_LEVEL: 'error',
  }
  const api = new Supervised({
    name: `api of ${name}`,
    script: SERVICE,
    given: ['serve'],
    environment: {
      ...environment,
      GAPURA_PORT: String(port),
      GAPURA_ADMIN_PORT: String(admin_port),
    },
  })
  const worker = new Supervised({
    name: `worker of ${name}`,
    script: SERVICE,
    given: ['work'],
    environment: { ...environment, GAPURA_ADMIN_PORT: '' },
  })
  await untilAnswered(`${url}/cells/${name}/payments/`, key)
  const processor = async (): Promise<number> => {
    const { postmaster } = cluster
    return await processorsOf([api.pid, worker.pid, postmaster, ...childrenOf(postmaster)])
  }
  const cell: Cell = { name, cluster, pool, owner_id, key, staff_key, processor }
  return { cell, processes: [api, worker] }
}

async function prepare(
  databaseUrl: string,
  { name, owner_id, simulator_url }: { name: string; owner_id: string; simulator_url: string },
): Promise<{ key: string; staff_key: string }> {
  const gateway = { server_key: SERVER_KEY, base_url: simulator_url }
  const gapura = createGapura({ databaseUrl, gateway, cell: { name } })
  await gapura.migrate()
  const { key } = await gapura.createApiKey({ owner_id, name: 'campaign' })
  const desk = { owner_id: `staff-of-${name}`, name: 'desk', staff: true }
  const { key: staff_key } = await gapura.createApiKey(desk)
  await gapura.close()
  return { key, staff_key }
}

/** Resolves when the proxy lets a caller through to its cell. */
export async function untilAnswered(url: string, key: string): Promise<void> {
  const end = performance.now() + READY_WITHIN_MS
  const headers = { authorization: `Bearer ${key}` }
  for (;;) {
    const reply = await fetch(url, { headers }).catch(() => undefined)
    await reply?.text()
    if (reply?.status === 200) return
    if (performance.now() > end) throw new Error(`${url} answers ${String(reply?.status)}`)
    await sleep(100)
  }
}
