// Commands as a user types them, against a real database and a real simulator. A process costs a
// second of loading, so most run in the test's own, from the command line on; what is about processes
// (signals, exit codes, an old Node, a first start) is spawned.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createSimulator, type Simulator } from '@gapura/simulator'
import { createGapura, type Gapura } from 'gapura'
import { afterAll, beforeAll } from 'vitest'
import {
  DATABASE_URL,
  dropService,
  freshSchemaName,
} from '../../service/test/store/test_database.ts'
import { openDatabase, type Database } from '../../service/src/store/connection/database.ts'
import { run } from '../src/run.ts'

export type Json = Record<string, unknown>

export interface Done {
  code: number | null
  stdout: string
  stderr: string
  /** The result of `--json`. */
  json: Json
  /** The failure of `--json`. */
  error: Json
}

const MAIN = new URL('../src/main.ts', import.meta.url).pathname
const CACHE = path.join(tmpdir(), 'gapura-cli-test-cache')

interface SpawnOptions {
  env?: Record<string, string>
  cwd?: string
  /** Further flags of Node. */
  node?: readonly string[]
}

const { GAPURA_PREPARED_STATEMENTS } = process.env
/** What `npm run suite pooler` sets: its pooler keeps no prepared statements. */
const POOLER = GAPURA_PREPARED_STATEMENTS === undefined ? {} : { GAPURA_PREPARED_STATEMENTS }

export const startCli = (
  args: readonly string[],
  { env = {}, cwd, node = [] }: SpawnOptions = {},
) => {
  const flags = ['--conditions=@gapura/source', ...node, MAIN, ...args]
  return spawn(process.execPath, flags, {
    // Nothing of the test's own surroundings but what a shell has.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: CACHE,
      ...POOLER,
      ...env,
    },
    ...(cwd !== undefined && { cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The same without a process: everything from the arguments to the exit code. */
export async function inProcess(argv: readonly string[], environment: Json): Promise<Done> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const texts = Promise.all([text(stdout), text(stderr)])
  const code = await run({
    argv,
    environment: environment as Record<string, string>,
    stdout,
    stderr,
  })
  stdout.end()
  stderr.end()
  const [out, err] = await texts
  return doneOf(code, out, err)
}

/** Runs a process to its end. */
export async function ended(child: ReturnType<typeof startCli>): Promise<Done> {
  const texts = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = (await once(child, 'close')) as [number | null]
  const [stdout, stderr] = await texts
  return doneOf(code, stdout, stderr)
}

function doneOf(code: number | null, stdout: string, stderr: string): Done {
  const parsed = (json: string): Json => {
    try {
      return JSON.parse(json) as Json
    } catch {
      return {}
    }
  }
  const { error = {} } = parsed(stderr.trim().split('\n').at(-1) ?? '')
  return { code, stdout, stderr, json: parsed(stdout), error: error as Json }
}

/** Waits for a line of a process that goes on, and gives it. */
export async function lineOf(child: ChildProcess, wanted: RegExp): Promise<string> {
  let heard = ''
  const found = Promise.withResolvers<string>()
  const listen = (chunk: Buffer): void => {
    heard += chunk.toString()
    const line = heard.split('\n').find((one) => wanted.test(one))
    if (line !== undefined) found.resolve(line)
  }
  child.stdout?.on('data', listen)
  child.stderr?.on('data', listen)
  child.once('close', () => found.reject(new Error(`ended without ${wanted.source}:\n${heard}`)))
  return await found.promise
}

/** A folder, a schema and a simulator of this file alone. */
export function useCli({
  migrated = true,
  env: more = {},
}: { migrated?: boolean; env?: Record<string, string> } = {}) {
  const schema = freshSchemaName()
  const cwd = mkdtempSync(path.join(tmpdir(), 'gapura-cli-'))
  const children: ChildProcess[] = []
  let parts: { simulator: Simulator; gapura: Gapura } | undefined
  const opened = () => {
    if (parts === undefined) throw new Error('open only inside tests')
    return parts
  }
  const environment = (): Record<string, string> => ({
    DATABASE_URL,
    ...POOLER,
    GAPURA_SCHEMA: schema,
    GAPURA_PORT: '0',
    GATEWAY_SERVER_KEY: opened().simulator.server_key,
    GATEWAY_CLIENT_KEY: opened().simulator.client_key,
    GATEWAY_BASE_URL: opened().simulator.url,
    ...more,
  })
  let db: Database | undefined
  beforeAll(async () => {
    const simulator = await createSimulator({ port: 0, seed: 7 })
    const { server_key, client_key, url: base_url } = simulator
    const gateway = { server_key, client_key, base_url }
    parts = { simulator, gapura: createGapura({ databaseUrl: DATABASE_URL, schema, gateway }) }
    if (migrated) await parts.gapura.migrate()
    db = openDatabase(DATABASE_URL, { schema, connections_max: 2 })
  })
  afterAll(async () => {
    for (const child of children) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await once(child, 'close')
      }
    }
    await parts?.gapura.close()
    await parts?.simulator.close()
    await db?.close()
    await dropService(schema)
    rmSync(cwd, { recursive: true, force: true })
  })
  const start = (args: readonly string[], env: Record<string, string> = {}) => {
    const child = startCli(args, { env: { ...environment(), ...env }, cwd })
    children.push(child)
    return child
  }
  return {
    schema,
    cwd,
    environment,
    start,
    spawned: async (args: readonly string[], env: Record<string, string> = {}) =>
      await ended(start(args, env)),
    run: async (args: readonly string[], env: Record<string, string> = {}) =>
      await inProcess(args, { ...environment(), ...env }),
    /** With `--json`, expected to succeed. */
    json: async (...args: string[]): Promise<Json> => {
      const done = await inProcess([...args, '--json'], environment())
      if (done.code !== 0) throw new Error(`gapura ${args.join(' ')}: ${done.code} ${done.stderr}`)
      return done.json
    },
    get gapura() {
      return opened().gapura
    },
    get simulator() {
      return opened().simulator
    },
    database: (): Database => {
      if (db === undefined) throw new Error('open only inside tests')
      return db
    },
    sql: async (statement: string, values: unknown[] = []) =>
      (await db?.pool.query<Json>(db.statement(statement).text, values))?.rows ?? [],
    control: async (method: string, route: string, body: object = {}) =>
      await fetch(`${opened().simulator.url}/_sim/${route}`, {
        method,
        body: JSON.stringify(body),
      }),
  }
}
