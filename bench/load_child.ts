// The load generator, in its own process: each connection sends its next request when the last was
// answered or, at a given rate, as soon as one is due. It uses plain sockets, because a client
// library would take more of the two cores than the service, and keeps every answer for the checks.
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'

export interface LoadOrder {
  /** Connections are spread over these addresses. */
  urls: readonly string[]
  connections: number
  /** Requests a second; by default as fast as they are answered. */
  rate?: number
  /** Headers of every request. */
  headers?: Record<string, string>
}

export interface LoadRequest {
  path: string
  headers?: Record<string, string>
  /** A request with a body is a POST. */
  body?: string
}

export interface LoadResult {
  seconds: number
  /** Milliseconds per request; at a rate, from the time it was due. */
  latencies: number[]
  answers: { status: number; body: string }[]
}

const order = JSON.parse(process.argv[2] ?? '{}') as LoadOrder & { input: string; output: string }
const { connections, rate, urls } = order
const places = urls.map((url) => new URL(url))

const bytesOf = ({ path, headers, body }: LoadRequest): Buffer => {
  const fields = Object.entries({ host: 'localhost', ...order.headers, ...headers })
  if (body !== undefined) {
    fields.push(['content-type', 'application/json'])
    fields.push(['content-length', String(Buffer.byteLength(body))])
  }
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const method = body === undefined ? 'GET' : 'POST'
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body ?? ''}`)
}

const requests = (await readFile(order.input, 'utf8'))
  .split('\n')
  .map((line) => bytesOf(JSON.parse(line) as LoadRequest))
const latencies = requests.map(() => 0)
const answers: LoadResult['answers'] = requests.map(() => ({ status: 0, body: '' }))
/** When each became due, at a rate. */
const due: number[] = []
const idle: (() => void)[] = []
let next = 0

const mayGo = (): boolean => rate === undefined || next < due.length || next >= requests.length

/** The complete answer at the start of the text, or undefined. */
function answerIn(text: string) {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
  if (Number.isNaN(length)) throw new Error(`an answer without its length: ${text}`)
  const body = text.slice(end + 4)
  return body.length < length ? undefined : { status: Number(text.slice(9, 12)), body }
}

const work = async (_: unknown, number: number): Promise<void> =>
  await new Promise((resolve, reject) => {
    const { hostname, port } = places[number % places.length] ?? {}
    const socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    let at = -1
    let began = 0
    let text = ''
    const go = (): void => {
      if (!mayGo()) {
        idle.push(go)
        return
      }
      at = next++
      const request = requests[at]
      if (request === undefined) {
        socket.end()
        resolve()
        return
      }
      began = due[at] ?? performance.now()
      socket.write(request)
    }
    socket.on('connect', go)
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      const answer = answerIn(text)
      if (answer === undefined) return
      latencies[at] = performance.now() - began
      answers[at] = answer
      text = ''
      go()
    })
    socket.on('error', reject)
  })

const began = performance.now()

/** Releases what is due. Latency counts from the release, so that a late timer is not included. */
function pace(per_second: number): void {
  const now = performance.now()
  const until = Math.min(requests.length, Math.floor(((now - began) / 1_000) * per_second) + 1)
  while (due.length < until) due.push(now)
  const more = due.length < requests.length
  if (more) setTimeout(pace, began + (due.length / per_second) * 1_000 - now, per_second)
  // The last call also wakes the connections for which nothing is left, so that they end.
  for (const go of idle.splice(0, more ? due.length - next : idle.length)) go()
}

if (rate !== undefined) pace(rate)
await Promise.all(Array.from({ length: connections }, work))
const seconds = (performance.now() - began) / 1_000
const result: LoadResult = { seconds, latencies, answers }
await writeFile(order.output, JSON.stringify(result))
