// The only file that uses undocumented parts of the driver: its socket, and whether it sends a
// statement before the previous one is answered. Check it with each new release of the driver.
import type { PoolClient } from 'pg'

/** What the driver has but does not declare. */
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

/**
 * Whether statements are sent before the previous ones are answered: on our own connections only.
 */
export const isPipelined = (client: PoolClient): boolean => client.pipeline

const gathering = new WeakSet()

/**
 * Sends everything written to a pipelined connection in this turn of the event loop in one packet:
 * waking the server costs more than most statements.
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
 * The system repeats bytes sent to a vanished machine for a quarter of an hour, and the waiting
 * caller waits as long. The server ends each of our statements well before this limit, so a longer
 * silence means that the connection is dead.
 */
export function endWhenSilent(client: object, ms: number): void {
  if (!isWire(client)) return
  const { stream } = client.connection
  limits.set(client, ms)
  stream.setTimeout(ms, () => {
    if (client.readyForQuery) return
    const error = new Error(`the database did not answer for ${ms} ms`)
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
  })
}

/** Lets a long statement, such as a migration's, exceed the silence limit. */
export async function patiently<Result>(
  client: object,
  work: () => Promise<Result>,
): Promise<Result> {
  const ms = limits.get(client)
  // A host's connection: its timeouts are the host's.
  if (ms === undefined || !isWire(client)) return await work()
  const { stream } = client.connection
  stream.setTimeout(0)
  try {
    return await work()
  } finally {
    stream.setTimeout(ms)
  }
}

/** When a statement is sent. Statements requested together are sent in that order. */
type Turn = <Result>(whole: boolean, send: () => Promise<Result>) => Promise<Result>

/** How the statements of one transaction take turns on this connection. */
export const turnsOf = (client: PoolClient, begun: Promise<void>): Turn =>
  isPipelined(client) ? behindBegin(begun) : oneByOne()

/** At once; but until `begin` is answered, only statements that are harmless alone, in order. */
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

/** A host's connection would queue them itself and log a warning. */
function oneByOne(): Turn {
  let last: Promise<unknown> = Promise.resolve()
  return async (_, send) => {
    const before = last
    const mine = before.then(send, send)
    last = mine
    return await mine
  }
}
