// Connections that send several requests before the first is answered, as a hostile client would
// and a good proxy does. What may break a connection goes alone.
import { connect, type Socket } from 'node:net'
import { AnswerReader, type Answer } from './answers.ts'
import type { HostileInput } from './input.ts'

/** Nothing came in this time: the service hangs, or waits for more of the request. */
const ANSWER_WITHIN_MS = 60_000
/** Waiting for more is right for a request that was cut short; then the client goes. */
const SILENCE_MS = 300

export type Heard = Answer | 'closed' | 'silent'

type Waiting = (heard: Heard) => void

/** One kept connection, with a bound on what is under way; opened again when it was closed. */
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
      for (const tell of waiting.splice(0)) tell('silent')
      socket.destroy()
    })
    socket.on('data', (chunk: Buffer) => {
      for (const answer of reader.take(chunk)) {
        waiting.shift()?.(answer)
        // Whatever was sent behind it is not answered any more; the next one opens a new line.
        if (answer.headers.get('connection') === 'close' && this.#socket === socket)
          this.#socket = undefined
      }
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined
      for (const tell of waiting.splice(0)) tell('closed')
    })
    return socket
  }
}

/**
 * One input, on the line or alone. A line that is closed takes those down that stand behind the
 * culprit; each of them is sent once more, alone, and then it answers for itself.
 */
export async function send(line: Line, input: HostileInput): Promise<Heard> {
  const { port } = line
  const within_ms = input.silence_allowed === true ? SILENCE_MS : ANSWER_WITHIN_MS
  if (input.alone === true) return await sendAlone(port, input.bytes, within_ms)
  const heard = await line.send(input.bytes)
  return heard === 'closed' ? await sendAlone(port, input.bytes, within_ms) : heard
}

/** One request on a connection of its own: its first answer, or how it ended without. */
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
