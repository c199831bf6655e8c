// Real listeners on this machine that count who connects.
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Resolve } from '../../src/gateway/webhooks/address.ts'
import { openSender, type SenderOptions } from '../../src/gateway/webhooks/sender.ts'

export const PUBLIC = { allow_private: false }
export const PRIVATE = { allow_private: true }
export const NOT_PUBLIC = 'must have a public address'

export interface Listener {
  port: number
  connections: () => number
}

/** Undefined if this machine does not allow it: port 443 needs a right, `::1` needs IPv6. */
export async function listen(
  host: string,
  port = 0,
  serve: (socket: Socket) => void = (socket) => socket.destroy(),
): Promise<Listener | undefined> {
  let connections = 0
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    connections += 1
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    serve(socket)
  })
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, host, () => resolve(true))
  })
  if (!listening) return undefined
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

/** On the port that the address rules allow, where this machine lets a test listen on it. */
export async function listenOn443(): Promise<() => number> {
  const listeners = [await listen('127.0.0.1', 443), await listen('::1', 443)]
  return () => listeners.reduce((sum, listener) => sum + (listener?.connections() ?? 0), 0)
}

/** Posts as a worker does. */
export function senderOf(options: SenderOptions) {
  const sender = openSender({ answer_within_ms: 2_000, ...options })
  onTestFinished(async () => await sender.close())
  const { signal } = new AbortController()
  return async (url: string) => await sender.post({ url, headers: {}, body: '{}' }, signal)
}

/** A name server that gives these answers, one after the other, the last one for ever. */
export function nameServer(...answers: readonly (readonly string[])[]) {
  const asked: string[] = []
  const resolve: Resolve = (host, _options, found) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? []
    asked.push(host)
    const family = (address: string) => (address.includes(':') ? 6 : 4)
    // Later, as a name server answers.
    setImmediate(() =>
      found(
        null,
        addresses.map((address) => ({ address, family: family(address) })),
      ),
    )
  }
  return { asked, resolve }
}
