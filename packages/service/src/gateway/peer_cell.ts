import { isObject, parseJson } from './json.ts'
import { CELL_SCHEME } from './cell_token.ts'
import { NoReply, Transport } from './transport.ts'

/** What another cell did with a notification that it was offered. */
export type Offered =
  | { kind: 'stored'; notification_id: string | null }
  | { kind: 'not_mine' }
  /** It may have stored it or not: the gateway must repeat the notification. */
  | { kind: 'unclear' }

/** The body of an offer. `keep`: store it even if the order is unknown, because no cell knows it. */
export interface CellOffer {
  offered_by: string
  keep: boolean
  notification: unknown
}

/** Whether the body is an offer. Who made it does not matter: the signature inside decides. */
export const isCellOffer = (body: unknown): body is CellOffer =>
  isObject(body) &&
  typeof body['offered_by'] === 'string' &&
  typeof body['keep'] === 'boolean' &&
  'notification' in body

const CONNECTIONS_MAX = 8
const CONNECT_TIMEOUT_MS = 2_000
const TIMEOUT_MS = 10_000
const WRONG_CELL = 421

/** A staff member waits, and a cell that is away must not hold up the others. */
const READ_TIMEOUT_MS = 2_000
/** Of its own: reads that hang must not hold up a notification. */
const READ_CONNECTIONS_MAX = 4
/** A hundred rows with the longest names. */
const READ_BYTES_MAX = 1024 * 1024

/** What a read of another cell came to: its reply, or why there is none. */
export type CellAnswer = { kind: 'read'; body: unknown } | { kind: 'missing'; why: string }

/** Another cell, reached at the address of its API. */
export class PeerCell {
  readonly name: string
  readonly #transport: Transport
  readonly #reads: Transport

  constructor(name: string, base_url: string) {
    this.name = name
    const connect = { connections_max: CONNECTIONS_MAX, connect_timeout_ms: CONNECT_TIMEOUT_MS }
    this.#transport = new Transport({ base_url, ...connect })
    this.#reads = new Transport({
      base_url,
      connections_max: READ_CONNECTIONS_MAX,
      connect_timeout_ms: READ_TIMEOUT_MS,
      reply_bytes_max: READ_BYTES_MAX,
    })
  }

  async offer(offer: CellOffer): Promise<Offered> {
    try {
      const { http_status, body } = await this.#transport.send({
        method: 'POST',
        path: '/notification/',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(offer),
        timeout_ms: TIMEOUT_MS,
      })
      if (http_status === WRONG_CELL) return { kind: 'not_mine' }
      if (http_status !== 200) return { kind: 'unclear' }
      const reply = parseJson(body)
      const id = isObject(reply) ? reply['notification_id'] : undefined
      return { kind: 'stored', notification_id: typeof id === 'string' ? id : null }
    } catch (error) {
      if (error instanceof NoReply) return { kind: 'unclear' }
      throw error
    }
  }

  /** Reads a path of the other cell, with the proof of who asks and nothing else. */
  async read(path: string, token: string): Promise<CellAnswer> {
    try {
      const { http_status, body } = await this.#reads.send({
        method: 'GET',
        path,
        headers: { authorization: `${CELL_SCHEME} ${token}` },
        body: null,
        timeout_ms: READ_TIMEOUT_MS,
      })
      if (http_status === 200) return { kind: 'read', body: parseJson(body) }
      return { kind: 'missing', why: `HTTP ${http_status}` }
    } catch (error) {
      if (error instanceof NoReply) return { kind: 'missing', why: error.cause_code }
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#transport.close()
    await this.#reads.close()
  }
}
