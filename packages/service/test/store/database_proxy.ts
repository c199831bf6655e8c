// A proxy to the database that can be cut, as by a failover: open connections break, new ones are
// refused.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { DATABASE_URL } from './test_database.ts'

export interface DatabaseProxy {
  url: string
  /** Breaks every connection; with `shut`, no new one passes until `open`. */
  cut: (shut?: boolean) => void
  open: () => void
  /** How often a client sent after the server did: statements sent together count once. */
  trips: () => number
  close: () => Promise<void>
}

export async function startDatabaseProxy(): Promise<DatabaseProxy> {
  const target = new URL(DATABASE_URL)
  const sockets = new Set<Socket>()
  let shut = false
  let trips = 0
  const server = createServer((client) => {
    if (shut) {
      client.destroy()
      return
    }
    const database = connect(Number(target.port), target.hostname)
    let answered = true
    client.on('data', () => {
      if (answered) trips++
      answered = false
    })
    database.on('data', () => {
      answered = true
    })
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(DATABASE_URL)
  url.port = String((server.address() as AddressInfo).port)
  const cut = (shutting = false): void => {
    shut = shutting
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cut,
    open: () => {
      shut = false
    },
    trips: () => trips,
    close: async () => {
      cut(true)
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
