// A real server that sends scripted replies, one per request, and records the requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
  at: number
}

export type Answer = (response: ServerResponse) => void

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

export const problem = (
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): Answer =>
  json(
    status,
    {
      type: `urn:gapura:problem:${code}`,
      title: 'A title',
      status,
      detail: 'What to do.',
      code,
      errors: [],
      retryable: false,
      request_id: 'request-1',
      ...more,
    },
    headers,
  )

export const page = (status: number): Answer => json(status, '<html>proxy</html>')

export const cut: Answer = (response) => {
  response.socket?.destroy()
}

export const silence: Answer = () => undefined

/** Answers in turn, the last one for ever. */
export async function scripted(...answers: Answer[]) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (body += part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const answer = answers[Math.min(received.length, answers.length - 1)]
      received.push({ method, url, headers, body, at: performance.now() })
      answer?.(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It ends with the process, and keeps none alive.
  server.unref().on('connection', (socket) => socket.unref())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay`
  return { baseUrl, received }
}
