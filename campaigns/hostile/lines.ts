// Connections that send several requests before the first is answered, as a hostile client and a
// good proxy do. An input that may break its connection is sent alone.
import { connect, type Socket } from 'node:net'
import { AnswerReader, type Answer } from './answers.ts'
import type { HostileInput } from './input.ts'

/** No answer in this time: the service hangs, or waits for more of the request. */
const ANSWER_WITHIN_MS = 60_000
/** Waiting for more is right for a request that was cut short; then the client closes. */
const SILENCE_MS = 300

export type Heard = Answer | 'closed' | 'silent'

type Waiting = (heard: Heard) => void

/** One kept connection with a limit on requests in flight; reopened when it was closed. */
export class Line {
  readonly port: number
  #socket: Socket | undefined
  #waiting: Waiting[] = []

  constructor(port: number) {
    this.port = port
  }

  async send(bytes: Buffer): Promise<Heard> {
    const { promise, resolve } = Promise.withResolvers<Heard>()
    const socket = this.#socket ?? this.#open()
    this.#waiting.push(resolve)
    socket.write(bytes)
    return await promise
  }

  close(): void {
    this.#socket?.destroy()
  }

  #open(): Socket {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true })
    const reader = new AnswerReader()
    const waiting: Waiting[] = []
    this.#socket = socket
    this.#waiting = waiting
    socket.setTimeout(ANSWER_WITHIN_MS)
    socket.on('timeout', () => {
      for (const resolve of waiting.splice(0)) resolve('silent')
      socket.destroy()
    })
    socket.on('data', (chunk: Buffer) => {
      for (const answer of reader.take(chunk)) {
        waiting.shift()?.(answer)
        // Requests sent behind it are not answered any more; the next one opens a new connection.
        if (answer.headers.get('connection') === 'close' && this.#socket === socket)
          this.#socket = undefined
      }
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined
      for (const resolve of waiting.splice(0)) resolve('closed')
    })
    return socket
  }
}

/**
 * One input, on the line or alone. When a line is closed, the requests behind the cause are lost:
 * each of them is sent once more, alone, and judged by that answer.
 */
export async function send(line: Line, input: HostileInput): Promise<Heard> {
  const { port } = line
  const within_ms = input.silence_allowed === true ? SILENCE_MS : ANSWER_WITHIN_MS
  if (input.alone === true) return await sendAlone(port, input.bytes, within_ms)
  const heard = await line.send(input.bytes)
  return heard === 'closed' ? await sendAlone(port, input.bytes, within_ms) : heard
}

/** One request on a connection of its own: its first answer, or how it ended without one. */
async function sendAlone(port: number, bytes: Buffer, within_ms: number): Promise<Heard> {
  const { promise, resolve } = Promise.withResolvers<Heard>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const reader = new AnswerReader()
  socket.setTimeout(within_ms)
  socket.on('timeout', () => resolve('silent'))
  socket.on('data', (chunk: Buffer) => {
    const [answer] = reader.take(chunk)
    if (answer !== undefined) resolve(answer)
  })
  socket.on('end', () => {
    const answer = reader.end()
    if (answer !== undefined) resolve(answer)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => resolve('closed'))
  socket.write(bytes)
  const heard = await promise
  socket.destroy()
  return heard
}
