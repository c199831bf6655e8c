// A TCP proxy in front of PostgreSQL that counts what the service says to it. It changes nothing.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface WireCounts {
  /** Messages that run something: Execute and simple Query. */
  statements: number
  /** Sends that begin while no answer is outstanding: the client waited for all before it. */
  round_trips: number
  commits: number
}

export interface WireCounter {
  url: string
  counts: () => WireCounts
  close: () => Promise<void>
}

const ZERO: WireCounts = { statements: 0, round_trips: 0, commits: 0 }

export const since = (now: WireCounts, before: WireCounts): WireCounts => ({
  statements: now.statements - before.statements,
  round_trips: now.round_trips - before.round_trips,
  commits: now.commits - before.commits,
})

/** Passes each whole message to `seen`; the startup message of a client has no type. */
function messageReader(untyped: number, seen: (type: string, body: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let left = untyped
  return (bytes: Buffer): void => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    for (;;) {
      const head = left > 0 ? 0 : 1
      if (rest.length < head + 4) return
      const length = rest.readUInt32BE(head)
      if (rest.length < head + length) return
      if (left > 0) left -= 1
      else seen(String.fromCodePoint(rest[0] ?? 0), rest.subarray(5, 1 + length))
      rest = rest.subarray(head + length)
    }
  }
}

/** Without TLS: the clusters of a bench listen on 127.0.0.1 only. */
export async function countWire(database_url: string): Promise<WireCounter> {
  const counts = { ...ZERO }
  const { hostname, port } = new URL(database_url)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true)
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    countConnection(client, upstream, counts)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(database_url)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    counts: () => ({ ...counts }),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function countConnection(client: Socket, upstream: Socket, counts: WireCounts): void {
  /** Queries and Syncs that the server has not answered with ReadyForQuery. */
  let outstanding = 0
  const asks = messageReader(1, (type, body) => {
    if (type === 'Q' || type === 'S') {
      if (outstanding === 0) counts.round_trips += 1
      outstanding += 1
    }
    if (type === 'Q' || type === 'E') counts.statements += 1
    if (type === 'Q' && body.toString('latin1').startsWith('commit')) counts.commits += 1
  })
  const answers = messageReader(0, (type) => {
    if (type === 'Z') outstanding = Math.max(0, outstanding - 1)
  })
  client.on('data', (bytes: Buffer) => {
    asks(bytes)
    upstream.write(bytes)
  })
  upstream.on('data', (bytes: Buffer) => {
    answers(bytes)
    client.write(bytes)
  })
}
