// The only file that uses what the driver has and does not document: its socket, and whether it
// sends a statement before the one ahead is answered. A release of the driver is checked against it.
import type { PoolClient } from 'pg'

/** What the driver has and does not declare. */
interface Wire {
  connection: {
    stream: {
      setTimeout: (ms: number, whenSilent?: () => void) => void
      cork: () => void
      uncork: () => void
      destroy: (error: Error) => void
    }
  }
  readyForQuery: boolean
}

const isWire = (client: object): client is Wire =>
  'connection' in client &&
  typeof client.connection === 'object' &&
  client.connection !== null &&
  'stream' in client.connection

/** Whether statements are sent before the ones ahead are answered: on connections of our own pool. */
export const isPipelined = (client: PoolClient): boolean => client.pipeline

const gathering = new WeakSet()

/**
 * Sends everything written to a pipelined connection in this turn of the loop in one packet: waking
 * the server up costs more than most statements do.
 */
export function gather(client: PoolClient): void {
  if (!isPipelined(client) || gathering.has(client) || !isWire(client)) return
  const { stream } = client.connection
  gathering.add(client)
  stream.cork()
  process.nextTick(() => {
    gathering.delete(client)
    stream.uncork()
  })
}

const limits = new WeakMap<object, number>()

/**
 * Bytes sent to a machine that is gone are repeated by the system for a quarter of an hour, and
 * whoever waits for the answer waits as long. The server ends every statement of ours well before
 * this limit, so silence beyond it is no server's.
 */
export function endWhenSilent(client: object, ms: number): void {
  if (!isWire(client)) return
  const { stream } = client.connection
  limits.set(client, ms)
  stream.setTimeout(ms, () => {
    if (client.readyForQuery) return
    const error = new Error(`the database said nothing for ${ms} ms`)
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
  })
}

/** Lets a statement that may take its time, as a migration's, be silent meanwhile. */
export async function patiently<Result>(
  client: object,
  work: () => Promise<Result>,
): Promise<Result> {
  const ms = limits.get(client)
  // A host's connection: its silence is not ours to end.
  if (ms === undefined || !isWire(client)) return await work()
  const { stream } = client.connection
  stream.setTimeout(0)
  try {
    return await work()
  } finally {
    stream.setTimeout(ms)
  }
}

/** When a statement is sent. Those asked for at once are sent in that order. */
type Turn = <Result>(whole: boolean, send: () => Promise<Result>) => Promise<Result>

/** How the statements of one transaction take turns on this connection. */
export const turnsOf = (client: PoolClient, begun: Promise<void>): Turn =>
  isPipelined(client) ? behindBegin(begun) : oneByOne()

/** At once; but until it has begun, nothing that may not be alone, and nothing behind that. */
function behindBegin(begun: Promise<void>): Turn {
  let held = false
  let known = false
  begun.then(
    () => (known = true),
    () => undefined,
  )
  return async (whole, send) => {
    held ||= !whole
    if (held && !known) await begun
    return await send()
  }
}

/** A host's connection would queue them itself, and warns of that. */
function oneByOne(): Turn {
  let last: Promise<unknown> = Promise.resolve()
  return async (_, send) => {
    const before = last
    const mine = before.then(send, send)
    last = mine
    return await mine
  }
}
