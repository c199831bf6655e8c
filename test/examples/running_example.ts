// Starts an example as a new user does: as a process in its own folder, against the built packages,
// with a database and the simulator.
import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { createSimulator, type Simulator } from '@gapura/simulator'
import { createGapura, SCOPES } from 'gapura'
import { Pool } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import {
  DATABASE_URL,
  dropService,
  eventually,
  freshSchemaName,
} from '../../packages/service/test/store/test_database.ts'
import { freePort } from '../../scripts/quickstart/free_port.ts'

const STARTED_WITHIN_MS = 60_000

export interface Example {
  readonly url: string
  readonly simulator: Simulator
  readonly key: string
  /** Everything it has printed. */
  readonly printed: string
  readonly schema: string
  sql: (text: string) => Promise<Record<string, unknown>[]>
  /** An action of the payer or the bank at the simulator. */
  act: (order_id: string, action: string) => Promise<void>
  start: () => Promise<void>
  stop: () => Promise<Ended>
}

/** How a process ended: with an exit code or by a signal. */
export type Ended = number | NodeJS.Signals | null

interface Start {
  /** Relative to `examples/`, or absolute. */
  folder: string
  command: readonly [string, ...string[]]
  /** Where the routes of the service are. */
  prefix?: string
}

/** Starts it around the tests of this file, and waits until it answers. */
export function useExample({ folder, command, prefix = '/pay' }: Start): Example {
  const schema = freshSchemaName()
  // The shop's own tables, if an example has any, use the same schema.
  const databaseUrl = `${DATABASE_URL}?options=-c%20search_path%3D${schema}`
  const cwd = path.resolve('examples', folder)
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  let child: ChildProcess | undefined
  let simulator: Simulator | undefined
  let url = ''
  let key = ''
  let printed = ''

  const start = async (): Promise<void> => {
    child = spawn(command[0], command.slice(1), {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        GAPURA_SCHEMA: schema,
        GAPURA_PORT: new URL(url).port,
        PORT: new URL(url).port,
        GATEWAY_SERVER_KEY: simulator?.server_key,
        GATEWAY_CLIENT_KEY: simulator?.client_key,
        GATEWAY_BASE_URL: simulator?.url,
      },
    })
    const keep = (chunk: Buffer): void => void (printed += chunk.toString())
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    const status = await eventually(
      async () => (child?.exitCode === null ? await statusOf(`${url}${prefix}/payments/`) : -1),
      (answer) => answer === 401 || answer === -1,
      STARTED_WITHIN_MS,
    )
    if (status !== 401) throw new Error(`${folder} answers ${status}:\n${printed}`)
  }
  const stop = async (): Promise<Ended> => {
    const running = child
    if (running === undefined) return null
    const ended = new Promise((resolve) => running.once('exit', resolve))
    if (running.exitCode === null && running.signalCode === null) {
      running.kill('SIGTERM')
      await ended
    }
    return running.exitCode ?? running.signalCode
  }
  beforeAll(async () => {
    url = `http://127.0.0.1:${await freePort()}`
    simulator = await createSimulator({
      port: 0,
      notification_url: `${url}${prefix}/notification/`,
    })
    await start()
    key = await keyOf(simulator, schema)
  }, STARTED_WITHIN_MS + 30_000)
  afterAll(async () => {
    await stop()
    await simulator?.close()
    await pool.end()
    await dropService(schema)
  })

  return {
    schema,
    get url() {
      return `${url}${prefix}`
    },
    get simulator() {
      if (simulator === undefined) throw new Error('the simulator runs only inside tests')
      return simulator
    },
    get key() {
      return key
    },
    get printed() {
      return printed
    },
    sql: async (text) => (await pool.query<Record<string, unknown>>(text)).rows,
    act: async (order_id, action) => {
      const address = `${simulator?.url}/_sim/transactions/${order_id}/${action}`
      const reply = await fetch(address, { method: 'POST' })
      if (!reply.ok) throw new Error(`${action}: ${await reply.text()}`)
    },
    start,
    stop,
  }
}

const statusOf = async (url: string): Promise<number> =>
  await fetch(url).then(
    ({ status }) => status,
    () => 0,
  )

async function keyOf({ server_key, url }: Simulator, schema: string): Promise<string> {
  const gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema,
    gateway: { server_key, base_url: url },
  })
  const { key } = await gapura.createApiKey({
    name: 'test',
    owner_id: 'shop',
    staff: false,
    scopes: SCOPES,
  })
  await gapura.close()
  return key
}
