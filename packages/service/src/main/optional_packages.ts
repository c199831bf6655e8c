// Packages that are installed only by those who use them. The one place with dynamic imports: the
// names below are all there are.
import { setTimeout as sleep } from 'node:timers/promises'
import { busAway, type BusConnection } from '../events/bus.ts'
import type { Logger } from '../services/context.ts'

export interface NatsSettings {
  /** One server or several, as in `nats://127.0.0.1:4222`; `tls://` for TLS. */
  servers: readonly string[]
  /** The text of a credentials file, with JWT and seed. */
  credentials?: { reveal: () => string }
  /** Subjects begin with it; `gapura` by default. */
  subject?: string
}

const RECONNECT_MS = 500
const ACKNOWLEDGED_WITHIN_MS = 5_000

const pause = async (ms: number, signal: AbortSignal): Promise<void> =>
  await sleep(ms, undefined, { signal }).catch(() => undefined)

async function natsPackages() {
  try {
    const transport = await import('@nats-io/transport-node')
    const { jetstream } = await import('@nats-io/jetstream')
    return { ...transport, jetstream }
  } catch (cause) {
    const needed = '@nats-io/transport-node and @nats-io/jetstream'
    throw new Error(`the bus needs the packages ${needed}: install them`, { cause })
  }
}

type NatsConnection = Awaited<ReturnType<Awaited<ReturnType<typeof natsPackages>>['connect']>>

/** Whether the bus can be reached at this moment; each change is logged. */
class NatsState {
  connection: NatsConnection | undefined
  is_up = false
  readonly #log: Logger
  #refused = false

  constructor(log: Logger) {
    this.#log = log
  }

  opened(connection: NatsConnection): void {
    this.connection = connection
    this.#turn(true)
    void this.#watch(connection)
  }

  /** The first of many attempts says it; the others would say the same. */
  refused(error: unknown): void {
    if (!this.#refused) {
      const why = error instanceof Error ? error.name : 'unknown'
      this.#log.warn({ error: why }, 'event bus not connected, events wait')
    }
    this.#refused = true
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'reconnect') this.#turn(type === 'reconnect')
    }
  }

  #turn(up: boolean): void {
    if (up === this.is_up) return
    this.is_up = up
    if (up) this.#log.info({}, 'event bus connected')
    else this.#log.warn({}, 'event bus disconnected, events wait')
  }
}

/** Connects in the background, and again after each loss, until it is closed. */
export async function openNats(
  { servers, credentials }: NatsSettings,
  log: Logger,
): Promise<BusConnection> {
  const { connect, credsAuthenticator, jetstream } = await natsPackages()
  const secret = credentials && new TextEncoder().encode(credentials.reveal())
  const state = new NatsState(log)
  const stop = new AbortController()
  const tryOnce = async (): Promise<boolean> => {
    try {
      const connection = await connect({
        servers: [...servers],
        name: 'gapura',
        maxReconnectAttempts: -1,
        reconnectTimeWait: RECONNECT_MS,
        ...(secret && { authenticator: credsAuthenticator(secret) }),
      })
      if (stop.signal.aborted) await connection.close()
      else state.opened(connection)
      return true
    } catch (error) {
      state.refused(error)
      return false
    }
  }
  const opening = (async () => {
    while (!stop.signal.aborted && !(await tryOnce())) await pause(RECONNECT_MS, stop.signal)
  })()
  return {
    publish: async ({ subject, id, body }) => {
      const { connection, is_up } = state
      if (connection === undefined || !is_up) throw busAway('the event bus is not connected')
      const bytes = Buffer.from(body)
      const limit = connection.info?.max_payload ?? Infinity
      if (bytes.byteLength > limit) {
        throw new RangeError(`the event has ${bytes.byteLength} bytes, and the bus takes ${limit}`)
      }
      const client = jetstream(connection, { timeout: ACKNOWLEDGED_WITHIN_MS })
      await client.publish(subject, bytes, { msgID: id }).catch((error: unknown) => {
        // No stream, no leader, no space, no answer: it is the bus, not this event.
        throw busAway(error instanceof Error ? error.name : 'unknown')
      })
    },
    close: async () => {
      stop.abort()
      await opening
      await state.connection?.close()
    },
  }
}

export interface Mail {
  send: (message: {
    from: string
    to: readonly string[]
    subject: string
    text: string
    message_id?: string
  }) => Promise<void>
  close: () => void
}

const MAIL_WITHIN_MS = 10_000

/** Plain e-mail over SMTP. The address may hold user and password; no error of ours repeats it. */
export async function openMail(smtp_url: string): Promise<Mail> {
  const mailer = await import('nodemailer').catch((cause: unknown) => {
    throw new Error('a channel of e-mail needs the package nodemailer: install it', { cause })
  })
  const transport = mailer.createTransport({
    url: smtp_url,
    connectionTimeout: MAIL_WITHIN_MS,
    greetingTimeout: MAIL_WITHIN_MS,
    socketTimeout: MAIL_WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ from, to, subject, text, message_id: messageId }) => {
      await transport.sendMail({
        from,
        to: [...to],
        subject,
        text,
        ...(messageId && { messageId }),
      })
    },
    close: () => transport.close(),
  }
}
