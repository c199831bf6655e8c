// The ways between the parts of a deployment: proxies that can cut connections, and a pooler.
import { POOLED } from '../processes/process_order.ts'
import { openFaultProxy } from './fault_proxy.ts'
import { startPgbouncer } from './pgbouncer.ts'
import { seeded } from './random.ts'

interface Places {
  simulator_port: number
  ports: readonly number[]
  database_url: string
}

export async function openLines(seed: number, { simulator_port, ports, database_url }: Places) {
  const host = '127.0.0.1'
  const { hostname, port } = new URL(database_url)
  const line = async (salt: number, targets: { host: string; port: number }[]) =>
    await openFaultProxy({ targets, random: seeded(seed + salt) })
  return {
    gateway: await line(101, [{ host, port: simulator_port }]),
    database: await line(102, [{ host: hostname, port: Number(port) }]),
    webhooks: await line(
      103,
      ports.map((api) => ({ host, port: api })),
    ),
  }
}

/** Where the processes reach the database; the campaign itself looks at it without a pooler. */
export async function reach(database_url: string): Promise<{ url: string; leave: () => void }> {
  if (!POOLED) return { url: database_url, leave: () => undefined }
  const { hostname: host, port, username: user } = new URL(database_url)
  const pooler = await startPgbouncer({ host, port, user })
  return { url: throughLine(database_url, pooler.port), leave: pooler.stop }
}

/** The same database at another port of this machine. */
export function throughLine(database_url: string, port: number): string {
  const url = new URL(database_url)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}
