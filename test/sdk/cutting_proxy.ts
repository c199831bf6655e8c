// A proxy between client and service that cuts connections: before the request passes, or after the
// service has answered and before the answer arrives.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type Cut = 'request' | 'answer'

export interface CuttingProxy {
  url: string
  /** How the next connections are cut, one entry each. */
  cutNext: (...cuts: Cut[]) => void
  /** How many were cut. */
  readonly cut_count: number
  close: () => Promise<void>
}

export async function openProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port, pathname } = new URL(target)
  const waiting: Cut[] = []
  const sockets = new Set<Socket>()
  let cut_count = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      // Cut connections are expected here.
      socket.on('error', () => undefined)
    }
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    let cut: Cut | undefined
    client.on('data', (chunk) => {
      cut ??= waiting.shift()
      if (cut === 'request') {
        cut_count += 1
        end()
      } else upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (cut === 'answer') {
        cut_count += 1
        end()
      } else client.write(chunk)
    })
    client.on('close', end)
    upstream.on('close', end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    cutNext: (...cuts) => void waiting.push(...cuts),
    get cut_count() {
      return cut_count
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
