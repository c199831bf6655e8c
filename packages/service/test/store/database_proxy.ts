// A proxy to the database that can be cut, as by a failover: open connections break, new ones are
// refused.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { DATABASE_URL } from './test_database.ts'

export interface DatabaseProxy {
  url: string
  /** Breaks every connection; with `shut`, no new one passes until `open`. */
  cut: (shut?: boolean) => void
  open: () => void
  /** Breaks every connection in place of the next answer with this word. */
  cutAtAnswer: (word: string) => void
  /** How often a client sent after the server did: statements sent together count once. */
  trips: () => number
  close: () => Promise<void>
}

export async function startDatabaseProxy(): Promise<DatabaseProxy> {
  const target = new URL(DATABASE_URL)
  const sockets = new Set<Socket>()
  let shut = false
  let lost: string | undefined
  let trips = 0
  const cut = (shutting = false): void => {
    shut = shutting
    for (const socket of sockets) socket.destroy()
  }
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
    database.on('data', (chunk) => {
      answered = true
      if (lost !== undefined && chunk.includes(lost)) {
        lost = undefined
        cut()
        return
      }
      client.write(chunk)
    })
    client.pipe(database)
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
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
  return {
    url: url.href,
    cut,
    open: () => {
      shut = false
    },
    cutAtAnswer: (word) => {
      lost = word
    },
    trips: () => trips,
    close: async () => {
      cut(true)
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
