// A NATS server of the test's own: its port, its store, killed and started again.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { jetstream, jetstreamManager, type StoredMsg } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'

/** Where Debian puts it; without it the tests of the bus cannot run. */
const PROGRAM = ['nats-server', '/usr/sbin/nats-server'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
)
export const HAS_NATS = PROGRAM !== undefined

export const STREAM = 'GAPURA'
/** Of the stream; a repeat within it is dropped by the server. */
export const DUPLICATE_WINDOW_MS = 120_000

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export interface NatsServer {
  url: string
  /** Starts it on the same port and store. */
  start: () => Promise<void>
  kill: () => Promise<void>
  /** As the docs say it. */
  addStream: () => Promise<void>
  /** Every message of the stream, in order. */
  messages: () => Promise<StoredMsg[]>
  /** Kills it and removes its store. */
  close: () => Promise<void>
}

export async function openNatsServer(): Promise<NatsServer> {
  const port = await freePort()
  const store = mkdtempSync(path.join(tmpdir(), 'gapura-nats-'))
  const url = `nats://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const onExit = (): void => void child?.kill('SIGKILL')
  process.on('exit', onExit)
  const start = async (): Promise<void> => {
    const args = ['-js', '-sd', store, '-a', '127.0.0.1', '-p', String(port)]
    child = spawn(PROGRAM ?? 'nats-server', args, { stdio: 'ignore' })
    await within(async (nc) => {
      await jetstreamManager(nc).then(async (manager) => await manager.getAccountInfo())
    })
  }
  const within = async <Result>(work: (nc: NatsConnection) => Promise<Result>): Promise<Result> => {
    const nc = await connect({ servers: url, waitOnFirstConnect: true, reconnectTimeWait: 50 })
    try {
      return await work(nc)
    } finally {
      await nc.close()
    }
  }
  await start()
  return {
    url,
    start,
    kill,
    addStream: async () =>
      await within(async (nc) => {
        const manager = await jetstreamManager(nc)
        await manager.streams.add({
          name: STREAM,
          subjects: ['gapura.>'],
          duplicate_window: DUPLICATE_WINDOW_MS * 1_000_000,
        })
      }),
    messages: async () =>
      await within(async (nc) => {
        const manager = await jetstreamManager(nc)
        const { state } = await manager.streams.info(STREAM)
        const stream = await jetstream(nc).streams.get(STREAM)
        const all: StoredMsg[] = []
        for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
          const message = await stream.getMessage({ seq })
          if (message !== null) all.push(message)
        }
        return all
      }),
    close: async () => {
      await kill()
      process.off('exit', onExit)
      rmSync(store, { recursive: true, force: true })
    },
  }
}
