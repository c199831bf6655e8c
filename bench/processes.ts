import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoadOrder, LoadRequest, LoadResult } from './load_child.ts'
import type { Report } from './orders.ts'

const started: ChildProcess[] = []

const fork = (file: string, order: object, stdio: 'inherit' | 'pipe'): ChildProcess => {
  const path = new URL(file, import.meta.url).pathname
  // The service writes its log lines to /dev/null: only the database's disk is measured.
  return spawn(process.execPath, ['--conditions=@gapura/source', path, JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', stdio],
  })
}

export interface Started {
  url: string
  pid: number
}

/** Starts a server in its own process and waits until it prints its address. */
export async function startProcess(file: string, order: object): Promise<Started> {
  const child = fork(file, order, 'pipe')
  started.push(child)
  let said = ''
  for await (const bytes of child.stderr ?? []) {
    said += String(bytes)
    const url = /^http:\S+$/m.exec(said)?.[0]
    if (url !== undefined && child.pid !== undefined) {
      child.stderr?.resume()
      return { url, pid: child.pid }
    }
  }
  throw new Error(`${file} did not start: ${said}`)
}

export const startChild = async (file: string, order: object): Promise<string> =>
  (await startProcess(file, order)).url

export async function stopChildren(): Promise<void> {
  await Promise.all(
    started.splice(0).map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    }),
  )
}

/** Runs a process to its end and reads its output file. */
export async function runJob<Result>(
  file: string,
  order: object,
  input: readonly string[] = [],
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'gapura-load-'))
  try {
    const files = { input: join(folder, 'input'), output: join(folder, 'output') }
    await writeFile(files.input, input.join('\n'))
    const child = fork(file, { ...order, ...files }, 'inherit')
    const [code] = (await once(child, 'exit')) as [number]
    if (code !== 0) throw new Error(`${file} ended with ${code}`)
    return JSON.parse(await readFile(files.output, 'utf8')) as Result
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Sends the requests over this many connections, from its own process. */
export const send = async (order: LoadOrder, requests: readonly LoadRequest[]) =>
  await runJob<LoadResult>(
    'load_child.ts',
    order,
    requests.map((request) => JSON.stringify(request)),
  )

/** The same for the gateway's notifications. */
export const load = async (
  url: string | readonly string[],
  connections: number,
  reports: readonly Report[],
): Promise<LoadResult> =>
  await send(
    { urls: [url].flat(), connections },
    reports.map(({ body }) => ({ path: '/notification/', body })),
  )
